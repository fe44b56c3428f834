internal import Contract
internal import HTTPServer
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
public import Platform

extension Responder {
  /// Media by their names, and by a seal.
  public static func media(_ media: MediaDelivery) -> Responder {
    Responder(.media, .sealedMedia) { asked in
      asked.route == .media
        ? try await media.answer(asked.value, asked.request)
        : try await media.answer(asked.values[2], of: asked.value, by: asked.values[1], asked.request)
    }
  }

  /// Archives that accounts take along, out of what `delivery` delivers.
  public static func archives(_ archives: any ArchiveOpening, from delivery: MediaDelivery) -> Responder {
    Responder(.exportArchive) { asked in
      let archive = try await archives.open(asked.value, by: asked.values[1])
      return try await delivery.answer(archive, asked.request)
    }
  }
}

/// Blobs over HTTP: ranges, validators, and caching for ever, since a name stands for its content.
///
/// With `direct`, whoever wants the bytes of a blob that is there is sent to the store. Not so for playlists
/// and storyboards, whose addresses are relative to their own; nor for HEAD and what a cache has already,
/// which need no bytes.
public struct MediaDelivery: Sendable {
  /// How long an address of the store is good at least, and half of that for how long a cache may send people
  /// there: who comes last has as much time again to begin.
  static let addressSeconds = 600

  private let blobs: any BlobStore
  private let direct: (any DirectReads)?
  private let guarding: any MediaAuthorizing

  /// `direct`: the store sends the bytes itself; nil: all go through this process.
  public init(
    blobs: any BlobStore, direct: (any DirectReads)? = nil, guarding: any MediaAuthorizing
  ) {
    (self.blobs, self.direct, self.guarding) = (blobs, direct, guarding)
  }

  /// For how long an answer may be kept, and by whom.
  private struct Keeping {
    /// `Cache-Control` of the bytes.
    let bytes: String
    /// How long an address of the store has to be good at least, in seconds; nil: there is no time for one.
    let addressSeconds: Int?
    /// `Cache-Control` of the way there.
    let redirect: String

    static let forEver = Keeping(
      bytes: "public, max-age=31536000, immutable", addressSeconds: MediaDelivery.addressSeconds,
      redirect: "public, max-age=\(MediaDelivery.addressSeconds / 2)")

    /// Until a seal ends, and by nobody but who was given it. An address of the store is good for twice as
    /// long as it has to be, and must not outlive the seal either.
    init(sealedFor seconds: Int) {
      let address = min(MediaDelivery.addressSeconds, seconds / 2)
      bytes = "private, max-age=\(seconds)"
      addressSeconds = address > 0 ? address : nil
      redirect = "private, max-age=\(address / 2)"
    }

    private init(bytes: String, addressSeconds: Int, redirect: String) {
      (self.bytes, self.addressSeconds, self.redirect) = (bytes, addressSeconds, redirect)
    }
  }

  /// A blob that is there; opened, where the kernel can send it.
  private struct Found {
    let name: BlobName
    let size: Int
    let file: BlobFile?
  }

  func answer(_ text: String, _ request: Request) async throws -> Response {
    let found = try await find(text, request)
    guard try await guarding.isOpen(found.name) else { throw AppError(.mediaNotFound) }
    return try deliver(found, request, .forEver)
  }

  func answer(_ text: String, of clipID: String, by seal: String, _ request: Request) async throws -> Response
  {
    guard let name = BlobName(text) else { throw AppError(.mediaNotFound) }
    // NB: before the store is asked, so that nobody learns from a wrong seal what there is.
    let seconds = try await guarding.admit(name, of: clipID, by: seal)
    return try deliver(try await find(text, request), request, Keeping(sealedFor: seconds))
  }

  /// An archive that an account takes along, from among what is not media. Pages of other sites do not read
  /// it.
  func answer(_ archive: OpenedArchive, _ request: Request) async throws -> Response {
    let keeping = Keeping(sealedFor: archive.seconds)
    let found = try await find(archive.blob, request)
    var response = try deliver(found, request, keeping)
    response.headers[.accessControlAllowOrigin] = nil
    response.headers[.accessControlExposeHeaders] = nil
    response.headers[.contentDisposition] = "attachment; filename=\"\(archive.fileName)\""
    return response
  }

  /// A medium that a feature hands to whoever asks for it by a secret of their own: nobody on its way keeps
  /// it, and no page of another site reads it.
  func answer(to name: BlobName, _ request: Request) async throws -> Response {
    let found = try await find("\(name)", request)
    var response = try deliver(found, request, Keeping(sealedFor: 0))
    response.headers[.accessControlAllowOrigin] = nil
    response.headers[.accessControlExposeHeaders] = nil
    response.headers[.cacheControl] = "no-store"
    return response
  }

  private func find(_ text: String, _ request: Request) async throws -> Found {
    // Sources (`bin`) and archives (`tar`) are nobody's to fetch by their names.
    guard let name = BlobName(text), name.ext != "bin", name.ext != "tar" else {
      throw AppError(.mediaNotFound)
    }
    return try await find(name, request)
  }

  private func find(_ name: BlobName, _ request: Request) async throws -> Found {
    let file = request.method == .get ? try await open(name) : nil
    let found = if let file { file.sizeBytes } else { try await blobs.size(name) }
    guard let size = found else { throw AppError(.mediaNotFound) }
    return Found(name: name, size: size, file: file)
  }

  private func deliver(_ found: Found, _ request: Request, _ keeping: Keeping) throws -> Response {
    let (name, size, file) = (found.name, found.size, found.file)
    let tag = "\"\(name.hash)\""
    // Players of other sites may read it: who has the address may have the bytes, and no cookie plays a part.
    var headers: HTTPFields = [
      .contentType: name.contentType, .eTag: tag, .acceptRanges: "bytes",
      .cacheControl: keeping.bytes, .accessControlAllowOrigin: "*",
      .accessControlExposeHeaders: "Content-Range",
    ]
    if Validators.matches(request.headers[.ifNoneMatch], tag) {
      return Response(status: .notModified, headers: headers)
    }
    if let direct, request.method == .get, !name.holdsText, let seconds = keeping.addressSeconds {
      return Response(
        status: .found,
        headers: [
          .location: direct.readAddress(name, seconds: seconds), .cacheControl: keeping.redirect,
          .accessControlAllowOrigin: "*",
        ])
    }
    // RFC 9110: Range means something for GET only, and only if the If-Range validator is still the file's.
    let isRangeValid = request.method == .get && request.headers[.ifRange].map { $0 == tag } ?? true
    let wanted = isRangeValid ? request.headers[.range].map { RequestedRange($0, size: size) } : nil
    switch wanted {
    case .unsatisfiable:
      throw Refusal(.rangeNotSatisfiable, "The file has \(size) bytes.", [.contentRange: "bytes */\(size)"])
    case .part(let range):
      headers[.contentRange] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(size)"
      return response(.partialContent, headers, name, range, file)
    case .whole, nil: return response(.ok, headers, name, 0..<size, file)
    }
  }

  /// The blob as a file that the kernel can send, where the store has such and the connection can do it.
  private func open(_ name: BlobName) async throws -> BlobFile? {
    guard FileOutlet.current != nil, let files = blobs as? any FileReads else { return nil }
    return try await files.open(name)
  }

  private func response(
    _ status: HTTPResponse.Status, _ headers: HTTPFields, _ name: BlobName, _ range: Range<Int>,
    _ file: BlobFile?
  ) -> Response {
    if let file, let outlet = FileOutlet.current, !range.isEmpty {
      return outlet.response(status, headers, .init(file: file, range: range))
    }
    return Response(status: status, headers: headers, body: body(name, range))
  }

  private func body(_ name: BlobName, _ range: Range<Int>) -> ResponseBody {
    ResponseBody(contentLength: range.count) { [blobs] writer in
      // NB: the writer is inout and cannot be captured by an escaping closure; it goes out and comes back.
      let sink = Sink(writer)
      try await blobs.read(name, range: range) { try await sink.write(ByteBuffer(bytes: $0)) }
      writer = sink.writer
      try await writer.finish(nil)
    }
  }

  private final class Sink {
    var writer: any ResponseBodyWriter
    init(_ writer: any ResponseBodyWriter) { self.writer = writer }
    func write(_ buffer: ByteBuffer) async throws { try await writer.write(buffer) }
  }
}

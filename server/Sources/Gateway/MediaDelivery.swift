internal import Contract
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import Platform

/// Blobs over HTTP: ranges, validators, and caching for ever, since a name stands for its content.
///
/// With `direct`, whoever wants the bytes of a blob that is there is sent to the store. Not so for playlists and
/// storyboards, whose addresses are relative to their own; nor for HEAD and what a cache has already, which need
/// no bytes.
struct MediaDelivery: Sendable {
  /// How long an address of the store is good at least, and half of that for how long a cache may send people there: who
  /// comes last has as much time again to begin.
  static let addressSeconds = 600

  let blobs: any BlobStore
  var direct: (any DirectReads)?

  func answer(_ text: String, _ request: Request) async throws -> Response {
    // Sources (`bin`) are nobody's to fetch.
    guard let name = BlobName(text), name.ext != "bin" else { throw AppError(.mediaNotFound) }
    let file = request.method == .get ? try await open(name) : nil
    let found = if let file { file.sizeBytes } else { try await blobs.size(name) }
    guard let size = found else { throw AppError(.mediaNotFound) }
    let tag = "\"\(name.hash)\""
    var headers: HTTPFields = [
      .contentType: name.contentType, .eTag: tag, .acceptRanges: "bytes",
      .cacheControl: "public, max-age=31536000, immutable",
    ]
    if Validators.matches(request.headers[.ifNoneMatch], tag) {
      return Response(status: .notModified, headers: headers)
    }
    if let direct, request.method == .get, !name.holdsText {
      return Response(
        status: .found,
        headers: [
          .location: direct.readAddress(name, seconds: Self.addressSeconds),
          .cacheControl: "public, max-age=\(Self.addressSeconds / 2)",
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

/// A Range header against a file of a known size.
enum RequestedRange: Equatable {
  case part(Range<Int>)
  case unsatisfiable
  /// No range, one that is not well formed, or several: RFC 9110 lets a server answer these with the whole file.
  case whole

  init(_ header: String, size: Int) {
    guard header.hasPrefix("bytes=") else {
      self = .whole
      return
    }
    let ends = header.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
      .map { $0.filter { $0 != " " } }
    guard ends.count == 2, !header.contains(","),
      ends.allSatisfy({ $0.utf8.allSatisfy { (48...57).contains($0) } })
    else {
      self = .whole
      return
    }
    switch (Int(ends[0]), Int(ends[1])) {
    case (nil, let count?) where ends[0].isEmpty:
      self = count == 0 || size == 0 ? .unsatisfiable : .part(max(0, size - count)..<size)
    case (let first?, let last) where ends[1].isEmpty || last != nil:
      if let last, last < first {
        self = .whole
      } else {
        self = first < size ? .part(first..<min(size, (last ?? size - 1) + 1)) : .unsatisfiable
      }
    default:
      // Digits that do not fit into 64 bits start beyond every file.
      self = ends[0].isEmpty ? .whole : .unsatisfiable
    }
  }
}

/// Entity tags of RFC 9110.
enum Validators {
  /// If-None-Match: `*`, or a list of tags, compared weakly.
  static func matches(_ header: String?, _ tag: String) -> Bool {
    guard let header else { return false }
    return header.split(separator: ",").contains { part in
      let given = part.filter { $0 != " " }
      return given == "*" || given == tag || given == "W/" + tag
    }
  }
}

internal import Contract
public import Foundation
public import HTTPTypes
public import Hummingbird
internal import NIOCore
internal import Platform
internal import Synchronization

/// The web client: files of one folder, and never of another.
///
/// Files keep their names from one version to the next, so browsers ask again each time (`no-cache`) and
/// mostly get a 304.
public final class StaticSite: Sendable {
  /// Nothing a web client consists of is larger; such a file is not held in memory.
  static let largest = 16 << 20

  /// What a made page may load.
  public enum Policy: Sendable {
    /// As much as the client itself.
    case client
    /// Pictures and media alone; other sites may put it into a frame.
    case embedded
    /// Our own pictures and style, and no code.
    case withoutCode
  }

  private let root: String
  private let policy: String
  private let embedPolicy: String
  private let errorPolicy = [
    "default-src 'none'", "img-src 'self'", "style-src 'self'", "frame-ancestors 'none'", "base-uri 'none'",
    "form-action 'none'",
  ].joined(separator: "; ")
  private let cache = Mutex<[String: File]>([:])

  private struct File: Sendable {
    var status: FileStatus
    var tag: String
    var bytes: [UInt8]
    var compressed: [UInt8]?
  }

  /// `mediaOrigin`: where else media come from, if the server sends people there; `uploadOrigin`: where else
  /// they send.
  public init(folder: URL, mediaOrigin: String? = nil, uploadOrigin: String? = nil) {
    root = folder.resolvingSymlinksInPath().path
    policy = Self.policy(mediaOrigin, uploadOrigin)
    let media = mediaOrigin.map { " \($0)" } ?? ""
    embedPolicy = [
      "default-src 'none'", "img-src 'self'\(media)", "media-src 'self'\(media)", "style-src 'self'",
      "base-uri 'none'", "form-action 'none'",
    ].joined(separator: "; ")
  }

  public func has(_ path: String) -> Bool { locate(path) != nil }

  public func answer(_ path: String, _ request: Request) async throws -> Response {
    guard let (file, ext) = locate(path), let type = Self.types[ext] else {
      throw AppError(
        .routeNotFound, path == "/" ? "The web client is not installed here; start with --web FOLDER." : nil)
    }
    let found = try load(file, compressible: ext != "png" && ext != "woff2" && ext != "ico")
    let compressed = Gzip.isAccepted(by: request) ? found.compressed : nil
    // NB: a strong tag stands for exact bytes, so the compressed form needs one of its own.
    let tag = compressed == nil ? "\"\(found.tag)\"" : "\"\(found.tag)-gz\""
    var headers: HTTPFields = [
      .contentType: type, .eTag: tag, .cacheControl: "no-cache", .vary: "Accept-Encoding",
      .referrerPolicy: "same-origin",
    ]
    if ext == "html" { headers[.contentSecurityPolicy] = policy }
    if Validators.matches(request.headers[.ifNoneMatch], tag) {
      return Response(status: .notModified, headers: headers)
    }
    if compressed != nil { headers[.contentEncoding] = "gzip" }
    return Response(
      status: .ok, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: compressed ?? found.bytes)))
  }

  /// The client's own page, as its file is.
  public func clientPage() throws -> String {
    guard let (file, _) = locate("/") else {
      throw AppError(.routeNotFound, "The web client is not installed here; start with --web FOLDER.")
    }
    return String(decoding: try load(file, compressible: true).bytes, as: UTF8.self)
  }

  /// A page that is made, and not a file. `vary`: the headers by which it was chosen.
  public func answer(
    made page: String, _ status: HTTPResponse.Status, _ policy: Policy, _ request: Request,
    vary: String = "Accept-Encoding"
  ) throws -> Response {
    try made(page, status, text(of: policy), request, vary: vary)
  }

  private func text(of policy: Policy) -> String {
    switch policy {
    case .client: self.policy
    case .embedded: embedPolicy
    case .withoutCode: errorPolicy
    }
  }

  private func made(
    _ page: String, _ status: HTTPResponse.Status, _ policy: String, _ request: Request, vary: String
  ) throws -> Response {
    var bytes = Array(page.utf8)
    // It may name sealed addresses, which are for who asked.
    var headers: HTTPFields = [
      .contentType: Self.types["html"] ?? "", .cacheControl: "private, no-cache", .vary: vary,
      .referrerPolicy: "same-origin", .contentSecurityPolicy: policy,
    ]
    if Gzip.isAccepted(by: request) {
      bytes = try Gzip.compress(bytes)
      headers[.contentEncoding] = "gzip"
    }
    return Response(
      status: status, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: bytes)))
  }

  /// The real path of the file for an address; nil for everything that is not a file of the folder.
  private func locate(_ path: String) -> (path: String, ext: String)? {
    let parts = path.split(atByte: UInt8(ascii: "/")).map(String.init)
    // Names that start with a dot are the parent folder, or files that were never meant to be public.
    guard parts.allSatisfy({ !$0.starts(withBytesOf: ".") && !$0.contains(byte: UInt8(ascii: "\\")) }) else {
      return nil
    }
    let file = root + "/" + (parts.isEmpty ? "index.html" : parts.joined(separator: "/"))
    guard let real = FileStatus.realPath(file), real.starts(withBytesOf: root + "/"),
      let dot = real.utf8.lastIndex(of: UInt8(ascii: "."))
    else { return nil }
    let ext = String(real[real.utf8.index(after: dot)...])
    guard Self.types[ext] != nil, FileStatus(of: real)?.kind == .file else { return nil }
    return (real, ext)
  }

  private func load(_ path: String, compressible: Bool) throws -> File {
    guard let status = FileStatus(of: path), status.size <= Self.largest else {
      throw AppError(.routeNotFound)
    }
    if let known = cache.withLock({ $0[path] }), known.status == status { return known }
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    let small = compressible && status.size > 1200 ? try Gzip.compress(bytes, level: 9) : nil
    let file = File(
      status: status, tag: String(ContentHash.of(bytes).prefix(20)), bytes: bytes,
      compressed: small.flatMap { $0.count < bytes.count ? $0 : nil })
    cache.withLock { $0[path] = file }
    return file
  }

  /// Only our own files and our own media; WebAssembly may be compiled; nobody may put the page into a frame.
  private static func policy(_ mediaOrigin: String?, _ uploadOrigin: String?) -> String {
    let media = mediaOrigin.map { " \($0)" } ?? ""
    let both = Set([mediaOrigin, uploadOrigin].compactMap(\.self)).sorted().map { " \($0)" }.joined()
    return [
      "default-src 'self'", "script-src 'self' 'wasm-unsafe-eval'", "img-src 'self' data: blob:\(media)",
      "media-src 'self' blob:\(media)", "connect-src 'self'\(both)", "style-src 'self'", "worker-src 'self'",
      "frame-ancestors 'none'", "base-uri 'none'", "form-action 'none'", "object-src 'none'",
    ].joined(separator: "; ")
  }

  private static let types = [
    "html": "text/html; charset=utf-8", "js": "text/javascript; charset=utf-8",
    "css": "text/css; charset=utf-8", "wasm": "application/wasm", "svg": "image/svg+xml", "png": "image/png",
    "ico": "image/x-icon", "woff2": "font/woff2", "webmanifest": "application/manifest+json",
    "json": "application/json; charset=utf-8", "txt": "text/plain; charset=utf-8",
  ]
}

extension HTTPField.Name {
  public static let referrerPolicy = HTTPField.Name("Referrer-Policy")!
}

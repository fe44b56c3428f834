internal import FlyingFox
internal import Foundation
internal import MediaStore

/// Answers one request for something of a load: `/SECRET/LOAD/index.m3u8`, `media.m3u8`, `captions/N.m3u8`,
/// `captions/N.vtt`, `init/N.mp4` or `segment/N.m4s`. Anything else is not there.
struct ProxyHandler: HTTPHandler {
  /// More than one socket takes at once is of no use.
  private static let bufferSize = 64 * 1024

  let secret: String
  let table: LoadTable
  let counts: ProxyCounts
  let disk: DiskStore?
  let onStale: @Sendable (Int) -> Void

  func handleRequest(_ request: HTTPRequest) async throws -> HTTPResponse {
    let missing = HTTPResponse(statusCode: .notFound)
    guard isAddressedHere(request) else { return missing }
    let path = request.path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    guard path.count >= 3, path.count <= 4, isSecret(path[1]), let load = Int(path[2]),
      table.clip(load) != nil
    else { return missing }
    guard request.method == .GET || request.method == .HEAD else {
      let headers: HTTPHeaders = [HTTPHeader("Allow"): "GET, HEAD"]
      return HTTPResponse(statusCode: .methodNotAllowed, headers: headers)
    }
    counts.countRequest()
    switch (path[3], path.count == 4 ? path[4] : "") {
    case ("index.m3u8", ""):
      guard let (first, clip) = await table.known(load) else { return missing }
      return playlist(Playlist.main(clip, first: first), request)
    case ("media.m3u8", ""):
      guard let (_, clip) = await table.known(load) else { return missing }
      return playlist(Playlist.media(clip), request)
    case ("captions", let name): return await captions(load, name, request) ?? missing
    case ("init", let name): return try await media(load, name, ".mp4", request) ?? missing
    case ("segment", let name): return try await media(load, name, ".m4s", request) ?? missing
    default: return missing
    }
  }

  /// A page in a browser of this device could have a name of its own lead here.
  private func isAddressedHere(_ request: HTTPRequest) -> Bool {
    guard let host = request.headers[.host]?.split(separator: ":").first else { return false }
    return host == "127.0.0.1" || host == "localhost"
  }

  /// In a time that tells nothing of how much of it was right.
  private func isSecret(_ text: Substring) -> Bool {
    let (one, other) = (Array(text.utf8), Array(secret.utf8))
    guard one.count == other.count else { return false }
    return zip(one, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }

  private func playlist(_ text: String, _ request: HTTPRequest) -> HTTPResponse {
    file(Data(text.utf8), Playlist.contentType, request)
  }

  private func file(_ body: Data, _ type: String, _ request: HTTPRequest) -> HTTPResponse {
    let headers: HTTPHeaders = [
      .contentType: type, .cacheControl: "no-store", .contentLength: "\(body.count)",
    ]
    return HTTPResponse(statusCode: .ok, headers: headers, body: request.method == .HEAD ? Data() : body)
  }

  /// The playlist of a language, or its file if the disk has it; `nil`: there is none.
  private func captions(_ load: Int, _ name: Substring, _ request: HTTPRequest) async -> HTTPResponse? {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, name.utf8.count <= 12, let index = Int(parts[0]), let clip = table.clip(load),
      clip.captions.indices.contains(index)
    else { return nil }
    // NB: read for the playlist too, so that it never names a file whose bytes turn out to be wrong.
    let bytes = await disk?.file(clip.captions[index].file, of: clip.diskName)
    switch parts[1] {
    case "m3u8": return playlist(Playlist.captions(clip, index, isHere: bytes != nil), request)
    case "vtt": return bytes.map { file($0, "text/vtt; charset=utf-8", request) }
    default: return nil
    }
  }

  /// `nil`: there is no such segment, or not any more.
  private func media(
    _ load: Int, _ name: Substring, _ ending: String, _ request: HTTPRequest
  ) async throws -> HTTPResponse? {
    guard name.hasSuffix(ending), name.utf8.count <= 12, let segment = Int32(name.dropLast(ending.count)),
      let clip = table.clip(load), (0..<clip.segmentCount).contains(segment)
    else { return nil }
    let wasThere = table.memory.best(clip.item, segment) != nil
    let isInitialization = ending == ".mp4"
    let wasComing = table.memory.choice(clip.item, segment) != nil
    guard let rendition = await table.rendition(load, segment) else { return nil }
    let key = SegmentKey(
      item: clip.item, rendition: rendition,
      segment: isInitialization ? SegmentKey.initialization : segment)
    guard let size = clip.size(key) else { return nil }
    if !isInitialization { counts.count(stored: wasThere, coming: wasComing) }
    var headers: HTTPHeaders = [
      .contentType: "video/mp4", .acceptRanges: "bytes", .cacheControl: "no-store",
    ]
    let range: Range<Int>
    switch ByteRequest(request.headers[.range], size: size) {
    case .unsatisfiable:
      headers[.contentRange] = "bytes */\(size)"
      return HTTPResponse(
        statusCode: HTTPStatusCode(416, phrase: "Range Not Satisfiable"), headers: headers)
    case .whole: range = 0..<size
    case .part(let part):
      range = part
      headers[.contentRange] = "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(size)"
    }
    let status: HTTPStatusCode = headers[.contentRange] == nil ? .ok : .partialContent
    if request.method == .HEAD {
      headers[.contentLength] = "\(range.count)"
      return HTTPResponse(statusCode: status, headers: headers)
    }
    let counts = counts
    let body = SegmentBody(
      table: table, load: load, key: key, range: range, onStale: onStale,
      onServed: { counts.countServed(ServedSegment(load: load, key: key, bytes: range.count)) })
    return HTTPResponse(
      statusCode: status, headers: headers,
      body: HTTPBodySequence(from: body, count: range.count, suggestedBufferSize: Self.bufferSize))
  }
}

import Contract
import FlyingFox
import FlyingSocks
import Foundation
import Playback
import Synchronization

/// Passes a plain player's requests on to the server, over the same link as a host's. `/LOAD/…` is `/…`
/// there.
///
/// What a load has got once it gets again from here, since a player that loops keeps what it has buffered,
/// and the programs that play here do not.
@MainActor final class Relay {
  /// A range of a file that a player has got whole.
  struct Served: Sendable {
    let load: Int
    let path: String
    let range: Range<Int>
  }

  let ledger = Ledger()
  private let handler: RelayHandler
  private var server: HTTPServer?
  private var run: Task<Void, any Error>?
  private(set) var port: UInt16 = 0

  init(_ transport: HTTPTransport, base: URL, link: Link, served: @escaping @Sendable (Served) -> Void) {
    handler = RelayHandler(
      base: base, transport: transport,
      media: ShapedTransport(base: transport, link: link, ledger: ledger), link: link, served: served)
  }

  /// Playlists and what else came whole: how many, and their bytes.
  var texts: (count: Int, bytes: Int) { handler.texts.withLock { $0 } }

  /// The player has another clip: its buffer is empty.
  func forget(_ load: Int) { handler.held.withLock { _ = $0.removeValue(forKey: load) } }

  func start() async throws {
    let server = HTTPServer(
      address: try .inet(ip4: "127.0.0.1", port: 0), timeout: 300, logger: .disabled, handler: handler)
    run = Task { try await server.run() }
    try await server.waitUntilListening()
    guard case .ip4(_, let port) = await server.listeningAddress else { throw SocketError.disconnected }
    self.server = server
    self.port = port
  }

  func stop() async {
    await server?.stop(timeout: 0)
    _ = await run?.result
  }

  /// Where a player finds a playlist of the server.
  func address(of target: String, load: Int) -> URL {
    let url = URL(string: target, relativeTo: handler.base)?.absoluteURL
    return URL(string: "http://127.0.0.1:\(port)/\(load)\(url?.path ?? "/")")!
  }
}

private final class RelayHandler: HTTPHandler {
  let base: URL
  let transport: HTTPTransport
  let media: ShapedTransport
  let link: Link
  let served: @Sendable (Relay.Served) -> Void
  let texts = Mutex((count: 0, bytes: 0))
  /// By load and request.
  let held = Mutex<[Int: [String: WireResponse]]>([:])

  init(
    base: URL, transport: HTTPTransport, media: ShapedTransport, link: Link,
    served: @escaping @Sendable (Relay.Served) -> Void
  ) {
    self.base = base
    self.transport = transport
    self.media = media
    self.link = link
    self.served = served
  }

  func handleRequest(_ request: HTTPRequest) async throws -> HTTPResponse {
    let parts = request.path.split(separator: "/", maxSplits: 1)
    guard parts.count == 2, let load = Int(parts[0]), let url = URL(string: "/\(parts[1])", relativeTo: base)
    else { return HTTPResponse(statusCode: .notFound) }
    let path = "/\(parts[1])"
    let key = "\(path) \(request.headers[.range] ?? "")"
    if let answer = held.withLock({ $0[load]?[key] }) { return Self.response(answer) }
    guard let range = Self.range(request.headers[.range]) else {
      let answer = try await text(path)
      keep(answer, load, key)
      return Self.response(answer)
    }
    let stream = media.bytes(
      of: RangeRequest(url: url.absoluteURL, offset: range.lowerBound, size: range.count))
    let headers = [
      "content-type": "video/mp4", "accept-ranges": "bytes",
      "content-range": "bytes \(range.lowerBound)-\(range.upperBound - 1)/*",
    ]
    let body = RelayedBody(stream: stream) { [self] bytes in
      keep(WireResponse(status: 206, headers: headers, body: bytes), load, key)
      served(Relay.Served(load: load, path: path, range: range))
    }
    var response = Self.response(WireResponse(status: 206, headers: headers, body: Data()))
    response.headers[.contentLength] = nil
    return HTTPResponse(
      statusCode: response.statusCode, headers: response.headers,
      body: HTTPBodySequence(from: body, count: range.count, suggestedBufferSize: 64 * 1024))
  }

  private func keep(_ answer: WireResponse, _ load: Int, _ key: String) {
    if answer.status < 300 { held.withLock { $0[load, default: [:]][key] = answer } }
  }

  /// What comes whole: a playlist.
  private func text(_ target: String) async throws -> WireResponse {
    try await link.roundTrip()
    let answer = try await transport.send(WireRequest("GET", target))
    try await link.receive(answer.body.count)
    texts.withLock { texts in
      texts.count += 1
      texts.bytes += answer.body.count
    }
    return answer
  }

  private static func response(_ answer: WireResponse) -> HTTPResponse {
    var headers: HTTPHeaders = [.contentLength: "\(answer.body.count)"]
    for name in ["content-type", "content-range", "accept-ranges"] {
      headers[HTTPHeader(name)] = answer.headers[name]
    }
    return HTTPResponse(
      statusCode: HTTPStatusCode(answer.status, phrase: ""), headers: headers, body: answer.body)
  }

  private static func range(_ header: String?) -> Range<Int>? {
    guard let found = header?.wholeMatch(of: /bytes=([0-9]+)-([0-9]+)/), let first = Int(found.1),
      let last = Int(found.2), first <= last, last < 1 << 40
    else { return nil }
    return first..<last + 1
  }
}

/// Bytes as they come over the link.
private struct RelayedBody: AsyncBufferedSequence {
  typealias Element = UInt8

  let stream: AsyncThrowingStream<Data, any Error>
  let onEnd: @Sendable (Data) -> Void

  func makeAsyncIterator() -> Iterator {
    Iterator(iterator: stream.makeAsyncIterator(), onEnd: onEnd)
  }

  struct Iterator: AsyncBufferedIteratorProtocol {
    var iterator: AsyncThrowingStream<Data, any Error>.Iterator
    let onEnd: @Sendable (Data) -> Void
    var all = Data()

    mutating func next() async throws -> UInt8? { try await nextBuffer(suggested: 1)?.first }

    mutating func nextBuffer(suggested count: Int) async throws -> Data? {
      guard let next = try await iterator.next() else {
        onEnd(all)
        return nil
      }
      all += next
      return next
    }
  }
}

internal import FlyingFox
internal import FlyingSocks
internal import Foundation
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// HTTP/1.1 on a listening socket, as much of it as players of this device need: one request after the other
/// on a connection, and none with a body.
///
/// Every app of the device may connect, and FlyingFox's own server reads a head of any length from any number
/// of connections. So its sockets, requests and answers are used here, with limits around them. It refuses to
/// know what is asked for: who was ever answered by anything but a 404 knows the secret, all others are
/// strangers.
struct HTTPConnections: Sendable {
  /// Beyond these the stranger that came first goes. A player's first request follows its connection at once.
  static let mostStrangers = 16
  /// What a player sends is under a kilobyte.
  static let mostHeadBytes = 8 * 1_024
  private static let patience = Duration.seconds(300)

  let handler: any HTTPHandler
  private let strangers = Strangers()

  init(handler: any HTTPHandler) { self.handler = handler }

  /// Serves whoever connects, until the listener is closed or the task cancelled.
  func serve(_ listener: AsyncSocket) async throws {
    try await withThrowingDiscardingTaskGroup { group in
      for try await socket in listener.sockets {
        strangers.enter(socket)
        group.addTask {
          try? await answer(socket)
          strangers.leave(socket)
          try? socket.close()
        }
      }
      group.cancelAll()
    }
  }

  /// Ends with the connection, or with the first thing on it that is no request.
  private func answer(_ socket: AsyncSocket) async throws {
    var rest = Data()
    while let head = try await Self.head(socket, &rest) {
      guard let request = Self.request(head) else {
        return try await send(HTTPResponse(statusCode: .badRequest), keepsAlive: false, to: socket)
      }
      let response = try await response(to: request)
      if response.statusCode != .notFound { strangers.leave(socket) }
      let keepsAlive = Self.keepsAlive(request)
      try await send(response, keepsAlive: keepsAlive, to: socket)
      if !keepsAlive { return }
    }
  }

  /// A segment may be as long in coming as a link is dead; a player that went away leaves a request that
  /// waits no longer than this.
  private func response(to request: HTTPRequest) async throws -> HTTPResponse {
    try await withThrowingTaskGroup(of: HTTPResponse?.self) { group in
      defer { group.cancelAll() }
      group.addTask { try await handler.handleRequest(request) }
      group.addTask {
        try await Task.sleep(for: Self.patience)
        return nil
      }
      return try await (group.next() ?? nil) ?? HTTPResponse(statusCode: .serviceUnavailable)
    }
  }

  /// The next head, without its empty line; `nil` for one that is too long.
  private static func head(_ socket: AsyncSocket, _ rest: inout Data) async throws -> Data? {
    while true {
      if let end = rest.range(of: Data("\r\n\r\n".utf8)) {
        let head = Data(rest[..<end.lowerBound])
        rest = Data(rest[end.upperBound...])
        return head
      }
      guard rest.count < mostHeadBytes else { return nil }
      rest += try await socket.read(atMost: mostHeadBytes - rest.count)
    }
  }

  static func request(_ head: Data) -> HTTPRequest? {
    var lines = String(decoding: head, as: UTF8.self).unicodeScalars.split(separator: "\n").map { line in
      String(String.UnicodeScalarView(line)).trimmingCharacters(in: .whitespaces.union(["\r"]))
    }
    guard !lines.isEmpty else { return nil }
    let words = lines.removeFirst().split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 3, words[1].hasPrefix("/"), words[2] == "HTTP/1.1" || words[2] == "HTTP/1.0" else {
      return nil
    }
    var headers = HTTPHeaders()
    for line in lines {
      let sides = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      guard sides.count == 2, !sides[0].isEmpty else { return nil }
      headers[HTTPHeader(String(sides[0]))] = sides[1].trimmingCharacters(in: .whitespaces)
    }
    // A body would be read as the next request.
    guard (headers[.contentLength] ?? "0") == "0", headers[.transferEncoding] == nil else { return nil }
    return HTTPRequest(
      method: HTTPMethod(String(words[0])), version: HTTPVersion(String(words[2])),
      path: String(words[1]), query: [], headers: headers, body: HTTPBodySequence())
  }

  private static func keepsAlive(_ request: HTTPRequest) -> Bool {
    let wish = request.headers[.connection]?.lowercased()
    return request.version == .http11 ? wish != "close" : wish == "keep-alive"
  }

  private func send(_ response: HTTPResponse, keepsAlive: Bool, to socket: AsyncSocket) async throws {
    guard case .httpBody(let body) = response.payload else { return }
    var headers = response.headers
    if headers[.contentLength] == nil { headers[.contentLength] = "\(body.count ?? 0)" }
    headers[.connection] = keepsAlive ? "keep-alive" : "close"
    let status = "HTTP/1.1 \(response.statusCode.code) \(response.statusCode.phrase)"
    let lines = [status] + headers.keys.map { "\($0.rawValue): \(headers[$0] ?? "")" }
    try await socket.write(Data((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8))
    for try await chunk in body { try await socket.write(chunk) }
  }
}

/// Connections on which nobody has asked for anything that is there, the oldest first.
private final class Strangers: Sendable {
  private let files = Mutex<[Int32]>([])

  func enter(_ socket: AsyncSocket) {
    let oldest = files.withLock { files -> Int32? in
      files.append(socket.socket.file.rawValue)
      return files.count > HTTPConnections.mostStrangers ? files.removeFirst() : nil
    }
    // NB: not closed, which would leave whoever waits for it waiting for ever.
    if let oldest { shutdown(oldest, Int32(SHUT_RDWR)) }
  }

  func leave(_ socket: AsyncSocket) { files.withLock { $0.removeAll { $0 == socket.socket.file.rawValue } } }
}

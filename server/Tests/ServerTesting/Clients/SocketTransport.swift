import Contract
import Foundation

/// HTTP over a plain socket, one connection per request: what is sent and what comes back is exactly what is
/// on the wire, with nothing tidied up, decoded or retried in between.
struct SocketTransport: Transport {
  let port: Int

  struct Failure: Error {
    let step: String
    let code: Int32
  }

  func send(_ request: WireRequest) async throws -> WireResponse {
    try await sendAll(request, cutAfter: nil).last.orThrow()
  }

  /// Every response that came, the interim ones too. `cutAfter`: the connection is closed behind so many
  /// bytes of the body, and nothing is waited for.
  func sendAll(_ request: WireRequest, cutAfter: Int?) async throws -> [WireResponse] {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread { continuation.resume(with: Result { try exchange(request, cutAfter) }) }
    }
  }

  /// Seconds that a read waits: as long as `eventually`, since a machine that is busy with all tests is no
  /// fault.
  private static let patience = 120

  /// A descriptor of a connection to this machine.
  static func connect(to port: Int) throws -> Int32 {
    let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard socket >= 0 else { throw Failure(step: "socket", code: errno) }
    var timeout = timeval(tv_sec: Self.patience, tv_usec: 0)
    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let connected = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard connected == 0 else {
      close(socket)
      throw Failure(step: "connect", code: errno)
    }
    return socket
  }

  private func exchange(_ request: WireRequest, _ cutAfter: Int?) throws -> [WireResponse] {
    let socket = try Self.connect(to: port)
    defer { close(socket) }

    var lines = ["\(request.method) \(request.target) HTTP/1.1", "Host: 127.0.0.1", "Connection: close"]
    lines += request.headers.map { "\($0.key): \($0.value)" }
    if let body = request.body { lines.append("Content-Length: \(body.count)") }
    let body = (request.body ?? Data()).prefix(cutAfter ?? .max)
    let bytes = Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { throw Failure(step: "send", code: errno) }
      sent += count
    }
    // Half of the connection: what was sent still arrives.
    if cutAfter != nil { shutdown(socket, Int32(SHUT_WR)) }
    var answer = Data()
    var buffer = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = recv(socket, &buffer, buffer.count, 0)
      guard count >= 0 else { throw Failure(step: "receive", code: errno) }
      guard count > 0 else { break }
      answer.append(contentsOf: buffer[..<count])
      // A stream of events does not end: its head is the answer.
      if let head = answer.range(of: Data("\r\n\r\n".utf8)),
        answer[..<head.lowerBound].range(of: Data("text/event-stream".utf8)) != nil
      {
        break
      }
    }
    return try parseAll(answer)
  }

  private func parseAll(_ answer: Data) throws -> [WireResponse] {
    guard !answer.isEmpty else { return [] }
    let first = try parse(answer)
    return [first] + (first.status < 200 ? try parseAll(first.body) : [])
  }

  private func parse(_ answer: Data) throws -> WireResponse {
    guard let end = answer.range(of: Data("\r\n\r\n".utf8)) else { throw Failure(step: "parse", code: 0) }
    let lines = String(decoding: answer[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
    let status = lines[0].split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":") else { continue }
      let name = line[..<colon].lowercased()
      let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
      // Several cookies may be set at once; here each is a line.
      headers[name] = name == "set-cookie" ? headers[name].map { $0 + "\n" + value } ?? value : value
    }
    return WireResponse(status: status, headers: headers, body: Data(answer[end.upperBound...]))
  }
}

extension Optional {
  func orThrow() throws -> Wrapped {
    guard let self else { throw SocketTransport.Failure(step: "answer", code: 0) }
    return self
  }
}

import Foundation
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A server that misbehaves: it answers each connection once, with whatever bytes, and closes it or says
/// nothing more.
final class StubServer: Sendable {
  struct Answer: Sendable {
    var bytes: Data
    var isLast = true

    init(_ bytes: Data, isLast: Bool = true) { (self.bytes, self.isLast) = (bytes, isLast) }

    /// `length`: what the head says, when that is not the truth.
    init(
      _ status: String, _ headers: [String] = [], _ body: Data, length: Int? = nil, isLast: Bool = true
    ) {
      let lines = ["HTTP/1.1 \(status)", "Connection: close", "Content-Length: \(length ?? body.count)"]
      self.init(Data(((lines + headers).joined(separator: "\r\n") + "\r\n\r\n").utf8) + body, isLast: isLast)
    }
  }

  let port: UInt16
  private let listener: Int32
  /// Connections that are kept waiting.
  private let held = Mutex<[Int32]>([])
  private let asked = Mutex<[String]>([])

  var heads: [String] { asked.withLock { $0 } }
  var url: URL { URL(string: "http://127.0.0.1:\(port)/")! }

  init(_ answer: @escaping @Sendable (String) -> Answer) {
    #if canImport(Glibc)
      listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      listener = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let listener = listener
    withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        _ = bind(listener, $0, size)
        _ = listen(listener, 64)
        _ = getsockname(listener, $0, &size)
      }
    }
    port = UInt16(bigEndian: address.sin_port)
    Thread.detachNewThread { [self] in
      while case let connection = accept(listener, nil, nil), connection >= 0 { serve(connection, answer) }
      // NB: closed by who accepts. Its number may be another's by the time that this thread comes to it.
      close(listener)
    }
  }

  /// Nobody listens any more.
  func stop() {
    shutdown(listener, Int32(SHUT_RDWR))
    for connection in held.withLock({ $0 }) { close(connection) }
  }

  private func serve(_ connection: Int32, _ answer: (String) -> Answer) {
    var head = Data()
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while !head.contains(Data("\r\n\r\n".utf8)) {
      let count = recv(connection, &buffer, buffer.count, 0)
      guard count > 0 else { return _ = close(connection) }
      head += buffer.prefix(count)
    }
    let text = String(decoding: head, as: UTF8.self)
    asked.withLock { $0.append(text) }
    let answer = answer(text)
    #if canImport(Glibc)
      let flags = Int32(MSG_NOSIGNAL)
    #else
      let flags: Int32 = 0
      var yes: Int32 = 1
      setsockopt(connection, SOL_SOCKET, SO_NOSIGPIPE, &yes, socklen_t(MemoryLayout<Int32>.size))
    #endif
    answer.bytes.withUnsafeBytes { _ = send(connection, $0.baseAddress, $0.count, flags) }
    if answer.isLast { close(connection) } else { held.withLock { $0.append(connection) } }
  }
}

extension Data {
  fileprivate func contains(_ other: Data) -> Bool { range(of: other) != nil }
}

/// The range that a request's head asks for.
func askedRange(_ head: String) -> Range<Int>? {
  guard let found = head.firstMatch(of: /(?i)range: bytes=([0-9]+)-([0-9]+)/), let first = Int(found.1),
    let last = Int(found.2)
  else { return nil }
  return first..<last + 1
}

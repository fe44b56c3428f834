import Foundation

/// A connection that stays open, to say things bit by bit. It reads on threads of its own: a test that held
/// one of the few that tasks share would hold up the server that it waits for.
final class OpenSocket: @unchecked Sendable {
  private let socket: Int32
  private var unread = Data()

  init(port: Int) throws {
    socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var timeout = timeval(tv_sec: 120, tv_usec: 0)
    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let status = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard status == 0 else {
      close(socket)
      throw SocketTransport.Failure(step: "connect", code: errno)
    }
  }

  deinit { close(socket) }

  func send(_ text: String) throws {
    let bytes = Array(text.utf8)
    guard Glibc.send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
      throw SocketTransport.Failure(step: "send", code: errno)
    }
  }

  /// What has come up to and with this text; nil if the connection ended before.
  func read(through text: String) async throws -> String? {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread { [self] in continuation.resume(with: Result { try readNow(through: text) }) }
    }
  }

  private func readNow(through text: String) throws -> String? {
    let mark = Data(text.utf8)
    var buffer = [UInt8](repeating: 0, count: 65536)
    while true {
      if let found = unread.range(of: mark) {
        defer { unread = Data(unread[found.upperBound...]) }
        return String(decoding: unread[..<found.upperBound], as: UTF8.self)
      }
      let count = recv(socket, &buffer, buffer.count, 0)
      guard count >= 0 else { throw SocketTransport.Failure(step: "receive", code: errno) }
      guard count > 0 else { return nil }
      unread.append(contentsOf: buffer[..<count])
    }
  }

  /// The rest, once the other side has closed.
  func readToEnd() async throws -> String {
    _ = try await read(through: "\u{0}never")
    return String(decoding: unread, as: UTF8.self)
  }
}

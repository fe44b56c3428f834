import Contract
import Foundation
import Platform
import Synchronization

/// A server on loopback that takes one request a connection and answers with the next text, whatever was
/// asked; an empty text closes the connection.
final class ScriptedServer: Sendable {
  let port: Int
  private let listener: Int32
  private let heard = Mutex<[String]>([])

  /// The heads of the requests so far, names of headers as they came.
  var requests: [String] { heard.withLock { $0 } }

  init(_ answers: [String]) throws {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    self.listener = listener
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let bound = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, length) == 0 && listen(listener, 16) == 0
          && getsockname(listener, $0, &length) == 0
      }
    }
    guard bound else { throw AppError(.internalError, "no port: \(errno)") }
    port = Int(UInt16(bigEndian: address.sin_port))
    Thread.detachNewThread { [weak self] in
      for answer in answers {
        let connection = accept(listener, nil, nil)
        guard connection >= 0 else { return }
        let head = Self.request(connection)
        self?.heard.withLock { $0.append(head) }
        let bytes = Array(answer.utf8)
        send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL))
        close(connection)
      }
    }
  }

  deinit {
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
  }

  /// Reads a request to its end, so that closing the connection does not reset it.
  private static func request(_ connection: Int32) -> String {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65536)
    while true {
      let text = String(decoding: bytes, as: UTF8.self)
      if let end = text.range(of: "\r\n\r\n") {
        let head = String(text[..<end.lowerBound])
        let length = head.lowercased().components(separatedBy: "content-length: ").dropFirst().first
          .flatMap { Int($0.prefix { $0.isNumber }) }
        if text[end.upperBound...].utf8.count >= length ?? 0 { return head }
      }
      let count = recv(connection, &buffer, buffer.count, 0)
      guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
      bytes += buffer[..<count]
    }
  }
}

import Contract
import Foundation
import Platform
import Synchronization

/// A server on loopback that takes one request a connection and answers with the next text, whatever was
/// asked; an empty text closes the connection. A connection on which nothing is asked costs no answer: a client
/// that has to wait for the processor gives one up and opens another.
final class ScriptedServer: Sendable {
  var port: Int { listener.port }
  private let listener: ListeningSocket
  private let heard = Mutex<[String]>([])

  /// The heads of the requests so far, names of headers as they came.
  var requests: [String] { heard.withLock { $0 } }

  init(_ answers: [String]) throws {
    let listener = try ListeningSocket(backlog: 16)
    self.listener = listener
    Thread.detachNewThread { [weak self] in
      for answer in answers {
        guard let (connection, head) = Self.nextRequest(at: listener) else { return }
        self?.heard.withLock { $0.append(head) }
        let bytes = Array(answer.utf8)
        send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL))
        close(connection)
      }
    }
  }

  deinit { listener.end() }

  /// Nil once nobody listens any more.
  private static func nextRequest(at listener: ListeningSocket) -> (connection: Int32, head: String)? {
    while let connection = listener.next() {
      let head = request(connection)
      if !head.isEmpty { return (connection, head) }
      close(connection)
    }
    return nil
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

import Crypto
import Foundation
import Platform

/// An endpoint of webhooks on loopback: it looks at what comes as Standard Webhooks says, with code of its
/// own, and answers as the test wants.
final class WebhookReceiver: Sendable {
  struct Message: Sendable {
    var id: String
    var timestamp: Int64
    var signatures: [String]
    var headers: [String: String]
    var body: Data

    var object: [String: Any] {
      (try? JSONSerialization.jsonObject(with: body)) as? [String: Any] ?? [:]
    }

    var type: String? { object["type"] as? String }
    var data: [String: String] { object["data"] as? [String: String] ?? [:] }

    /// Whether one of its signatures is by this secret.
    func isSigned(by secret: String) -> Bool {
      guard secret.hasPrefix("whsec_"), let key = Data(base64Encoded: String(secret.dropFirst(6))) else {
        return false
      }
      let signed = Data("\(id).\(timestamp).".utf8) + body
      let code = HMAC<SHA256>.authenticationCode(for: signed, using: SymmetricKey(data: key))
      return signatures.contains("v1," + Data(code).base64EncodedString())
    }
  }

  struct Answer: Sendable {
    var status = 204
    var headers: [String: String] = [:]
    /// Bytes of a body, of which no end is said.
    var body = ""
    /// Nothing ever comes.
    var isSilent = false
  }

  typealias Script = @Sendable (_ number: Int) -> Answer

  private let listener: ListeningSocket
  private let script: Script
  private let kept = Shared<[Message]>([])

  var messages: [Message] { kept.with { $0 } }
  var address: String { "http://127.0.0.1:\(listener.port)/hook?of=mine" }

  /// `script`: by the number of the message, from 0.
  init(script: @escaping Script = { _ in Answer() }) throws {
    self.script = script
    let listener = try ListeningSocket(backlog: 64)
    self.listener = listener
    Thread.detachNewThread { [weak self] in
      while let connection = listener.next() {
        guard let receiver = self else {
          close(connection)
          return
        }
        Thread.detachNewThread { receiver.serve(connection) }
      }
    }
  }

  deinit { listener.end() }

  private func serve(_ connection: Int32) {
    defer { close(connection) }
    guard let message = Self.message(connection) else { return }
    let number = kept.with { kept in
      kept.append(message)
      return kept.count - 1
    }
    let answer = script(number)
    if answer.isSilent {
      // Until whoever asked has had enough.
      var byte: UInt8 = 0
      while recv(connection, &byte, 1, 0) > 0 {}
      return
    }
    var text = "HTTP/1.1 \(answer.status) X\r\nconnection: close\r\n"
    if answer.body.isEmpty, answer.status != 204 { text += "content-length: 0\r\n" }
    for (name, value) in answer.headers { text += "\(name): \(value)\r\n" }
    let bytes = Array((text + "\r\n" + answer.body).utf8)
    send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL))
  }

  /// Nil: it is none, or none that is whole.
  private static func message(_ connection: Int32) -> Message? {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      if let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) {
        let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
          .components(separatedBy: "\r\n")
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
          let parts = line.components(separatedBy: ": ")
          headers[parts[0].lowercased()] = parts.dropFirst().joined(separator: ": ")
        }
        let length = headers["content-length"].flatMap { SafeInteger.read($0) } ?? 0
        if bytes.count - end.upperBound >= length {
          guard lines[0] == "POST /hook?of=mine HTTP/1.1", headers["content-type"] == "application/json",
            let id = headers["webhook-id"],
            let timestamp = headers["webhook-timestamp"].flatMap({ SafeInteger.read($0) }),
            let signatures = headers["webhook-signature"]
          else { return nil }
          return Message(
            id: id, timestamp: Int64(timestamp), signatures: signatures.components(separatedBy: " "),
            headers: headers, body: Data(bytes[end.upperBound...]))
        }
      }
      let count = recv(connection, &buffer, buffer.count, 0)
      guard count > 0 else { return nil }
      bytes += buffer[..<count]
    }
  }
}

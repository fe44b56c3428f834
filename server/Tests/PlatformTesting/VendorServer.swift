import Foundation

/// A server on loopback in the place of a vendor's, one request a connection. It reads what is asked to its
/// end, and answers in every way in which others do, wrong ones included. What is right is for whoever makes
/// the answers.
final class VendorServer: Sendable {
  struct Request: Sendable {
    var method = ""
    /// As it came, without its query.
    var path = ""
    var query: [String: String] = [:]
    /// By names in lower case.
    var headers: [String: String] = [:]
    var body: [UInt8] = []

    var object: [String: Any]? {
      (try? JSONSerialization.jsonObject(with: Data(body))) as? [String: Any]
    }
  }

  enum Answer: Sendable {
    case text(String, status: Int = 200, type: String = "application/json", headers: [String: String] = [:])
    case bytes([UInt8], type: String = "video/mp4", headers: [String: String] = [:])
    case redirect(String, status: Int = 302)
    /// It ends in the middle of what it promised.
    case cutOff([UInt8], type: String = "video/mp4")
    /// In pieces, of which the last never comes.
    case cutOffPieces([UInt8])
    /// A video that goes on for as long as anybody reads.
    case endless
    /// A good head, and then a byte now and then.
    case trickle(type: String = "application/json")
    case silence
    case hangUp
    /// No HTTP at all.
    case noise

    static let page = Answer.text("<!doctype html><title>Sorry</title>", type: "text/html; charset=utf-8")
  }

  private let listener: ListeningSocket
  /// Of `endless` and `trickle`.
  private let sent = Shared(0)

  var origin: String { "http://127.0.0.1:\(listener.port)" }
  /// The same server, called otherwise.
  var originByName: String { "http://localhost:\(listener.port)" }
  var place: String { "127.0.0.1:\(listener.port)" }
  var sentBytes: Int { sent.with { $0 } }

  init(_ respond: @escaping @Sendable (Request) -> Answer) throws {
    let listener = try ListeningSocket(backlog: 64)
    self.listener = listener
    let sent = sent
    Thread.detachNewThread {
      while let connection = listener.next() {
        Thread.detachNewThread {
          defer { close(connection) }
          guard let request = Self.request(connection) else { return }
          Self.carryOut(respond(request), connection, sent)
        }
      }
    }
  }

  deinit { listener.end() }

  // MARK: Reading

  private static func request(_ connection: Int32) -> Request? {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      if let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) {
        guard var request = head(String(decoding: bytes[..<end.lowerBound], as: UTF8.self)) else {
          return nil
        }
        let length = request.headers["content-length"].flatMap { Int($0, radix: 10) } ?? 0
        while bytes.count - end.upperBound < length {
          let count = recv(connection, &buffer, buffer.count, 0)
          guard count > 0 else { return nil }
          bytes += buffer[..<count]
        }
        request.body = Array(bytes[end.upperBound...])
        return request
      }
      let count = recv(connection, &buffer, buffer.count, 0)
      guard count > 0 else { return nil }
      bytes += buffer[..<count]
    }
  }

  private static func head(_ text: String) -> Request? {
    let lines = text.components(separatedBy: "\r\n")
    let words = lines[0].components(separatedBy: " ")
    guard words.count == 3 else { return nil }
    let target = words[1].components(separatedBy: "?")
    var request = Request(method: words[0], path: target[0])
    for field in target.dropFirst().joined(separator: "?").components(separatedBy: "&") where !field.isEmpty {
      let parts = field.components(separatedBy: "=")
      request.query[parts[0]] = parts.dropFirst().joined(separator: "=").removingPercentEncoding
    }
    for line in lines.dropFirst() {
      let parts = line.components(separatedBy: ": ")
      request.headers[parts[0].lowercased()] = parts.dropFirst().joined(separator: ": ")
    }
    return request
  }

  // MARK: Answering

  private static func carryOut(_ answer: Answer, _ connection: Int32, _ sent: Shared<Int>) {
    switch answer {
    case .text(let text, let status, let type, let headers):
      let body = Array(text.utf8)
      let length = ["content-type": type, "content-length": "\(body.count)"]
      _ = send(head(status, length.merging(headers) { $1 }) + body, connection)
    case .bytes(let body, let type, let headers):
      let length = ["content-type": type, "content-length": "\(body.count)"]
      _ = send(head(200, length.merging(headers) { $1 }) + body, connection)
    case .redirect(let to, let status):
      _ = send(head(status, ["location": to, "content-length": "0"]), connection)
    case .cutOff(let body, let type):
      _ = send(
        head(200, ["content-type": type, "content-length": "\(body.count + 1000)"]) + body, connection)
    case .cutOffPieces(let body):
      _ = send(head(200, ["content-type": "video/mp4", "transfer-encoding": "chunked"]), connection)
      _ = send(piece(body), connection)
    case .endless:
      _ = send(head(200, ["content-type": "video/mp4", "transfer-encoding": "chunked"]), connection)
      let next = piece([UInt8](repeating: 0x55, count: 65_536))
      while send(next, connection) { sent.with { $0 += 65_536 } }
    case .trickle(let type):
      _ = send(head(200, ["content-type": type, "content-length": "1000000"]), connection)
      while send([0x20], connection) {
        sent.with { $0 += 1 }
        usleep(5000)
      }
    case .silence:
      // Until whoever waits has gone.
      var byte: UInt8 = 0
      while recv(connection, &byte, 1, 0) > 0 {}
    case .hangUp: return
    case .noise: _ = send(Array("SSH-2.0-OpenSSH_9.2\r\n".utf8), connection)
    }
  }

  private static func head(_ status: Int, _ headers: [String: String]) -> [UInt8] {
    var text = "HTTP/1.1 \(status) X\r\nconnection: close\r\n"
    for (name, value) in headers { text += "\(name): \(value)\r\n" }
    return Array((text + "\r\n").utf8)
  }

  private static func piece(_ bytes: [UInt8]) -> [UInt8] {
    Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + Array("\r\n".utf8)
  }

  /// False: nobody reads any more.
  private static func send(_ bytes: [UInt8], _ connection: Int32) -> Bool {
    var place = 0
    while place < bytes.count {
      let count = bytes[place...].withUnsafeBytes {
        Foundation.send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      place += count
    }
    return true
  }
}

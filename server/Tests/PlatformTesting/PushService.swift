import Contract
import Crypto
import Foundation
import Platform

/// In the place of a browser and of its push service (RFC 8030), on loopback: it looks at whoever sends by what RFC
/// 8292 says, and reads what came by RFC 8291, each with code of its own. What is right is taken unless
/// `script` says otherwise.
final class PushService: Sendable {
  /// What came, was right, and could be read.
  struct Push: Sendable {
    var path: String
    var headers: [String: String]
    var text: String

    private var json: [String: Any] {
      (try? JSONSerialization.jsonObject(with: Data(text.utf8))) as? [String: Any] ?? [:]
    }
    /// Its texts.
    var object: [String: String] { json.compactMapValues { $0 as? String } }
    /// What stands in the places of its sentence.
    var arguments: [String]? { json["arguments"] as? [String] }
  }

  struct Answer: Sendable {
    var status = 201
    var headers: [String: String] = [:]
    /// Nothing ever comes.
    var isSilent = false
  }

  typealias Script = @Sendable (_ push: Push, _ number: Int) -> Answer

  private struct Subscription: Sendable {
    let key: P256.KeyAgreement.PrivateKey
    let secret: [UInt8]
    /// Who may send to it.
    let server: String
  }

  private struct State {
    var subscriptions: [String: Subscription] = [:]
    var pushes: [Push] = []
    var refusals: [String] = []
    var requests = 0
  }

  private struct Refusal: Error {
    let why: String
    init(_ why: String) { self.why = why }
  }

  private let listener: ListeningSocket
  private let nowMs: @Sendable () -> Int64
  private let script: Script
  private let state = Shared(State())

  var pushes: [Push] { state.with { $0.pushes } }
  var refusals: [String] { state.with { $0.refusals } }
  var origin: String { "http://127.0.0.1:\(listener.port)" }

  init(
    time: any TimeSource = SystemTime(), script: @escaping Script = { _, _ in Answer() }
  ) throws {
    nowMs = { time.nowMs }
    self.script = script
    let listener = try ListeningSocket(backlog: 64)
    self.listener = listener
    Thread.detachNewThread { [weak self] in
      while let connection = listener.next() {
        guard let service = self else {
          close(connection)
          return
        }
        Thread.detachNewThread { service.serve(connection) }
      }
    }
  }

  deinit { listener.end() }

  /// What a browser gives a page that subscribes with that key.
  func subscribe(to server: String) -> NewWebDevice {
    let key = P256.KeyAgreement.PrivateKey()
    let secret = SymmetricKey(size: .bits128).withUnsafeBytes { Array($0) }
    let path = "/push/\(UUID().uuidString)"
    state.with { $0.subscriptions[path] = Subscription(key: key, secret: secret, server: server) }
    return NewWebDevice(
      endpoint: origin + path,
      keys: NewWebDevice.Keys(
        p256dh: Base64URL.text(Array(key.publicKey.x963Representation)), auth: Base64URL.text(secret)),
      locale: "en")
  }

  func unsubscribe(_ device: NewWebDevice) {
    state.with { $0.subscriptions[String(device.endpoint.dropFirst(origin.count))] = nil }
  }

  // MARK: One request

  private func serve(_ connection: Int32) {
    defer { close(connection) }
    guard let (head, body) = Self.request(connection) else { return }
    let answer = self.answer(to: head, body)
    if answer.isSilent {
      sleep(5)
      return
    }
    var text = "HTTP/1.1 \(answer.status) X\r\ncontent-length: 0\r\nconnection: close\r\n"
    for (name, value) in answer.headers { text += "\(name): \(value)\r\n" }
    let bytes = Array((text + "\r\n").utf8)
    send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL))
  }

  private func answer(to head: String, _ body: [UInt8]) -> Answer {
    do {
      let lines = head.components(separatedBy: "\r\n")
      let words = lines[0].components(separatedBy: " ")
      guard words.count == 3, words[0] == "POST" else { throw Refusal("not a POST: \(lines[0])") }
      var headers: [String: String] = [:]
      for line in lines.dropFirst() {
        let parts = line.components(separatedBy: ": ")
        headers[parts[0].lowercased()] = parts.dropFirst().joined(separator: ": ")
      }
      guard let subscription = state.with({ $0.subscriptions[words[1]] }) else { return Answer(status: 410) }
      try check(headers, body, subscription)
      let text = try Self.read(body, subscription.key, subscription.secret)
      let push = Push(path: words[1], headers: headers, text: text)
      let number = state.with { state in
        state.requests += 1
        return state.requests - 1
      }
      let answer = script(push, number)
      if (200...299).contains(answer.status) { state.with { $0.pushes.append(push) } }
      return answer
    } catch let refusal as Refusal {
      state.with { $0.refusals.append(refusal.why) }
      return Answer(status: 400)
    } catch {
      state.with { $0.refusals.append("\(error)") }
      return Answer(status: 400)
    }
  }

  private func check(_ headers: [String: String], _ body: [UInt8], _ subscription: Subscription) throws {
    // RFC 8030, 5.2 to 5.4.
    guard let ttl = headers["ttl"], SafeInteger.read(ttl) != nil else { throw Refusal("ttl") }
    guard ["very-low", "low", "normal", "high"].contains(headers["urgency"] ?? "normal") else {
      throw Refusal("urgency")
    }
    if let topic = headers["topic"] {
      guard topic.wholeMatch(of: /[A-Za-z0-9_-]{1,32}/) != nil else { throw Refusal("topic \(topic)") }
    }
    guard headers["content-encoding"] == "aes128gcm" else { throw Refusal("content-encoding") }
    guard body.count <= 4096 else { throw Refusal("more than 4096 bytes") }
    // RFC 8292.
    guard
      let match = headers["authorization"]?.wholeMatch(
        of: /vapid t=([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+), k=([A-Za-z0-9_-]+)/)
    else { throw Refusal("authorization") }
    let (header, claims, signature, key) = (match.1, match.2, match.3, match.4)
    guard key == subscription.server else { throw Refusal("not who was subscribed to") }
    let publicKey = try P256.Signing.PublicKey(x963Representation: Self.data(key))
    guard
      publicKey.isValidSignature(
        try P256.Signing.ECDSASignature(rawRepresentation: Self.data(signature)),
        for: Data("\(header).\(claims)".utf8))
    else { throw Refusal("signature") }
    guard try Self.object(header)["alg"] as? String == "ES256" else { throw Refusal("alg") }
    let said = try Self.object(claims)
    guard said["aud"] as? String == origin else { throw Refusal("aud \(said)") }
    let seconds = Double(nowMs()) / 1000
    guard let end = said["exp"] as? Double, end > seconds, end <= seconds + 86_400 else {
      throw Refusal("exp \(said)")
    }
    guard let contact = said["sub"] as? String, contact.hasPrefix("mailto:") || contact.hasPrefix("https:")
    else { throw Refusal("sub") }
  }

  private static func data(_ text: some StringProtocol) throws -> Data {
    var text = text.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
    while text.utf8.count % 4 != 0 { text += "=" }
    guard let data = Data(base64Encoded: text) else { throw Refusal("base64url") }
    return data
  }

  private static func object(_ text: some StringProtocol) throws -> [String: Any] {
    try JSONSerialization.jsonObject(with: data(text)) as? [String: Any] ?? [:]
  }

  /// What a browser reads of it (RFC 8291, 3.4, and RFC 8188, 2).
  static func read(_ body: [UInt8], _ key: P256.KeyAgreement.PrivateKey, _ secret: [UInt8]) throws -> String {
    guard body.count > 21 + 65 + 16 else { throw Refusal("too short") }
    let salt = Data(body[0..<16])
    let size = body[16..<20].reduce(0) { $0 << 8 | Int($1) }
    guard body[20] == 65, size >= body.count - 86 else { throw Refusal("header of the body") }
    let sender = try P256.KeyAgreement.PublicKey(x963Representation: body[21..<86])
    let shared = try key.sharedSecretFromKeyAgreement(with: sender).withUnsafeBytes { Data($0) }
    func mac(_ key: Data, _ message: Data) -> Data {
      Data(HMAC<SHA256>.authenticationCode(for: message, using: SymmetricKey(data: key)))
    }
    let info =
      Data("WebPush: info\0".utf8) + key.publicKey.x963Representation + sender.x963Representation + [1]
    let material = mac(mac(Data(secret), shared), info)
    let extracted = mac(salt, material)
    let content = mac(extracted, Data("Content-Encoding: aes128gcm\0".utf8) + [1]).prefix(16)
    let nonce = mac(extracted, Data("Content-Encoding: nonce\0".utf8) + [1]).prefix(12)
    let record = body[86...]
    let box = try AES.GCM.SealedBox(
      nonce: AES.GCM.Nonce(data: nonce), ciphertext: record.dropLast(16), tag: record.suffix(16))
    var text = try AES.GCM.open(box, using: SymmetricKey(data: content))
    while text.last == 0 { text.removeLast() }
    guard text.popLast() == 2 else { throw Refusal("not the last record") }
    return String(decoding: text, as: UTF8.self)
  }

  private static func request(_ connection: Int32) -> (head: String, body: [UInt8])? {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      if let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) {
        let head = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
        let length =
          head.lowercased().components(separatedBy: "content-length: ").dropFirst().first
          .flatMap { Int($0.prefix { $0.isNumber }) } ?? 0
        if bytes.count - end.upperBound >= length { return (head, Array(bytes[end.upperBound...])) }
      }
      let count = recv(connection, &buffer, buffer.count, 0)
      guard count > 0 else { return nil }
      bytes += buffer[..<count]
    }
  }
}

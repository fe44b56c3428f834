internal import Contract
internal import Foundation
internal import JWTKit
internal import Platform

/// What an identity token says (OpenID Connect Core 1.0, 2), and whether it may be believed (3.1.3.7).
struct IdentityToken: JWTPayload {
  struct Header: Decodable, Sendable {
    var alg: String
    var kid: String?
    /// Extensions that must be understood; we understand none.
    var crit: [String]?
  }

  /// Why it is not believed, for the log.
  struct Distrusted: Error, CustomStringConvertible { let description: String }

  /// Of clocks that are not quite the same.
  static let toleranceMs: Int64 = 60_000
  /// It is made for us at this moment; an old one was meant for something else.
  static let oldestMs: Int64 = 600_000

  var iss: String
  var sub: String
  var aud: [String]
  var azp: String?
  var exp: Double
  var iat: Double
  var authTime: Double?
  var nonce: String?
  var profile: ProfileClaims

  enum CodingKeys: String, CodingKey {
    case iss, sub, aud, azp, exp, iat, nonce
    case authTime = "auth_time"
  }

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    iss = try values.decode(String.self, forKey: .iss)
    sub = try values.decode(String.self, forKey: .sub)
    if let one = try? values.decode(String.self, forKey: .aud) {
      aud = [one]
    } else {
      aud = try values.decode([String].self, forKey: .aud)
    }
    azp = try values.decodeIfPresent(String.self, forKey: .azp)
    exp = try values.decode(Double.self, forKey: .exp)
    iat = try values.decode(Double.self, forKey: .iat)
    authTime = try? values.decodeIfPresent(Double.self, forKey: .authTime)
    nonce = try values.decodeIfPresent(String.self, forKey: .nonce)
    profile = try ProfileClaims(from: decoder)
  }

  func encode(to encoder: any Encoder) throws { throw Distrusted(description: "we make none") }

  /// Claims are checked by `check`, which has a clock.
  func verify(using algorithm: some JWTAlgorithm) async throws {}

  static func header(of token: String) throws -> Header {
    let parts = token.split(atByte: UInt8(ascii: "."), omittingEmpty: false)
    // NB: whoever sends it wrote both parts, and JSON's coder compares the names in them before anybody has
    // looked at the signature.
    guard parts.count == 3, let data = bytes(parts[0]), let claims = bytes(parts[1]),
      ![data, claims].contains(where: { StackedMarks.areTooMany(in: String(decoding: $0, as: UTF8.self)) }),
      let header = try? JSONDecoder().decode(Header.self, from: data)
    else { throw Distrusted(description: "it is no signed token") }
    guard header.crit == nil else { throw Distrusted(description: "it has extensions") }
    guard IssuerKeys.canVerify(header.alg) else {
      throw Distrusted(description: "its algorithm is \(header.alg.prefix(20).debugDescription)")
    }
    return header
  }

  /// `clients`: those that are ours; the first is the one that asks in a browser.
  func check(
    issuer: String, clients: [String], nonces: [String], nowMs: Int64
  ) throws {
    func demand(_ holds: Bool, _ fault: String) throws {
      guard holds else { throw Distrusted(description: fault) }
    }
    try demand(iss == issuer, "it is of another issuer")
    try demand((1...255).contains(sub.utf8.count) && !sub.utf8.contains(0), "its subject is none")
    // Whom else it is for could use it as well.
    try demand(!aud.isEmpty && aud.allSatisfy(clients.contains), "it is for another client")
    try demand(aud.count == 1 || azp != nil, "it is for several clients and does not say by whom it is used")
    try demand(azp.map(clients.contains) ?? true, "it is used by another client")
    let (tolerance, now) = (Double(Self.toleranceMs) / 1000, Double(nowMs) / 1000)
    try demand(exp.isFinite && now < exp + tolerance, "it is over")
    try demand(iat.isFinite && iat <= now + tolerance, "it is of the future")
    try demand(now - iat <= Double(Self.oldestMs) / 1000, "it is too old")
    try demand(nonces.contains(nonce ?? ""), "it answers another question")
  }

  private static func bytes(_ text: Substring) -> Data? {
    let plain = String(text).replacing(byte: UInt8(ascii: "-"), with: "+").replacing(
      byte: UInt8(ascii: "_"), with: "/")
    return Data(base64Encoded: plain + String(repeating: "=", count: (4 - plain.utf8.count % 4) % 4))
  }
}

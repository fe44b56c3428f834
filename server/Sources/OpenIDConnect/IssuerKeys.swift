internal import Foundation
internal import JWTKit

/// The public keys of an issuer (RFC 7517): those of RSA and of the three curves. All others are as if they
/// were not there, above all symmetric ones: whoever knows such a key could sign.
struct IssuerKeys: Sendable {
  struct Key: Sendable {
    fileprivate var jwk: JWK
  }

  fileprivate struct JWK: Decodable, Sendable {
    var kty: String
    var kid: String?
    var use: String?
    var alg: String?
    var n: String?
    var e: String?
    var crv: String?
    var x: String?
    var y: String?
  }

  private static let most = 64
  /// 2048 bits.
  private static let leastModulusBytes = 256
  let all: [Key]

  init(_ data: Data) throws {
    struct Lenient: Decodable {
      let jwk: JWK?
      init(from decoder: any Decoder) { jwk = try? JWK(from: decoder) }
    }
    struct Document: Decodable { var keys: [Lenient] }
    guard let document = try? JSONDecoder().decode(Document.self, from: data) else {
      throw Discovery.Unusable(description: "its keys cannot be read")
    }
    all = document.keys.prefix(Self.most).compactMap(\.jwk)
      .filter { ["RSA", "EC"].contains($0.kty) && ($0.use ?? "sig") == "sig" }.map(Key.init)
    guard !all.isEmpty else { throw Discovery.Unusable(description: "it has no keys that can be used") }
  }

  /// The one that the token names, if it is of the kind that its algorithm needs; without a name the only one
  /// of that kind.
  func key(for header: IdentityToken.Header) -> Key? {
    guard let kind = Self.kinds[header.alg] else { return nil }
    let fitting = all.filter { key in
      key.jwk.kty == kind.kty && (kind.curve == nil || key.jwk.crv == kind.curve)
        && (key.jwk.alg ?? header.alg) == header.alg && (header.kid == nil || key.jwk.kid == header.kid)
    }
    return header.kid != nil || fitting.count == 1 ? fitting.first : nil
  }

  static func canVerify(_ algorithm: String) -> Bool { kinds[algorithm] != nil }

  private static let kinds: [String: (kty: String, curve: String?)] = [
    "RS256": ("RSA", nil), "RS384": ("RSA", nil), "RS512": ("RSA", nil), "PS256": ("RSA", nil),
    "PS384": ("RSA", nil), "PS512": ("RSA", nil), "ES256": ("EC", "P-256"), "ES384": ("EC", "P-384"),
    "ES512": ("EC", "P-521"),
  ]

  /// For one algorithm and nothing else, whatever a token says.
  static func collection(_ key: Key, _ algorithm: String, kid: String?) async throws -> JWTKeyCollection {
    let (collection, jwk) = (JWTKeyCollection(), key.jwk)
    let kid = kid.map { JWKIdentifier(string: $0) }
    func rsa() throws -> Insecure.RSA.PublicKey {
      let key = try Insecure.RSA.PublicKey(modulus: jwk.n ?? "", exponent: jwk.e ?? "")
      guard try key.getKeyPrimitives().modulus.count >= leastModulusBytes else { throw TooShort() }
      return key
    }
    let point = (x: jwk.x ?? "", y: jwk.y ?? "")
    switch algorithm {
    case "RS256": await collection.add(rsa: try rsa(), digestAlgorithm: .sha256, kid: kid)
    case "RS384": await collection.add(rsa: try rsa(), digestAlgorithm: .sha384, kid: kid)
    case "RS512": await collection.add(rsa: try rsa(), digestAlgorithm: .sha512, kid: kid)
    case "PS256": await collection.add(pss: try rsa(), digestAlgorithm: .sha256, kid: kid)
    case "PS384": await collection.add(pss: try rsa(), digestAlgorithm: .sha384, kid: kid)
    case "PS512": await collection.add(pss: try rsa(), digestAlgorithm: .sha512, kid: kid)
    case "ES256": await collection.add(ecdsa: try ES256PublicKey(parameters: point), kid: kid)
    case "ES384": await collection.add(ecdsa: try ES384PublicKey(parameters: point), kid: kid)
    case "ES512": await collection.add(ecdsa: try ES512PublicKey(parameters: point), kid: kid)
    default: throw TooShort()
    }
    return collection
  }

  private struct TooShort: Error {}
}

internal import Foundation

@testable internal import OpenIDConnect

/// The documents and tokens of an issuer that somebody signs in by.
func readIdentity(_ bytes: [UInt8]) {
  let (number, rest) = choice(of: 5, from: bytes)
  let data = Data(rest)
  switch number {
  case 0: _ = try? Discovery(data, issuer: "https://issuer.example")
  case 1:
    guard let keys = try? IssuerKeys(data) else { return }
    require((1...64).contains(keys.all.count))
    for algorithm in ["RS256", "PS512", "ES256", "none"] {
      _ = keys.key(for: .init(alg: algorithm, kid: nil, crit: nil))
      _ = keys.key(for: .init(alg: algorithm, kid: "1", crit: nil))
    }
  case 2: _ = try? IdentityToken.header(of: text(rest))
  case 3:
    let token = try? JSONDecoder().decode(IdentityToken.self, from: data)
    try? token?.check(
      issuer: "https://issuer.example", clients: ["clips"], nonces: ["n"], nowMs: 1_800_000_000_000)
  default: _ = try? JSONDecoder().decode(UserInfo.self, from: data)
  }
}

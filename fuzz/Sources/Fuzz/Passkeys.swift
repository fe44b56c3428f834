internal import Foundation
internal import Platform

@testable internal import Accounts
@testable internal import WebAuthn

/// What a device answers: bytes of its own, of its browser, and of whoever pretends to be both.
func readPasskey(_ bytes: [UInt8]) {
  let (number, rest) = choice(of: 4, from: bytes)
  switch number {
  case 0:
    var reader = CBORReader(rest)
    while (try? reader.value()) != nil {}
    require(reader.rest.count <= rest.count)
  case 1:
    guard let data = try? AuthenticatorData(Array(rest)) else { return }
    if let credential = data.credential {
      require((1...1023).contains(credential.id.count) && credential.key.count < rest.count)
    }
  case 2: _ = try? SigningKey(cose: Array(rest)).isSignature(Array(rest.suffix(72)), of: [])
  default:
    let (clientData, answer) = halves(Array(rest))
    let reader = PasskeyReader(origin: "https://clips.example")
    _ = try? reader?.registration(clientData, answer)
    _ = try? reader?.assertion(clientData, answer, signature: answer, by: answer)
    require(PasskeyChallenge.read(answer, ["key"]) == nil)
  }
}

import Accounts
import Contract
import Crypto
import Foundation
import Platform
import Testing

@testable import PlatformTesting
@testable import WebAuthn

/// What devices answer, and what is none of it.
@Suite struct PasskeyReaderTests {
  private static let challenge = Array("k1.signIn..1.secret.tag".utf8)
  private let reader = PasskeyReader(origin: SoftKey.origin)

  private func assertion(
    _ key: SoftKey, _ clientData: [UInt8]? = nil, data: [UInt8]? = nil, cose: [UInt8]? = nil,
    change: (inout [UInt8]) -> Void = { _ in }
  ) throws -> PasskeyAssertion {
    let reader = try #require(reader)
    let clientData = clientData ?? SoftKey.clientData("webauthn.get", Self.challenge)
    let data = try data ?? key.data()
    var signature = try key.sign(data + Array(SHA256.hash(data: clientData)))
    change(&signature)
    return try reader.assertion(clientData, data, signature: signature, by: try cose ?? key.cose())
  }

  @Test(arguments: SoftKey.Kind.allCases)
  func aKeyIsMadeAndSigns(_ kind: SoftKey.Kind) throws {
    let (reader, key) = (try #require(reader), try SoftKey(kind))
    #expect(reader.site == "clips.example")
    let made = try reader.registration(
      SoftKey.clientData("webauthn.create", Self.challenge),
      key.attestation(try key.data(count: 0, withKey: true)))
    #expect(
      made
        == PasskeyRegistration(
          challenge: Self.challenge, credential: key.credential, key: try key.cose(), signCount: 0,
          isVerified: true))
    #expect(
      try assertion(key, data: try key.data(count: 0x0102_0304), cose: made.key)
        == PasskeyAssertion(challenge: Self.challenge, signCount: 0x0102_0304, isVerified: true))
    // Touched, by somebody whom the device does not know.
    #expect(try assertion(key, data: try key.data(flags: 0x01)).isVerified == false)
  }

  @Test(arguments: SoftKey.Kind.allCases)
  func anotherSignatureIsNone(_ kind: SoftKey.Kind) async throws {
    let (key, other) = (try SoftKey(kind), try SoftKey(kind))
    let theirs = try other.cose()
    #expect(await refusal { try assertion(key, cose: theirs) } == .passkeyRefused)
    #expect(
      await refusal { try assertion(key) { $0[$0.count - 1] ^= 1 } } == .passkeyRefused)
    #expect(await refusal { try assertion(key) { $0 = [] } } == .passkeyRefused)
    for wrong in [[], [0xa0], Array(theirs.dropLast()), theirs + [0]] as [[UInt8]] {
      #expect(await refusal { try assertion(key, cose: wrong) } == .passkeyRefused)
    }
  }

  @Test func whatIsForAnotherSiteIsRefused() async throws {
    let key = try SoftKey()
    for (type, origin, more) in [
      ("webauthn.create", SoftKey.origin, ""), ("webauthn.get", "https://evil.example", ""),
      ("webauthn.get", "http://clips.example", ""), ("webauthn.get", "https://clips.example:8443", ""),
      ("webauthn.get", "https://x.clips.example", ""),
      ("webauthn.get", SoftKey.origin, #","crossOrigin":true"#),
    ] {
      let clientData = SoftKey.clientData(type, Self.challenge, origin: origin, more: more)
      #expect(
        await refusal { try assertion(key, clientData) } == .passkeyRefused, "\(type) \(origin) \(more)")
    }
    _ = try assertion(
      key,
      SoftKey.clientData("webauthn.get", Self.challenge, more: #","crossOrigin":false,"other":{"a":[1]}"#))
    for data in [
      try key.data(site: "evil.example"), try key.data(flags: 0x04), try key.data(flags: 0x15),
      try key.data() + [0], Array(try key.data().dropLast()), [],
    ] {
      #expect(await refusal { try assertion(key, data: data) } == .passkeyRefused)
    }
    for text in ["", "{", "[]", "null", #"{"type":"webauthn.get"}"#, String(repeating: "[", count: 4000)] {
      #expect(await refusal { try assertion(key, Array(text.utf8)) } == .passkeyRefused)
    }
  }

  @Test func whatIsNoNewKeyIsRefused() async throws {
    let (reader, key) = (try #require(reader), try SoftKey())
    let clientData = SoftKey.clientData("webauthn.create", Self.challenge)
    let whole = try key.data(withKey: true)
    for attestation in [
      key.attestation(try key.data()), key.attestation(whole + [0]), key.attestation(Array(whole.dropLast())),
      key.attestation(whole) + [0], [], [0xa0], text("authData"), bytes(whole),
    ] {
      #expect(await refusal { try reader.registration(clientData, attestation) } == .passkeyRefused)
    }
    let asked = SoftKey.clientData("webauthn.get", Self.challenge)
    #expect(await refusal { try reader.registration(asked, key.attestation(whole)) } == .passkeyRefused)
    // A browser that passes on what nobody asked for: it is not looked at.
    _ = try reader.registration(clientData, key.attestation(whole, format: "packed"))
  }

  @Test func keysOfOtherKindsAreRefused() async throws {
    let point = bytes([UInt8](repeating: 1, count: 32))
    let kinds: [[([UInt8], [UInt8])]] = [
      // Not on the curve; another curve; another algorithm; RSA that is too short, and with a huge exponent.
      [(int(1), int(2)), (int(3), int(-7)), (int(-1), int(1)), (int(-2), point), (int(-3), point)],
      [(int(1), int(2)), (int(3), int(-7)), (int(-1), int(2)), (int(-2), point), (int(-3), point)],
      [(int(1), int(2)), (int(3), int(-35)), (int(-1), int(1)), (int(-2), point), (int(-3), point)],
      [
        (int(1), int(3)), (int(3), int(-257)), (int(-1), bytes([UInt8](repeating: 255, count: 128))),
        (int(-2), bytes([1, 0, 1])),
      ],
      [
        (int(1), int(3)), (int(3), int(-257)), (int(-1), bytes([UInt8](repeating: 255, count: 256))),
        (int(-2), bytes([UInt8](repeating: 255, count: 256))),
      ],
      [(int(1), int(1)), (int(3), int(-8)), (int(-1), int(6)), (int(-2), bytes([1]))], [],
    ]
    for kind in kinds { #expect(await refusal { try SigningKey(cose: map(kind)) } == .passkeyRefused) }
  }

  @Test(arguments: [
    ("https://clips.example", "clips.example"), ("https://Clips.Example:443", "clips.example"),
    ("http://localhost:8080", "localhost"), ("http://clips.example", nil), ("https://192.0.2.1", nil),
    ("https://[2001:db8::1]", nil), ("http://127.0.0.1:8080", nil), ("", nil), ("clips.example", nil),
  ])
  func onlySitesWithANameAndTLSHavePasskeys(_ origin: String, _ site: String?) {
    #expect(PasskeyReader(origin: origin)?.site == site)
  }
}

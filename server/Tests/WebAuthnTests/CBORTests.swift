import Contract
import Platform
import Testing

@testable import PlatformTesting
@testable import WebAuthn

/// Bytes of strangers, read as far as they mean something.
@Suite struct CBORTests {
  private func read(_ bytes: [UInt8]) throws -> CBOR {
    var reader = CBORReader(bytes[...])
    let value = try reader.value()
    guard reader.rest.isEmpty else { throw AppError(.passkeyRefused) }
    return value
  }

  /// RFC 8949, appendix A.
  @Test(
    arguments: [
      ([0x00], CBOR.number(0)), ([0x17], .number(23)), ([0x18, 0x18], .number(24)),
      ([0x19, 0x03, 0xe8], .number(1000)), ([0x1a, 0x00, 0x0f, 0x42, 0x40], .number(1_000_000)),
      ([0x1b, 0, 0, 0, 0xe8, 0xd4, 0xa5, 0x10, 0x00], .number(1_000_000_000_000)), ([0x20], .number(-1)),
      ([0x38, 0x63], .number(-100)), ([0x39, 0x03, 0xe7], .number(-1000)), ([0xf4], .simple(20)),
      ([0x40], .bytes([])), ([0x44, 1, 2, 3, 4], .bytes([1, 2, 3, 4])), ([0x60], .text("")),
      ([0x62, 0xc3, 0xbc], .text("ü")), ([0x80], .list([])),
      ([0x83, 1, 2, 3], .list([.number(1), .number(2), .number(3)])), ([0xa0], .map([])),
      (
        [0xa2, 1, 2, 3, 4],
        .map([.init(key: .number(1), value: .number(2)), .init(key: .number(3), value: .number(4))])
      ),
      ([0x1b, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff], .number(.max)),
      ([0x3b, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff], .number(.min)),
    ] as [([UInt8], CBOR)])
  func valuesAreThoseOfTheStandard(_ bytes: [UInt8], _ value: CBOR) throws {
    #expect(try read(bytes) == value)
  }

  @Test(
    arguments: [
      [], [0x18], [0x19, 1], [0x41], [0x5b, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff],
      [0x9b, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff], [0xbb, 0x80, 0, 0, 0, 0, 0, 0, 0],
      // Larger than any number here; of no length; a tag; a fraction; undefined; no text; a key twice.
      [0x1b, 0x80, 0, 0, 0, 0, 0, 0, 0], [0x3b, 0x80, 0, 0, 0, 0, 0, 0, 0], [0x5f, 0x41, 1, 0xff],
      [0xc0, 0x00],
      [0xf9, 0, 0], [0xf7], [0xff], [0x1c], [0x62, 0xff, 0xff], [0xa2, 1, 2, 1, 3], [0xa1, 1], [0x00, 0x00],
    ] as [[UInt8]])
  func whatIsNoneIsRefused(_ bytes: [UInt8]) async {
    #expect(await refusal { try read(bytes) } == .passkeyRefused)
  }

  @Test func depthAndNumberHaveAnEnd() async throws {
    let list = UInt8(0x81)
    _ = try read([UInt8](repeating: list, count: CBORReader.deepest) + [0x00])
    let nested = (0..<5).reduce([UInt8(0)]) { inner, _ in
      head(4, 20) + (0..<20).flatMap { _ in inner }.prefix(20_000)
    }
    let refused: [[UInt8]] = [
      [UInt8](repeating: list, count: CBORReader.deepest + 1) + [0x00],
      [UInt8](repeating: list, count: 100_000), head(4, 300) + [UInt8](repeating: 0, count: 300), nested,
    ]
    for bytes in refused { #expect(await refusal { try read(bytes) } == .passkeyRefused) }
  }

  /// What is cut or changed anywhere is refused or read, and never traps.
  @Test func noByteMakesItTrap() throws {
    let key = try SoftKey()
    let whole = key.attestation(try key.data(withKey: true))
    for place in whole.indices {
      _ = try? read(Array(whole[..<place]))
      for byte in [UInt8(0), 0x1b, 0x5b, 0x7f, 0x9b, 0xbf, 0xff] {
        var changed = whole
        changed[place] = byte
        if let object = try? read(changed), let data = object[.text("authData")]?.bytes {
          let read = try? AuthenticatorData(data)
          _ = read?.credential.map { try? SigningKey(cose: $0.key) }
        }
      }
    }
  }
}

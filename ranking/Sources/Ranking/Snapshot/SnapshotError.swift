/// Why a snapshot was not taken in. Whoever holds the log of events can begin anew and learn from it.
public enum SnapshotError: Error, Equatable, Sendable, CustomStringConvertible {
  /// Something else: it does not begin as a snapshot does.
  case foreign
  /// Of another version of the format.
  case version(UInt32)
  /// It ends early, or goes on behind its end.
  case cut
  /// A byte is not what it was.
  case damaged
  /// Made with vectors or weights of another size than the settings say.
  case otherSettings

  public var description: String {
    switch self {
    case .foreign: "this is no such snapshot"
    case .version(let version): "the snapshot is of format \(version), which this program does not read"
    case .cut: "the snapshot is not whole"
    case .damaged: "the snapshot is damaged"
    case .otherSettings: "the snapshot was made with other sizes of vectors or weights"
    }
  }
}

/// The frame of a snapshot: 8 bytes of magic, version (4), zero (4), bytes of the body (8), the body, and a
/// checksum (8) of all before. Numbers are little-endian.
enum Snapshot {
  /// Of what it is one.
  struct Kind: Sendable {
    let magic: [UInt8]
    let version: UInt32

    static let ranker = Kind(magic: Array("CFRANKER".utf8), version: 4)
    static let trust = Kind(magic: Array("CFTRUSTM".utf8), version: 1)
  }

  static let frame = 32

  static func seal(_ body: [UInt8], as kind: Kind = .ranker) -> [UInt8] {
    var bytes = kind.magic
    bytes.reserveCapacity(body.count + frame)
    append(UInt64(kind.version), to: &bytes)
    append(UInt64(body.count), to: &bytes)
    bytes.append(contentsOf: body)
    append(checksum(bytes[...]), to: &bytes)
    return bytes
  }

  static func open(_ bytes: [UInt8], as kind: Kind = .ranker) throws(SnapshotError) -> ArraySlice<UInt8> {
    guard bytes.count >= kind.magic.count, bytes.starts(with: kind.magic) else { throw .foreign }
    guard bytes.count >= frame else { throw .cut }
    let version = UInt32(truncatingIfNeeded: word(bytes, 8))
    guard version == kind.version else { throw .version(version) }
    guard word(bytes, 16) == UInt64(bytes.count - frame) else { throw .cut }
    guard checksum(bytes[..<(bytes.count - 8)]) == word(bytes, bytes.count - 8) else { throw .damaged }
    return bytes[24..<(bytes.count - 8)]
  }

  private static func append(_ word: UInt64, to bytes: inout [UInt8]) {
    for shift in stride(from: UInt64(0), to: 64, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: word >> shift))
    }
  }

  static func word(_ bytes: [UInt8], _ place: Int) -> UInt64 {
    bytes.withUnsafeBytes { UInt64(littleEndian: $0.loadUnaligned(fromByteOffset: place, as: UInt64.self)) }
  }

  /// Four chains of multiplications over words of eight bytes, as xxHash64 (Collet 2012) has them. Every
  /// step can be undone, so that no single flipped bit is ever missed. Against accidents, not against
  /// people.
  static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    let (prime, other): (UInt64, UInt64) = (0x9E37_79B1_85EB_CA87, 0xC2B2_AE3D_27D4_EB4F)
    var chains: SIMD4<UInt64> = [prime &+ other, other, 0, 0 &- prime]
    var rest = StableHash.mixed(UInt64(bytes.count) &+ prime)
    bytes.withUnsafeBytes { bytes in
      var place = 0
      while place + 32 <= bytes.count {
        let words = bytes.loadUnaligned(fromByteOffset: place, as: SIMD4<UInt64>.self)
        chains = chains &+ words &* other
        chains = (chains &<< 31 | chains &>> 33) &* prime
        place += 32
      }
      for byte in bytes[place...] { rest = StableHash.mixed(rest ^ UInt64(byte)) &+ prime }
    }
    for chain in 0..<4 { rest = StableHash.mixed(rest ^ chains[chain]) &+ other }
    return rest
  }
}

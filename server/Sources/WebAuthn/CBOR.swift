internal import Contract
internal import Foundation
internal import Platform

/// What authenticators write (RFC 8949), as far as they need it: whole numbers, bytes, texts, lists and maps
/// of lengths that stand before them, true, false and null.
indirect enum CBOR: Equatable {
  struct Entry: Equatable {
    let key: CBOR
    let value: CBOR
  }

  case number(Int64)
  case bytes([UInt8])
  case text(String)
  case list([CBOR])
  case map([Entry])
  case simple(UInt8)

  /// Of a map.
  subscript(key: CBOR) -> CBOR? {
    guard case .map(let entries) = self else { return nil }
    return entries.first { $0.key == key }?.value
  }

  var bytes: [UInt8]? {
    guard case .bytes(let bytes) = self else { return nil }
    return bytes
  }
}

/// Reads one value after the other. The bytes are a stranger's: nothing is believed of a length but that so
/// many bytes are there.
struct CBORReader {
  /// A statement of an attestation has three at most.
  static let deepest = 6
  static let mostValues = 256

  private(set) var rest: ArraySlice<UInt8>
  private var values = 0

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  /// Throws `passkey_refused`.
  mutating func value(_ depth: Int = 0) throws -> CBOR {
    values += 1
    guard depth <= Self.deepest, values <= Self.mostValues, let first = rest.popFirst() else {
      throw AppError(.passkeyRefused)
    }
    let (kind, small) = (first >> 5, first & 31)
    guard kind != 7 else {
      // No fractions, and none of the values that nobody has given a meaning.
      guard (20...22).contains(small) else { throw AppError(.passkeyRefused) }
      return .simple(small)
    }
    let argument = try argument(small)
    switch kind {
    case 0, 1:
      guard let number = Int64(exactly: argument) else { throw AppError(.passkeyRefused) }
      return .number(kind == 0 ? number : -1 - number)
    case 2: return .bytes(Array(try take(argument)))
    case 3:
      guard let text = String(bytes: try take(argument), encoding: .utf8) else {
        throw AppError(.passkeyRefused)
      }
      return .text(text)
    case 4: return .list(try (0..<count(argument)).map { _ in try value(depth + 1) })
    case 5:
      var entries: [CBOR.Entry] = []
      for _ in 0..<(try count(argument)) {
        let key = try value(depth + 1)
        guard !entries.contains(where: { $0.key == key }) else { throw AppError(.passkeyRefused) }
        entries.append(CBOR.Entry(key: key, value: try value(depth + 1)))
      }
      return .map(entries)
    default: throw AppError(.passkeyRefused)
    }
  }

  private mutating func argument(_ small: UInt8) throws -> UInt64 {
    switch small {
    case 0...23: UInt64(small)
    case 24...27: try take(1 << UInt64(small - 24)).reduce(0) { $0 << 8 | UInt64($1) }
    // Lengths that are said at the end are not used here (CTAP2, 8).
    default: throw AppError(.passkeyRefused)
    }
  }

  /// Values that follow, each of a byte at least.
  private func count(_ argument: UInt64) throws -> Int {
    guard let count = Int(exactly: argument), count <= min(rest.count, Self.mostValues) else {
      throw AppError(.passkeyRefused)
    }
    return count
  }

  private mutating func take(_ length: UInt64) throws -> ArraySlice<UInt8> {
    guard let length = Int(exactly: length), length <= rest.count else { throw AppError(.passkeyRefused) }
    defer { rest = rest.dropFirst(length) }
    return rest.prefix(length)
  }
}

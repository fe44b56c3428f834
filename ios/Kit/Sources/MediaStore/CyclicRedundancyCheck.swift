public import Foundation

/// CRC-64 (ECMA-182, as xz has it): finds every flipped bit and every burst of up to 64.
///
/// It will be tempting to take SHA-256 here. What must be found out is what a disk or a kill did; whoever can
/// write into the app's folder on purpose can write a matching sum of any kind beside it.
public struct CyclicRedundancyCheck: Sendable {
  private static let polynomial: UInt64 = 0xC96C_5795_D787_0F42

  private static let table: [UInt64] = (0..<256).map { byte in
    (0..<8).reduce(UInt64(byte)) { sum, _ in sum & 1 == 1 ? (sum >> 1) ^ polynomial : sum >> 1 }
  }

  private var state = UInt64.max

  public init() {}

  public var value: UInt64 { ~state }

  public mutating func update(_ bytes: UnsafeRawBufferPointer) {
    state = Self.table.withUnsafeBufferPointer { table in
      var sum = state
      for byte in bytes { sum = table[Int(truncatingIfNeeded: (sum ^ UInt64(byte)) & 0xFF)] ^ (sum >> 8) }
      return sum
    }
  }

  public static func of(_ bytes: some ContiguousBytes & Sendable) -> UInt64 {
    var check = CyclicRedundancyCheck()
    bytes.withUnsafeBytes { check.update($0) }
    return check.value
  }
}

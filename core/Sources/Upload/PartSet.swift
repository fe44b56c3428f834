internal import CoreTypes

/// The numbered parts of one upload: which the server has.
struct PartSet: Sendable {
  /// Bounds memory and commands, whatever a server answers.
  static let limit: Int64 = 1_024

  let partSize: Bytes
  let total: Bytes
  private var isStored: [Bool]
  private(set) var stored = Bytes.zero

  /// `nil` for a size that makes no sense.
  init?(partSize: Bytes, total: Bytes) {
    guard partSize > .zero, total > .zero else { return nil }
    let count = (total.rawValue - 1) / partSize.rawValue + 1
    guard count <= Self.limit else { return nil }
    self.partSize = partSize
    self.total = total
    isStored = Array(repeating: false, count: Int(count))
  }

  var count: Int32 { Int32(isStored.count) }

  func has(_ part: Int32) -> Bool { isStored[Int(part - 1)] }

  func offset(of part: Int32) -> Bytes { partSize * Int64(part - 1) }

  func size(of part: Int32) -> Bytes { min(partSize, total - offset(of: part)) }

  /// Numbers beyond the last part say nothing.
  mutating func store(_ part: Int32) {
    guard part >= 1, part <= count, !isStored[Int(part - 1)] else { return }
    isStored[Int(part - 1)] = true
    stored += size(of: part)
  }
}

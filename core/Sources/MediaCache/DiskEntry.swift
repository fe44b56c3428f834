internal import CoreTypes

/// What the disk holds of one clip: its first segments, without a gap, since a copy with gaps cannot be
/// played without network.
struct DiskEntry: Sendable {
  enum Kind: Sendable {
    /// Not shown yet.
    case ahead
    /// Watched long, or through.
    case watched
    /// Shown and left soon.
    case seen
  }

  let item: ItemID
  var segments: Int32 = 0
  var bytes = Bytes.zero
  var headBytes = Bytes.zero
  var kind = Kind.ahead
  /// Move of last use; negative for earlier visits.
  var turn: Int64 = 0
  /// By the person: never evicted.
  var isSaved = false
  /// Could not be read in time: not tried again.
  var isUnreadable = false

  /// About what reading these segments brings.
  func estimate(_ range: Range<Int32>) -> Bytes {
    guard !range.isEmpty, segments > 0 else { return .zero }
    let tail = segments > 1 ? (bytes - headBytes).rawValue / Int64(segments - 1) + 1 : 0
    let head = range.lowerBound <= 0 ? headBytes : .zero
    return head + Bytes(tail) * Int64(range.upperBound - max(1, range.lowerBound))
  }

  func density(at turn: Int64) -> Int64 {
    let likelihood = isUnreadable ? 0 : RetentionValue.likelihood(of: kind, age: turn - self.turn)
    guard segments > 1 else { return headDensity(likelihood) }
    return RetentionValue.density(likelihood, RetentionValue.segment * Int64(segments - 1), bytes - headBytes)
  }

  /// What giving way to another copy frees: its parts that are worth less than the other's, tail before
  /// head; at equal worth the older gives way.
  func reclaimable(for other: DiskEntry, at turn: Int64) -> Bytes {
    let limit = (other.density(at: turn), other.turn)
    guard !isSaved, (density(at: turn), self.turn) < limit else { return .zero }
    let likelihood = isUnreadable ? 0 : RetentionValue.likelihood(of: kind, age: turn - self.turn)
    return segments <= 1 || (headDensity(likelihood), self.turn) < limit ? bytes : bytes - headBytes
  }

  private func headDensity(_ likelihood: Int64) -> Int64 {
    RetentionValue.density(likelihood, RetentionValue.head, headBytes)
  }

  mutating func trim() {
    segments = min(segments, 1)
    bytes = headBytes
  }
}

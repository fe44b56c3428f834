/// The k best of many. Of equals the one with the smaller number is better, so that an order does not depend
/// on how things came.
///
/// Room is kept for twice as many. Once it is full, the better half stays, by quickselect (Hoare: "Algorithm
/// 65: Find", 1961), and its worst is the bound for what comes: most of many are compared once, and not kept.
struct TopK: Sendable {
  struct Entry: Sendable {
    var clip: UInt32
    var score: Float
  }

  private let limit: Int
  private var ranks: [Rank] = []
  /// The worst of the k best when the better half was last kept; nil: that was not yet.
  private var worst: Rank?
  /// What scores less is not among the k best.
  private(set) var bound: Float = -.infinity

  init(_ limit: Int) {
    self.limit = min(max(limit, 0), 1 << 32)
    ranks.reserveCapacity(min(self.limit * 2, 65_536))
  }

  static func of(_ clips: some Sequence<UInt32>, _ limit: Int, by score: (UInt32) -> Float) -> [UInt32] {
    var top = TopK(limit)
    for clip in clips { top.offer(clip, score(clip)) }
    return top.sorted().map(\.clip)
  }

  /// Does nothing with what is no number.
  @inline(__always)
  mutating func offer(_ clip: UInt32, _ score: Float) {
    guard score >= bound, limit > 0 else { return }
    let rank = Rank(clip, score)
    if let worst, rank < worst { return }
    ranks.append(rank)
    if ranks.count >= limit * 2 { keepBetterHalf() }
  }

  /// The best first.
  func sorted() -> [Entry] {
    ranks.sorted(by: >).prefix(limit).map { Entry(clip: $0.clip, score: $0.score) }
  }

  private mutating func keepBetterHalf() {
    ranks.withUnsafeMutableBufferPointer { Self.select(limit, of: $0) }
    ranks.removeSubrange(limit...)
    // The last of those that were selected is the worst.
    worst = ranks[limit - 1]
    bound = ranks[limit - 1].score
  }

  /// Brings the `count` best to the front, in no order but that the worst of them comes last. There are more
  /// than `count`.
  private static func select(_ count: Int, of ranks: UnsafeMutableBufferPointer<Rank>) {
    var (low, high) = (0, ranks.count - 1)
    while low < high {
      // Of three, so that what is in order already takes no longer.
      let middle = low + (high - low) / 2
      let pivot = max(min(ranks[low], ranks[high]), min(max(ranks[low], ranks[high]), ranks[middle]))
      var (left, right) = (low, high)
      while left <= right {
        while ranks[left] > pivot { left += 1 }
        while ranks[right] < pivot { right -= 1 }
        guard left <= right else { break }
        ranks.swapAt(left, right)
        left += 1
        right -= 1
      }
      if count - 1 <= right {
        high = right
      } else if count - 1 >= left {
        low = left
      } else {
        return
      }
    }
  }
}

/// A number and its score, as one word that is the larger the better.
struct Rank: Comparable, Sendable {
  private let word: UInt64

  /// - Parameter score: a number. 0 and −0 are the same.
  @inline(__always)
  init(_ clip: UInt32, _ score: Float) {
    // A float without its sign is ordered as its bits are; of negative ones the order is the other way.
    let bits = (score + 0).bitPattern
    let ordered = bits >> 31 == 0 ? bits | 1 << 31 : ~bits
    word = UInt64(ordered) << 32 | UInt64(~clip)
  }

  var clip: UInt32 { ~UInt32(truncatingIfNeeded: word) }

  var score: Float {
    let ordered = UInt32(truncatingIfNeeded: word >> 32)
    return Float(bitPattern: ordered >> 31 == 0 ? ~ordered : ordered & ~(1 << 31))
  }

  @inline(__always)
  static func < (left: Self, right: Self) -> Bool { left.word < right.word }
}

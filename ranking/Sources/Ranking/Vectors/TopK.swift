/// The k best of many, by a heap of k: the worst of them on top. Of equals the one with the smaller number
/// is better, so that an order does not depend on how things came.
struct TopK: Sendable {
  struct Entry: Sendable {
    var clip: UInt32
    var score: Float
  }

  private let limit: Int
  private var heap: [Entry] = []

  init(_ limit: Int) {
    self.limit = max(limit, 0)
    heap.reserveCapacity(min(self.limit, 65_536))
  }

  static func of(_ clips: some Sequence<UInt32>, _ limit: Int, by score: (UInt32) -> Float) -> [UInt32] {
    var top = TopK(limit)
    for clip in clips { top.offer(clip, score(clip)) }
    return top.sorted().map(\.clip)
  }

  /// What scores less is not among them.
  @inline(__always)
  var bound: Float { heap.count == limit && limit > 0 ? heap[0].score : -.infinity }

  @inline(__always)
  mutating func offer(_ clip: UInt32, _ score: Float) {
    if heap.count == limit {
      guard limit > 0, score >= heap[0].score else { return }
      replaceWorst(Entry(clip: clip, score: score))
    } else if score == score {
      heap.append(Entry(clip: clip, score: score))
      rise()
    }
  }

  /// The best first.
  func sorted() -> [Entry] { heap.sorted { Self.isWorse($1, $0) } }

  private static func isWorse(_ left: Entry, _ right: Entry) -> Bool {
    left.score != right.score ? left.score < right.score : left.clip > right.clip
  }

  private mutating func rise() {
    var place = heap.count - 1
    while place > 0, Self.isWorse(heap[place], heap[(place - 1) / 2]) {
      heap.swapAt(place, (place - 1) / 2)
      place = (place - 1) / 2
    }
  }

  private mutating func replaceWorst(_ entry: Entry) {
    guard Self.isWorse(heap[0], entry) else { return }
    heap[0] = entry
    var place = 0
    while true {
      var worst = place
      for child in place * 2 + 1...place * 2 + 2
      where child < heap.count && Self.isWorse(heap[child], heap[worst]) {
        worst = child
      }
      guard worst != place else { return }
      heap.swapAt(place, worst)
      place = worst
    }
  }
}

internal import Contract
internal import Platform

/// How people left one clip, and the curve that follows from it.
struct RetentionTally: Equatable, Sendable {
  /// Below it a curve says more about these people than about the clip.
  static let leastStarts = 30
  /// Seconds and turns that are counted apart; what is beyond belongs to the last of them.
  static let mostSeconds = 600
  static let mostTurns = 60
  /// Entries of a curve: no decision of a client looks farther ahead.
  static let mostEntries = 128
  /// Visits that a second's neighbours count for: a quarter of the weight at thirty starts, nothing to speak
  /// of at thousands.
  private static let neighbours = 10.0
  /// Of those who came to the end, the share that comes to the next one, before anything is known, and for
  /// how many that counts.
  private static let stayingOn = 0.3
  private static let turnWeight = 10.0

  /// Visits that ended before the clip did, by the second in which they were left.
  private(set) var left: [Int] = []
  /// Visits that came to the end once, twice …
  private(set) var turns: [Int] = []

  init() {}

  /// Visits whose end is known.
  var starts: Int { left.reduce(turns.first ?? 0, +) }

  mutating func leave(atMs ms: Int64) { Self.add(to: &left, Int(clamping: ms / 1000), Self.mostSeconds) }

  /// `turn`: 1 is the first time.
  mutating func end(turn: Int) { Self.add(to: &turns, turn - 1, Self.mostTurns) }

  /// How a visit of a clip of this length ended, as its event said it.
  mutating func add(_ kind: WatchEvent.Kind?, watchedMs: Int64, durationMs: Int64) {
    switch kind {
    case .skip: leave(atMs: watchedMs)
    case .completion: end(turn: 1)
    default:
      let turn = Int(clamping: (watchedMs + durationMs / 2) / durationMs)
      // The first one is told as a completion, too.
      if turn > 1 { end(turn: turn) }
    }
  }

  /// Of the visits, those that came to the end.
  var completionShare: Double { starts > 0 ? Double(turns.first ?? 0) / Double(starts) : 0 }

  /// How much was watched in the mean, each visit at most once through; to half a second, since visits are
  /// counted by seconds.
  func watchedShare(durationMs: Int) -> Double {
    guard starts > 0, durationMs > 0 else { return 0 }
    let parts = left.enumerated().map { second, count in
      Double(count) * min(1, (Double(second) * 1000 + 500) / Double(durationMs))
    }
    return (parts.reduce(0, +) + Double(turns.first ?? 0)) / Double(starts)
  }

  private static func add(to list: inout [Int], _ place: Int, _ most: Int) {
    let place = min(max(place, 0), most - 1)
    while list.count <= place { list.append(0) }
    list[place] += 1
  }

  // MARK: As a text

  /// Numbers with spaces, a bar between the two lists. What is not understood is as good as nothing.
  init(text: String) {
    let parts = text.split(atByte: UInt8(ascii: "|"), omittingEmpty: false)
    guard parts.count == 2 else { return }
    let lists = parts.map { $0.split(atByte: UInt8(ascii: " ")).compactMap { SafeInteger.read($0) } }
    (left, turns) = (Array(lists[0].prefix(Self.mostSeconds)), Array(lists[1].prefix(Self.mostTurns)))
  }

  var text: String {
    [left, turns].map { $0.map(String.init).joined(separator: " ") }.joined(separator: "|")
  }

  // MARK: The curve

  /// Millionths, in whole thousandths: how many of those who start still watch after 0, 1, 2 … s. It never
  /// rises and never comes to nothing. Nil: too few have started.
  func shares(durationMs: Int) -> [Int]? {
    guard starts >= Self.leastStarts, durationMs > 0 else { return nil }
    let seconds = Double(durationMs) / 1000
    var shares: [Double] = [1]
    for hazard in hazards(Int(clamping: seconds.rounded(.up), to: 1...Self.mostSeconds)) {
      shares.append(shares[shares.count - 1] * (1 - hazard))
    }
    let ended = shares.removeLast()
    let stays = stays()
    while shares.count < Self.mostEntries, shares[shares.count - 1] >= 0.01 {
      // In turns since the first end: within one, people leave at an even rate.
      let beyond = max(0, Double(shares.count) - seconds) / seconds
      let whole = Int(clamping: beyond.rounded(.down), to: 0...Self.mostEntries)
      var share = ended
      for turn in 0..<whole { share *= stays[min(turn, stays.count - 1)] }
      share *= Self.power(stays[min(whole, stays.count - 1)], beyond - Double(whole))
      shares.append(min(share, shares[shares.count - 1]))
    }
    return shares.prefix(Self.mostEntries).map { max(1000, Int(clamping: $0 * 1000) * 1000) }
  }

  /// Of those who are still there, the share that leaves in each second, with some of what its neighbours
  /// say. A life table: each second is asked only of those who came to it, so a curve made of these never
  /// rises.
  private func hazards(_ seconds: Int) -> [Double] {
    var gone = [Double](repeating: 0, count: seconds)
    // Watched a whisker longer than the clip is long, and not said to have ended.
    for (second, count) in left.enumerated() { gone[min(second, seconds - 1)] += Double(count) }
    var risk: [Double] = []
    var there = Double(starts)
    for count in gone {
      risk.append(there)
      there -= count
    }
    return gone.indices.map { second in
      let around = [second - 1, second + 1].filter(gone.indices.contains)
      let (left, asked) = around.reduce((0.0, 0.0)) { ($0.0 + gone[$1], $0.1 + risk[$1]) }
      let usual = asked > 0 ? left / asked : gone[second] / max(1, risk[second])
      return (gone[second] + Self.neighbours * usual) / (risk[second] + Self.neighbours)
    }
  }

  /// Of those who came to an end, the share that comes to the next, turn by turn; the last one is for all
  /// that follow.
  private func stays() -> [Double] {
    // More people at a later end than at the one before are nobody's.
    var known: [Double] = []
    for count in turns { known.append(min(Double(count), known.last ?? .infinity)) }
    let (again, asked) = (known.dropFirst().reduce(0, +), known.reduce(0, +))
    let usual = (again + Self.stayingOn * Self.turnWeight) / (asked + Self.turnWeight)
    return zip(known, known.dropFirst()).map { before, after in
      (after + Self.turnWeight * usual) / (before + Self.turnWeight)
    } + [usual]
  }

  /// Of a share, between 0 and 1, to a power between 0 and 1: without what a C library rounds in its own way.
  private static func power(_ share: Double, _ exponent: Double) -> Double {
    // By square roots, bit by bit of the exponent; a thousandth is all that is told.
    var (result, root, rest) = (1.0, share, exponent)
    for _ in 0..<16 {
      root = root.squareRoot()
      rest *= 2
      if rest >= 1 {
        result *= root
        rest -= 1
      }
    }
    return result
  }
}

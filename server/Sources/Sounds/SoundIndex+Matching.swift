internal import Platform

/// Looking for listed clips that sound like a print. What it costs is bounded, however many there are: values
/// are asked for in so many statements of so many rows, and so many clips are compared.
extension SoundIndex {
  /// Places of the print that are looked for, with what differs in one bit: 33 times as many values.
  private static let asked = 128
  private static let perStatement = 256
  /// What comes in parts of very many clips has more rows, and helps nobody.
  private static let rowsPerStatement = 2048
  private static let compared = 20
  private static let offsets = 3

  /// The best comes first.
  func matches(of print: SoundPrint, in transaction: any Transaction) throws -> [Entry] {
    let candidates = try candidates(like: print, in: transaction)
    var found: [(entry: Entry, match: SoundMatch)] = []
    for entry in try entries(listedAs: candidates.keys.sorted(), in: transaction) {
      guard let offsets = entry.listedNumber.flatMap({ candidates[$0] }), let theirs = entry.print,
        let match = SoundMatch.best(theirs, print, near: offsets)
      else { continue }
      found.append((entry: entry, match: match))
    }
    return found.sorted { ($0.match.error, $0.entry.clipID) < ($1.match.error, $1.entry.clipID) }
      .map(\.entry)
  }

  /// By number the offsets at which most is nearly alike, of those clips that have most of it.
  private func candidates(
    like print: SoundPrint, in transaction: any Transaction
  ) throws -> [Int64: [Int]] {
    var places: [Int64: [Int]] = [:]
    for landmark in Self.spread(print.landmarks) {
      for value in SoundPrint.near(landmark.value) {
        places[Int64(value), default: []].append(landmark.place)
      }
    }
    var votes: [Int64: [Int: Int]] = [:]
    let values = places.keys.sorted()
    for start in stride(from: 0, to: values.count, by: Self.perStatement) {
      let list = SQLList(Array(values[start..<min(start + Self.perStatement, values.count)]))
      try transaction.query(
        """
        SELECT hash, clip_number, place FROM sound_hashes WHERE hash IN \(list.marks)
        LIMIT \(Self.rowsPerStatement)
        """, list.values
      ) { row in
        guard let hash = row.integer(0), let number = row.integer(1), let place = row.integer(2),
          (0..<Int64(SoundPrint.most)).contains(place)
        else { return }
        for own in places[hash] ?? [] { votes[number, default: [:]][Int(place) - own, default: 0] += 1 }
      }
    }
    let best = votes.mapValues { offsets in
      Array(offsets.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(Self.offsets))
    }
    let most = best.sorted { ($1.value[0].value, $0.key) < ($0.value[0].value, $1.key) }
    return most.prefix(Self.compared).reduce(into: [:]) { $0[$1.key] = $1.value.map(\.key) }
  }

  /// Evenly chosen, where there are too many.
  private static func spread(_ landmarks: [(value: UInt32, place: Int)]) -> [(value: UInt32, place: Int)] {
    guard landmarks.count > asked else { return landmarks }
    return (0..<asked).map { landmarks[$0 * landmarks.count / asked] }
  }
}

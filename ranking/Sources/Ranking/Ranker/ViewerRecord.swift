/// What is known of one viewer. Bounded, whatever they do: 100 likes, 50 watches, 64 tags, 64 authors, a rate
/// for each bucket of length.
struct ViewerRecord: Sendable, Equatable {
  static let history = 100

  /// Clips that were positive, the latest last, each once.
  private(set) var positives: [UInt32] = []
  /// By place in `positives`: whether a sweep learns of it. The likes of those who are little trusted are so
  /// with that probability; their own feed goes by all of them.
  private(set) var teaches: [Bool] = []
  /// The last watches, the latest last, as `SequenceModel` has them: a clip as often as it was watched.
  private(set) var watches: [UInt32] = []
  var rates = Rates()
  var tags = RateMap()
  var authors = RateMap()
  /// By bucket of length (`WatchLabels`).
  var durations = RateMap()
  /// The share of positives lately: each impression weighs an eighth of all before.
  var recent: Float = 0.5
  /// When something was last learned of them, in milliseconds since 1970.
  var lastAt: Int64 = 0
  /// Their vector, until they like something more or the clips' vectors are new.
  var vector: [Float]?

  mutating func like(_ clip: UInt32, teaching: Bool = true) {
    var teaching = teaching
    if let old = positives.firstIndex(of: clip) {
      teaching = teaching || teaches[old]
      guard old != positives.count - 1 else {
        teaches[old] = teaching
        return
      }
      removePositive(at: old)
    }
    positives.append(clip)
    teaches.append(teaching)
    if positives.count > Self.history { removePositive(at: 0) }
    vector = nil
  }

  mutating func watch(_ clip: UInt32, isPositive: Bool) {
    if watches.count >= SequenceModel.length { watches.removeFirst() }
    watches.append(isPositive ? clip | SequenceModel.positive : clip)
  }

  /// A watch turns out to be another than it was. Returns those before it, if it is there and was another.
  @discardableResult
  mutating func mark(_ clip: UInt32, isPositive: Bool) -> ArraySlice<UInt32>? {
    let (mark, wanted) = (SequenceModel.positive, isPositive ? clip | SequenceModel.positive : clip)
    guard let place = watches.lastIndex(where: { $0 & ~mark == clip }), watches[place] != wanted else {
      return nil
    }
    watches[place] = wanted
    return watches[..<place]
  }

  mutating func dislike(_ clip: UInt32) {
    mark(clip, isPositive: false)
    guard let place = positives.firstIndex(of: clip) else { return }
    removePositive(at: place)
  }

  mutating func drop(where isGone: (UInt32) -> Bool) {
    for place in positives.indices.reversed() where isGone(positives[place]) { removePositive(at: place) }
    watches.removeAll { isGone($0 & ~SequenceModel.positive) }
  }

  private mutating func removePositive(at place: Int) {
    positives.remove(at: place)
    teaches.remove(at: place)
    vector = nil
  }

  /// What a sweep learns of.
  var taught: [UInt32] { zip(positives, teaches).filter(\.1).map(\.0) }

  init() {}

  init(positives: [UInt32], teaches: [Bool], watches: [UInt32]) {
    self.watches = watches.suffix(SequenceModel.length)
    for (clip, teaching) in zip(positives, teaches).suffix(Self.history) { like(clip, teaching: teaching) }
  }

  /// What each of the likes weighs: the latest 1, each before it this much less.
  func weights(fading: Float) -> [Float] {
    var weights = [Float](repeating: 1, count: positives.count)
    for place in weights.indices.dropLast().reversed() { weights[place] = weights[place + 1] * fading }
    return weights
  }
}

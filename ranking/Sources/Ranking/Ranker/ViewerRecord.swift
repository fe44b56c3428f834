/// What is known of one viewer. Bounded, whatever they do: 100 likes, 64 tags, 64 authors, a rate for each
/// bucket of length.
struct ViewerRecord: Sendable, Equatable {
  static let history = 100

  /// Clips that were positive, the latest last, each once.
  private(set) var positives: [UInt32] = []
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

  mutating func like(_ clip: UInt32) {
    if positives.last == clip { return }
    if let old = positives.firstIndex(of: clip) { positives.remove(at: old) }
    positives.append(clip)
    if positives.count > Self.history { positives.removeFirst(positives.count - Self.history) }
    vector = nil
  }

  mutating func dislike(_ clip: UInt32) {
    guard let place = positives.firstIndex(of: clip) else { return }
    positives.remove(at: place)
    vector = nil
  }

  mutating func drop(where isGone: (UInt32) -> Bool) {
    let before = positives.count
    positives.removeAll(where: isGone)
    if positives.count != before { vector = nil }
  }

  init() {}

  init(positives: [UInt32]) { self.positives = Array(positives.suffix(Self.history)) }

  /// What each of the likes weighs: the latest 1, each before it this much less.
  func weights(fading: Float) -> [Float] {
    var weights = [Float](repeating: 1, count: positives.count)
    for place in weights.indices.dropLast().reversed() { weights[place] = weights[place + 1] * fading }
    return weights
  }
}

public import Ranking

/// Test, then train, over the stream of KuaiRand-Pure: each positive impression of a clip that the viewer
/// has not seen is looked for among all clips that they have not seen, before anything is learned of it.
///
/// All variants see the same stream. What was shown in it was chosen by the app's own ranking, so figures
/// order variants; they are no click rates.
public final class Prequential {
  /// One row of the table.
  public struct Variant: Sendable {
    public let name: String
    /// By viewer, those with a case alone.
    public fileprivate(set) var byViewer: [EntityID: RankSums] = [:]

    public var sums: RankSums {
      byViewer.sorted { $0.key < $1.key }.reduce(into: RankSums()) { $0.add($1.value) }
    }
    public var viewers: [RankSums] { byViewer.sorted { $0.key < $1.key }.map(\.value) }
  }

  /// Events between two refits; fixed beforehand.
  public static let refitEvery = 20_000
  /// Sweeps of the start, from random vectors.
  public static let firstSweeps = 8

  /// As on a server, but for what the data set's size asks for.
  public static var settings: Ranker.Settings {
    var settings = Ranker.Settings()
    settings.factors = .init(dimensions: 64, unobservedWeight: 0.03, regularisation: 0.01)
    return settings
  }

  private let data: KuaiRand
  private let ranker: Ranker
  private let measuresRetrieval: Bool
  /// First event that is measured, milliseconds since 1970.
  private let from: Int64
  /// One of so many cases is looked for; all are learned of.
  private let every: Int
  private var cases = 0
  private let until: Int64
  public private(set) var variants: [Variant]
  /// Of impressions from then on: the probability of a positive, what came, and of whom.
  public private(set) var predicted: [Float] = []
  public private(set) var came: [Bool] = []
  public private(set) var groups: [Int] = []
  /// By viewer: the order that a page would have.
  private var pairs: [EntityID: PairOrder] = [:]
  public var pairsByViewer: [PairOrder] { pairs.sorted { $0.key < $1.key }.map(\.value) }

  private var seen: [EntityID: Set<Int>] = [:]
  private var frozenFactors: ClipFactors
  private var frozenVectors: [EntityID: [Float]] = [:]
  private var frozenPopularity: [Float] = []

  /// - Parameters:
  ///   - from, until: what is measured; all before is learned, and nothing after.
  public init(
    _ data: KuaiRand, settings: Ranker.Settings, measuringRetrieval: Bool = true,
    from: Int64 = KuaiRand.testBegins, until: Int64 = .max, every: Int = 1
  ) {
    self.data = data
    self.from = from
    self.until = until
    self.every = max(every, 1)
    measuresRetrieval = measuringRetrieval
    let first = data.histories.first?.lastAt ?? data.events.first?.impression.at ?? 0
    ranker = Ranker(settings: settings, now: first)
    frozenFactors = ranker.clipFactors
    variants = Self.names.map { Variant(name: $0) }
  }

  static let names = [
    "popularity, frozen", "popularity, decayed", "iALS, frozen", "+ live fold-in",
    "+ a refit every 20,000 events",
    "+ recency", "+ co-watch", "+ decayed popularity", "+ order of the last watches: the blend",
    "co-watch alone",
    "order alone",
  ]

  private static let popularityAlone = Ranker.Blend(factors: 0, coWatch: 0, popularity: 1, sequence: 0)

  /// Learns the histories. `progress` is called now and then.
  public func warmUp() {
    for clip in data.clips { ranker.add(clip) }
    for history in data.histories {
      let positives = Set(history.liked + history.longWatched)
      let watched = Set(history.watched)
      var older: [EntityID] = []
      for clip in history.liked + history.longWatched where !watched.contains(clip) && !older.contains(clip) {
        older.append(clip)
      }
      ranker.learn(older, of: history.viewer, at: history.lastAt)
      let liked = Set(history.liked)
      for clip in history.watched {
        ranker.observe(
          Impression(
            viewer: history.viewer, clip: clip, at: history.lastAt, watched: nil,
            actions: liked.contains(clip) ? .like : [], surface: 1, longView: positives.contains(clip)),
          teachingModel: false)
      }
      seen[history.viewer] = Set(history.watched.compactMap { ranker.number(of: $0) })
    }
    for _ in 0..<Self.firstSweeps { ranker.refitWhole() }
    frozenFactors = ranker.clipFactors
    frozenPopularity = ranker.blendedScores(
      of: EntityID(high: .max, low: .max), blend: Self.popularityAlone)
    for history in data.histories {
      let liked = history.liked + history.longWatched
      let numbers = Set(liked.compactMap { ranker.number(of: $0) }).sorted().map { UInt32($0) }
      if !numbers.isEmpty { frozenVectors[history.viewer] = frozenFactors.foldIn(numbers) }
    }
  }

  /// Goes through the stream. `progress` is called with the number of each event.
  public func run(progress: (Int) -> Void = { _ in }) {
    let next = nextOfViewer()
    for (place, event) in data.events.enumerated() where event.impression.at < until {
      if place % Self.refitEvery == Self.refitEvery - 1 { ranker.refitWhole() }
      let viewer = event.impression.viewer
      let number = ranker.number(of: event.impression.clip)
      let isMeasured = event.impression.at >= from
      if let number, isMeasured, measuresRetrieval, event.isPositive, seen[viewer]?.contains(number) != true {
        cases += 1
        if cases % every == 0 { measure(viewer, number) }
      }
      if isMeasured, number != nil { comparePairs(place, next) }
      let probabilities = ranker.observe(event.impression)
      if isMeasured, let probability = probabilities?[.positive] {
        predicted.append(probability)
        came.append(event.isPositive)
        groups.append(Int(truncatingIfNeeded: viewer.low))
      }
      if let number { seen[viewer, default: []].insert(number) }
      progress(place)
    }
  }

  /// By event: the viewer's next one that is measured, or nil.
  private func nextOfViewer() -> [Int?] {
    var next = [Int?](repeating: nil, count: data.events.count)
    var last: [EntityID: Int] = [:]
    for (place, event) in data.events.enumerated().reversed() where event.impression.at < until {
      next[place] = last.updateValue(place, forKey: event.impression.viewer)
    }
    return next
  }

  private func comparePairs(_ place: Int, _ next: [Int?]) {
    let (now, viewer) = (data.events[place].impression.at, data.events[place].impression.viewer)
    func probability(_ event: KuaiRand.Event) -> Float? {
      let request = Request(viewer: viewer, now: now, surface: event.impression.surface)
      return ranker.probabilities(of: event.impression.clip, for: request)?[.positive]
    }
    pairs[viewer, default: PairOrder()].addImpression()
    guard let own = probability(data.events[place]) else { return }
    var other = next[place]
    for _ in 0..<PairOrder.reach {
      guard let later = other else { return }
      other = next[later]
      let isPositive = data.events[place].isPositive
      guard data.events[later].isPositive != isPositive, let score = probability(data.events[later]) else {
        continue
      }
      pairs[viewer]?.addPair(positive: isPositive ? own : score, negative: isPositive ? score : own)
    }
  }

  private func measure(_ viewer: EntityID, _ number: Int) {
    let whole = ranker.settings.blend
    let factors = Ranker.Blend(factors: 1, coWatch: 0, popularity: 0, sequence: 0)
    var withCoWatch = factors
    withCoWatch.coWatch = whole.coWatch
    var withPopularity = withCoWatch
    withPopularity.popularity = whole.popularity
    let scores: [[Float]] = [
      frozenPopularity,
      ranker.blendedScores(of: viewer, blend: Self.popularityAlone),
      frozenVectors[viewer].map { frozenFactors.scores(of: $0) } ?? frozenPopularity,
      ranker.blendedScores(of: viewer, blend: factors, factors: frozenFactors, fading: 1),
      ranker.blendedScores(of: viewer, blend: factors, fading: 1),
      ranker.blendedScores(of: viewer, blend: factors),
      ranker.blendedScores(of: viewer, blend: withCoWatch),
      ranker.blendedScores(of: viewer, blend: withPopularity),
      ranker.blendedScores(of: viewer, blend: whole),
      ranker.blendedScores(of: viewer, blend: .init(factors: 0, coWatch: 1, popularity: 0, sequence: 0)),
      ranker.blendedScores(of: viewer, blend: .init(factors: 0, coWatch: 0, popularity: 0, sequence: 1)),
    ]
    for (variant, values) in scores.enumerated() {
      variants[variant].byViewer[viewer, default: RankSums()].add(
        place: Self.place(of: number, in: values, without: seen[viewer] ?? []))
    }
  }

  /// How many stand above; of those that stand as high, half.
  static func place(of number: Int, in scores: [Float], without seen: Set<Int>) -> Int {
    guard number < scores.count else { return .max }
    let score = scores[number]
    var above = 0
    var equal = -1
    for value in scores {
      if value > score { above += 1 } else if value == score { equal += 1 }
    }
    for other in seen where other != number {
      if scores[other] > score { above -= 1 } else if scores[other] == score { equal -= 1 }
    }
    return above + equal / 2
  }
}

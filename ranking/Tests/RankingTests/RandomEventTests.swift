import Testing

@testable import Ranking

/// Whatever comes, in whatever order: what holds of a page holds.
@Suite struct RandomEventTests {
  @Test(arguments: 1...6 as ClosedRange<UInt64>)
  func whateverComesAPageKeepsItsPromises(_ seed: UInt64) throws {
    var history = RandomHistory(seed: seed)
    for _ in 0..<1_200 { try history.step() }
    #expect(history.pages > 100 && history.refits > 0 && history.restarts > 0)
  }
}

/// Events drawn by lot, and beside the ranker what a host would know.
private struct RandomHistory {
  private(set) var pages = 0
  private(set) var refits = 0
  private(set) var restarts = 0
  private var generator: SeededGenerator
  private var ranker: Ranker
  private var clips: [EntityID: Clip] = [:]
  private var everAdded = 0

  private static var settings: Ranker.Settings {
    var settings = SmallInstance.settings
    settings.factors = .init(dimensions: 4)
    settings.viewers = 30
    settings.exploration.firstPerAuthor = 40
    return settings
  }

  init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
    ranker = Ranker(settings: Self.settings, now: SmallInstance.start)
  }

  mutating func step() throws {
    switch generator.below(100) {
    case 0..<12: add()
    case 12..<16: remove()
    case 16..<70: observe()
    case 70..<76: act()
    case 76..<78: ranker.learn((0..<5).map { _ in clip() }, of: viewer(), at: time(), trust: trust())
    case 78..<79: forget()
    case 79..<85: if ranker.refit() == .done { refits += 1 }
    case 85..<86: try restart()
    default: checkPage()
    }
  }

  // MARK: What comes

  /// Mostly of today; now and then what a clock that was set wrongly says.
  private mutating func time() -> Int64 {
    let today = SmallInstance.start + Int64(generator.below(86_400_000))
    return generator.below(50) > 0
      ? today : [.min, .max, 0, -1, today + 400 * 86_400_000, today - 400 * 86_400_000][generator.below(6)]
  }

  private mutating func viewer() -> EntityID { EntityID(UInt64(generator.below(40))) }

  /// One that is there, is gone, or never was.
  private mutating func clip() -> EntityID { EntityID(high: 7, low: UInt64(generator.below(everAdded + 3))) }

  private mutating func trust() -> Float {
    [1, 1, 1, 0.5, 0.001, 0, .nan, -3, .infinity][generator.below(9)]
  }

  private mutating func add() {
    let again = generator.below(10) == 0
    let id = again ? clip() : EntityID(high: 7, low: UInt64(everAdded))
    everAdded += again ? 0 : 1
    let new = Clip(
      // Most are of few authors.
      id: id, author: EntityID(high: 8, low: UInt64(generator.below(1 + generator.below(12)))),
      tags: (0..<generator.below(4)).map { _ in UInt64(generator.below(5)) },
      sound: generator.below(2) == 0 ? nil : UInt64(generator.below(4)),
      language: generator.below(2) == 0 ? nil : UInt64(generator.below(2)),
      duration: generator.below(20) == 0
        ? [.min, .max, 0][generator.below(3)] : Int64(generator.below(90_000)),
      publishedAt: time())
    #expect(ranker.add(new))
    clips[id] = new
  }

  private mutating func remove() {
    let id = clip()
    ranker.remove(id)
    clips[id] = nil
  }

  private mutating func observe() {
    let id = clip()
    let trust = trust()
    let answer = ranker.observe(
      Impression(
        viewer: viewer(), clip: id, at: time(),
        watched: generator.below(20) == 0
          ? [nil, .min, .max][generator.below(3)] : Int64(generator.below(60_000)),
        actions: generator.below(5) == 0 ? Actions(rawValue: UInt8(generator.below(256))) : [],
        surface: UInt8(generator.below(256)), trust: trust))
    #expect((answer != nil) == (clips[id] != nil && trust > 0))
    #expect(answer?.values.allSatisfy { $0 > 0 && $0 < 1 } ?? true)
  }

  private mutating func act() {
    let actions = Actions(rawValue: UInt8(generator.below(256)))
    ranker.observe(actions, on: clip(), by: viewer(), at: time(), trust: trust())
  }

  private mutating func forget() {
    let id = viewer()
    ranker.forget(id)
    #expect(ranker.viewers[id] == nil)
  }

  private mutating func restart() throws {
    let bytes = ranker.snapshot()
    let restored = try Ranker(restoring: bytes, settings: Self.settings, now: SmallInstance.start)
    // Not in the expectation itself, which would print them.
    let isSame = restored.snapshot() == bytes
    #expect(isSame)
    #expect(restored.viewers.mapValues(\.taught) == ranker.viewers.mapValues(\.taught))
    ranker = restored
    restarts += 1
  }

  // MARK: What holds

  private mutating func checkPage() {
    pages += 1
    let (parts, banned) = (1 + generator.below(4), UInt64(generator.below(4)))
    let isExcluded = { (id: EntityID) in parts > 1 && id.low % UInt64(parts) == banned }
    let request = Request(
      viewer: viewer(), now: time(), surface: 1, language: generator.below(2) == 0 ? nil : 1,
      followed: (0..<generator.below(3)).map { _ in EntityID(high: 8, low: UInt64(generator.below(12))) },
      isExcluded: isExcluded)
    let candidates = ranker.candidates(for: request)
    let count = generator.below(14)
    let page = ranker.rank(candidates, for: request, count: count)
    #expect(Set(candidates.map(\.clip)).count == candidates.count)
    #expect(candidates.allSatisfy { clips[$0.clip] != nil && !isExcluded($0.clip) && $0.score.isFinite })
    #expect(Set(page.map(\.clip)).count == page.count)
    #expect(page.allSatisfy { clips[$0.clip] != nil && !isExcluded($0.clip) && $0.score.isFinite })
    #expect(page.allSatisfy { $0.probabilities.values.allSatisfy { $0 > 0 && $0 < 1 } })
    #expect(page.count <= count && page.count >= min(count, candidates.count))
    checkPropensities(page)
    checkCaps(page, candidates)
    #expect(ranker.clipCount == clips.count && ranker.viewerCount <= 30)
    let languages = clips.values.compactMap(\.language)
    #expect(ranker.clipsByLanguage == Dictionary(languages.map { ($0, 1) }, uniquingKeysWith: +))
  }

  /// One less the lot's share for the order; that times a share of 64 draws for a new clip; the lot's share,
  /// in equal parts, for any clip.
  private func checkPropensities(_ page: [RankedClip]) {
    let lot = Self.settings.uniformShare
    for place in page {
      switch place.reason {
      case .drawn: #expect(abs(place.propensity - lot / Double(clips.count)) < 1e-12)
      case .new:
        let wins = place.propensity / (1 - lot) * 64
        #expect(abs(wins - wins.rounded()) < 1e-9 && wins > 0.5 && wins < 64.5)
      default: #expect(place.propensity == 1 - lot)
      }
    }
  }

  /// A cap is broken where every candidate that is left would break one as hard; by the lot at any place.
  private func checkCaps(_ page: [RankedClip], _ candidates: [Candidate]) {
    for (place, shown) in page.enumerated() where shown.reason != .drawn {
      let before = page[..<place].compactMap { clips[$0.clip] }
      guard let clip = clips[shown.clip] else { continue }
      let broken = Self.breach(clip, after: before)
      guard broken > 0 else { continue }
      #expect(shown.reason != .new)
      let left = candidates.compactMap { clips[$0.clip] }.filter { one in
        !before.contains { $0.id == one.id }
      }
      #expect(left.allSatisfy { Self.breach($0, after: before) >= broken })
    }
  }

  private static func breach(_ clip: Clip, after before: [Clip]) -> Int {
    if before.count(where: { $0.author == clip.author }) >= settings.diversity.perAuthor { return 3 }
    if before.last?.author == clip.author { return 2 }
    let isFull = clip.tags.contains { tag in
      before.suffix(9).count { $0.tags.contains(tag) } >= settings.diversity.perTag
    }
    return isFull ? 1 : 0
  }
}

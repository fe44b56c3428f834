import Contract
import Ranking
import Testing

@testable import Recommendations

/// The end of a day in a process.
@Suite struct RankingEngineTests {
  private static let dayMs = CalibrationTable.dayMs
  private static let atMs = 101 * dayMs

  private static func event(_ clip: EntityID, atMs: Int64) -> EventLog.Event {
    EventLog.Event(
      id: "\(EventLog.firstID(at: atMs))-7000-8000-000000000000", viewer: "somebody", clip: clip.uuid,
      kind: .watch, watchedMs: 300, source: .feed, subject: nil, accountSinceMs: 1)
  }

  /// A ranker whose weights are others than those that it keeps, with histories.
  private static func ranker() -> Ranker {
    let ranker = Ranker(now: 100 * dayMs)
    for number in 0..<10 {
      ranker.add(
        Clip(
          id: EntityID(UInt64(number)), author: EntityID(UInt64(100 + number)), duration: 10_000,
          publishedAt: 99 * dayMs))
    }
    ranker.keepModel()
    for event in 0..<60 {
      ranker.observe(
        Impression(
          viewer: EntityID(UInt64(event % 7)), clip: EntityID(UInt64(event % 10)), at: 100 * dayMs,
          watched: event.isMultiple(of: 2) ? 10_000 : 300))
    }
    return ranker
  }

  private static func saved(_ ranker: Ranker, new: Float, old: Float) -> SavedRanking {
    var judgement = SelfJudgement()
    _ = judgement.night.begin(atMs: 100 * dayMs)
    for viewer in 0..<200 {
      for turn in 0..<10 {
        judgement.night.observe(
          LearnedImpression(
            viewer: EntityID(UInt64(viewer)), clip: EntityID(1), atMs: 100 * dayMs, trust: 1,
            lesson: Lesson(
              predicted: [.positive: new], outcome: [.positive: turn < 3 ? 1 : 0],
              byKept: [.positive: old])))
      }
    }
    return SavedRanking(
      position: "", recent: [], model: ranker.snapshot(), trust: TrustModel(at: 0).snapshot(),
      judgement: judgement.bytes)
  }

  @Test func whatHasASoundThatIsNotWantedIsOnNoPage() async throws {
    let engine = RankingEngine(patience: .seconds(60), seed: 1)
    #expect(await !engine.load(nil, nowMs: Self.atMs))
    let sounds = ["tide", "tide", "dawn", nil, nil, nil]
    let clips = sounds.enumerated().map { place, sound -> Ranking.Clip in
      let number = UInt64(place + 1)
      return Ranking.Clip(
        id: EntityID(number), author: EntityID(100 + number), sound: sound.map { StableHash.of($0) },
        duration: 10_000, publishedAt: Self.atMs - 1_000)
    }
    await engine.add(clips)
    var question = PageQuestion(viewer: "somebody", nowMs: Self.atMs)
    let cases: [(dismissed: [String], gone: Int)] = [([], 0), (["tide"], 2), (["tide", "dawn"], 3)]
    for one in cases {
      question.sounds = Set(one.dismissed.map { StableHash.of($0) })
      let found = await engine.page(question, count: 10)
      let page: [RankedClip] = try #require(found)
      let expected = Set(clips.dropFirst(one.gone).map { $0.id })
      #expect(Set(page.map { $0.clip }) == expected)
    }
  }

  @Test func languagesWithEnoughToChooseFromHaveAnOrderOfTheirOwn() async {
    let engine = RankingEngine(patience: .seconds(60), seed: 1)
    #expect(await !engine.load(nil, nowMs: Self.atMs))
    func add(_ count: Int, in language: String) async {
      let hash = StableHash.of(language)
      let clips = (0..<UInt64(count)).map { number -> Ranking.Clip in
        let id = EntityID(high: hash, low: number)
        return Ranking.Clip(
          id: id, author: id, language: hash, duration: 10_000, publishedAt: Self.atMs - 1_000)
      }
      await engine.add(clips)
    }
    func page(for viewer: String?) async {
      _ = await engine.page(PageQuestion(viewer: viewer, nowMs: Self.atMs), count: 1)
    }
    await add(RecommendationStore.clipsOfAFront, in: "de")
    await add(RecommendationStore.clipsOfAFront - 1, in: "da")
    await page(for: "somebody")
    #expect(!engine.hasFront(in: "de"))
    await page(for: nil)
    #expect(engine.hasFront(in: "de") && !engine.hasFront(in: "da"))
    // Of more than there may be, those with the most clips.
    let many = (0...RecommendationStore.mostFronts).map { "x\($0)" }
    for language in many { await add(RecommendationStore.clipsOfAFront + 1, in: language) }
    await page(for: nil)
    let found = many.filter { engine.hasFront(in: $0) }
    #expect(found.count == RecommendationStore.mostFronts)
    #expect(!engine.hasFront(in: "de"))
  }

  @Test func weightsThatGotWorseGiveWayAtTheEndOfTheDayAndPeopleLoseNothing() async throws {
    for (new, old) in [(0.7, 0.3), (0.3, 0.7)] as [(Float, Float)] {
      let ranker = Self.ranker()
      let saved = Self.saved(ranker, new: new, old: old)
      let engine = RankingEngine(patience: .seconds(60), seed: 1)
      #expect(await engine.load(saved, nowMs: Self.atMs))
      let event = Self.event(EntityID(3), atMs: Self.atMs)
      await engine.learn([event])
      // The same by hand.
      let expected = try Ranker(restoring: saved.model, now: Self.atMs)
      if new > old { expected.returnToKeptModel() }
      expected.keepModel()
      var trust = try TrustModel(restoring: saved.trust, now: Self.atMs)
      var recent = RecentActions()
      _ = expected.learn(event, trusting: &trust, behind: &recent)
      let learned = try #require(await engine.state())
      #expect(learned.ranker.snapshot() == expected.snapshot())
      // Whoever learned anything of them would find it: histories are those of the last day.
      #expect(await engine.likes(of: EntityID(0).uuid) == expected.likes(of: EntityID(0)).map(\.uuid))
      #expect(await !engine.likes(of: EntityID(0).uuid).isEmpty)
    }
  }
}

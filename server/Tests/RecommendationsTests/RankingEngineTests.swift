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
      let model = try #require(await engine.snapshot()).model
      #expect(model == expected.snapshot())
      // Whoever learned anything of them would find it: histories are those of the last day.
      #expect(await engine.likes(of: EntityID(0).uuid) == expected.likes(of: EntityID(0)).map(\.uuid))
      #expect(await !engine.likes(of: EntityID(0).uuid).isEmpty)
    }
  }
}

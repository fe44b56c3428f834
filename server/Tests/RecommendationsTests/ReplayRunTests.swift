import Contract
import Ranking
import RankingJudgement
import Testing

@testable import Recommendations

/// What other settings would have brought, on a log whose truth is known.
@Suite struct ReplayRunTests {
  private static let startMs: Int64 = 1_700_000_000_000
  private static let clips = (0..<30).map { number in
    Ranking.Clip(
      id: EntityID(UInt64(number)), author: EntityID(UInt64(1_000 + number)), duration: 10_000,
      publishedAt: startMs)
  }

  private static func event(
    _ viewer: Int, _ clip: EntityID, atMs: Int64, watchedMs: Int64?
  ) -> EventLog.Event {
    EventLog.Event(
      id: "\(EventLog.firstID(at: atMs))-7000-8000-000000000000", viewer: "viewer \(viewer)",
      clip: clip.uuid, kind: .watch, watchedMs: watchedMs, source: .feed, subject: nil, accountSinceMs: 1)
  }

  private static func place(_ viewer: Int, _ clip: EntityID, atMs: Int64) -> DrawnPlace {
    DrawnPlace(
      viewer: "viewer \(viewer)", walk: "walk", place: 0, clip: clip.uuid, atMs: atMs,
      propensity: 1 / Double(clips.count))
  }

  /// Even clips are watched to the end, odd ones skipped. Every place is the lot's.
  private static func run(_ words: [String], events: Int) throws -> ReplayRun {
    var run = ReplayRun(
      try words.map { try PageSetting.settings($0) }, clips: clips.reversed(), fromMs: startMs)
    var generator = SeededGenerator(seed: 5)
    for event in 0..<events {
      let clip = generator.below(clips.count)
      let atMs = startMs + 1 + Int64(event) * 60_000
      run.ask(place(event % 60, clips[clip].id, atMs: atMs), PlaceContext())
      run.learn(
        Self.event(
          event % 60, clips[clip].id, atMs: atMs + 10_000, watchedMs: clip.isMultiple(of: 2) ? nil : 300))
    }
    return run
  }

  @Test func whoWantsTheBadGetsLessThanWhoWantsTheGood() throws {
    let asItIs = "new-every=0 likeness=0"
    let reversed = "\(asItIs) worth-positive=-10 worth-watch=-10 worth-skip=10"
    let figures = try Self.run([asItIs, reversed], events: 600)
      .figures(["as it is", "reversed"], places: 600)
    #expect(figures.places == 600 && figures.unseen == 0 && figures.learned == 600 && figures.isEnough)
    let positives = figures.outcomes[0].settings
    #expect(positives[0].estimates.cases == 600 && positives[0].difference == nil)
    #expect(abs(positives[0].estimates.logged.value - 0.5) < 0.1)
    #expect(positives[0].estimates.selfNormalised.low > positives[1].estimates.selfNormalised.high)
    #expect(
      positives[0].estimates.doublyRobust.value > 0.6 && positives[1].estimates.doublyRobust.value < 0.4)
    let difference = try #require(positives[1].difference)
    #expect(difference.high < 0)
    let skips = figures.outcomes[1].settings
    #expect((skips[1].difference?.low ?? 0) > 0)
  }

  /// Asked with nothing learned, the model can only expect the same of every clip; whoever let it learn first
  /// what it is asked about would see otherwise.
  @Test func nothingThatComesOfAPlaceIsKnownAtIt() throws {
    let one = try Self.run([""], events: 1)
    var twice = ReplayRun([Ranker.Settings().page], clips: Self.clips, fromMs: Self.startMs)
    twice.ask(Self.place(0, Self.clips[3].id, atMs: Self.startMs + 1), PlaceContext())
    // Of another clip; and of this one, but before it was shown, and a day too late.
    twice.learn(Self.event(0, Self.clips[4].id, atMs: Self.startMs + 5, watchedMs: nil))
    twice.learn(Self.event(0, Self.clips[3].id, atMs: Self.startMs, watchedMs: nil))
    #expect(twice.figures([""], places: 1).unseen == 1)
    twice.learn(
      Self.event(0, Self.clips[3].id, atMs: Self.startMs + 2 + RankingLog.effectMs, watchedMs: nil))
    #expect(twice.figures([""], places: 1).unseen == 1)
    #expect(one.figures([""], places: 1).unseen == 0)
  }

  @Test func whatIsGoneOrNotThereYetIsNoPlace() throws {
    var run = ReplayRun([Ranker.Settings().page], clips: Self.clips, fromMs: Self.startMs)
    run.ask(Self.place(0, EntityID(999), atMs: Self.startMs - 6), PlaceContext())
    run.ask(Self.place(1, Self.clips[0].id, atMs: Self.startMs - 5), PlaceContext())
    run.learn(Self.event(0, EntityID(999), atMs: Self.startMs + 10, watchedMs: nil))
    run.learn(Self.event(1, Self.clips[0].id, atMs: Self.startMs + 11, watchedMs: nil))
    let figures = run.figures(["as it is"], places: 2)
    #expect(figures.unseen == 2 && !figures.isEnough && figures.outcomes[0].settings[0].estimates.cases == 0)
  }

  /// Nobody is left out of what they had not seen, and what they wanted less of is on no page.
  @Test func pagesHoldNothingThatWasNoCandidateThen() throws {
    var clips = Self.clips
    clips[3].sound = StableHash.of("tide")
    var run = ReplayRun([Ranker.Settings().page], clips: clips, fromMs: Self.startMs)
    var context = PlaceContext()
    context.gone = Set(clips.dropFirst(4).map(\.id))
    context.authors = [clips[1].author]
    context.sounds = [StableHash.of("tide")]
    run.ask(Self.place(0, Self.clips[5].id, atMs: Self.startMs + 1), context)
    run.learn(Self.event(0, Self.clips[5].id, atMs: Self.startMs + 2, watchedMs: nil))
    let estimates = run.figures(["as it is"], places: 1).outcomes[0].settings[0].estimates
    // Of clips 0, 2 and the one that was drawn: a third, where the lot had a thirtieth.
    #expect(abs(estimates.inversePropensity.value - 10) < 1e-9)
  }
}

import Contract
import Foundation
import Measuring
import Platform
import Ranking
import RankingJudgement
import Social
import Testing
import Videos

@testable import Composition
@testable import PlatformTesting
@testable import Recommendations
@testable import ServerTesting

/// The operator's side of the order: experiments, replays, calibration, on real databases and by the built
/// program.
@Suite(.everyEngine) struct JudgingTests {
  private let bench: TestInstance
  private let time = TestTime(ms: SystemTime().nowMs)

  init() async throws { bench = try await TestInstance() }

  private func process() -> RecommendationStore {
    let instance = bench.instance
    return RecommendationStore(
      database: instance.database, time: time, blocking: Blocks(),
      state: instance.askedRanking(time: time))
  }

  private var log: RankingLog { bench.instance.rankingLog }

  private func publish(_ count: Int) async throws -> [String] {
    var clips: [String] = []
    for number in 0..<count { clips.append(try await bench.publishBare("clip \(number)")) }
    return clips
  }

  private func write(_ statement: String, rows: [String]) async throws {
    for start in stride(from: 0, to: rows.count, by: 500) {
      let some = rows[start..<min(start + 500, rows.count)].joined(separator: ", ")
      try await bench.instance.database.write { try $0.execute("\(statement) VALUES \(some)") }
    }
  }

  private func show(_ rows: [String]) async throws {
    try await write(
      """
      INSERT INTO shown_clips
          (walk, clip_id, viewer_id, place, at_ms, reason, sources, propensity, score, experiment, arm)
      """, rows: rows)
  }

  private func learn(_ rows: [String]) async throws {
    try await write(
      "INSERT INTO ranking_events (id, viewer_id, clip_id, kind, watched_ms, source)", rows: rows)
  }

  private func id(_ number: Int, atMs: Int64) -> String {
    let digits = String(number)
    return "\(EventLog.firstID(at: atMs))-7000-8000-" + String(repeating: "0", count: 12 - digits.utf8.count)
      + digits
  }

  // MARK: Experiments

  @Test func whoIsInAnArmGetsItsPagesAndThatIsWrittenDown() async throws {
    _ = try await publish(20)
    let store = process()
    for (name, words) in [("new", "new-every=1"), ("old", "new-every=0")] {
      let experiment = RankingExperiment(
        name: name, share: 0.3, treatment: try PageSetting.settings(words))
      store.state.conduct(experiment)
      for number in 0..<20 {
        let viewer = "viewer \(number)"
        let page = try #require(await store.order(1, of: [], for: viewer))
        try await store.write(page.map { ($0, true) }, in: "\(name) \(number)", behind: 0, for: viewer)
        guard experiment.arm(of: viewer) == .treatment, let kind = page.first?.reason.kind, kind != .drawn
        else { continue }
        #expect((kind == .new) == (name == "new"))
      }
      let rows = try await bench.instance.database.read {
        try $0.query(
          "SELECT viewer_id, experiment, arm FROM shown_clips WHERE walk LIKE ?", [.text("\(name) %")])
      }
      #expect(rows.count == 20)
      for row in rows {
        let arm = experiment.arm(of: try row.text("viewer_id"))
        #expect(row.optionalText("arm") == arm?.rawValue)
        #expect(row.optionalText("experiment") == (arm == nil ? nil : name))
      }
      #expect(Set(rows.map { $0.optionalText("arm") }) == ["control", "treatment", nil])
    }
    #expect(try await Set(log.experiments()) == ["new", "old"])
    // Of somebody of whom nothing is known there is no arm.
    let front = try #require(await store.order(1, of: [], for: nil))
    try await store.write(front.map { ($0, true) }, in: "front", behind: 0, for: nil)
    let nobody = try await bench.instance.database.read {
      try $0.query("SELECT arm FROM shown_clips WHERE walk = 'front'")
    }
    #expect(nobody.first?.optionalText("arm") == nil)
  }

  @Test func figuresAreWhatPeopleDidWithWhatTheyWereShown() async throws {
    let clips = try await publish(6)
    let ms = time.nowMs
    try await show(
      (0..<4).map { "('one', '\(clips[$0])', 'her', \($0), \(ms), 'x', 0, 1, 0, 'e', 'treatment')" }
        + ["('two', '\(clips[4])', 'her', 0, \(ms + 5), 'x', 0, 1, 0, 'e', 'treatment')"]
        // Passed over, so not shown.
        + ["('two', '\(clips[5])', 'her', 1, \(ms + 5), '', 0, 1, 0, 'e', 'treatment')"]
        + ["('of him', '\(clips[0])', 'him', 0, \(ms), 'x', 0, 1, 0, 'e', 'control')"]
        // Was in both.
        + ["('both', '\(clips[0])', 'both', 0, \(ms), 'x', 0, 1, 0, 'e', 'control')"]
        + ["('both', '\(clips[1])', 'both', 1, \(ms), 'x', 0, 1, 0, 'e', 'treatment')"]
        // Of another experiment, and of none.
        + ["('other', '\(clips[0])', 'else', 0, \(ms), 'x', 0, 1, 0, 'f', 'control')"]
        + ["('none', '\(clips[2])', 'him', 0, \(ms), 'x', 0, 1, 0, NULL, NULL)"])
    let told: [(String, Int, String, String, Int64)] = [
      ("her", 0, "watch", "NULL", 10), ("her", 1, "watch", "500", 20), ("her", 0, "like", "NULL", 15),
      ("her", 1, "like", "NULL", 15), ("her", 1, "unlike", "NULL", 25),
      ("her", 2, "not_interested", "NULL", 30),
      // Before it was shown, a day behind, of what was not shown, and of another's.
      ("her", 3, "watch", "NULL", -1), ("her", 3, "watch", "NULL", 86_400_001),
      ("her", 5, "watch", "NULL", 9),
      ("him", 2, "watch", "NULL", 9), ("him", 0, "watch", "99999999999999", 12),
    ]
    try await learn(
      told.enumerated().map { number, event in
        "('\(id(number, atMs: ms + event.4))', '\(event.0)', '\(clips[event.1])', '\(event.2)', \(event.3), 'feed')"
      })
    let figures = try #require(try await log.figures(of: "e"))
    #expect(figures.controlViewers == 1 && figures.treatmentViewers == 1 && figures.crossedViewers == 1)
    #expect(figures.firstMs == ms && figures.lastMs == ms + 5)
    #expect(!figures.isEnough && !figures.isLopsided)
    // 1.5 s in two visits of five clips, of which two were watched: one to the end (of 1 s), one skipped.
    let treatment = figures.measures.map(\.treatment.value)
    #expect(treatment == [0.75, 0.3, 1, 0.5, 0.5, 0.2, 0.2])
    #expect(figures.measures[3].control.value == 0 && figures.measures[2].control.value == 1)
    #expect(figures.measures[0].control.value == 86_400)
    #expect(try await log.figures(of: "none") == nil)
    #expect(try await log.figures(of: "\u{0}") == nil)
    let output = try bench.program(["ranking", "experiments", "e"]).end()
    #expect(output.status == 0 && output.output.contains("1 control, 1 treatment"))
    #expect(output.output.contains("Too little") && output.output.contains("1 more were in both"))
  }

  @Test func whatDiffersIsSaidToDifferAndArmsThatLostPeopleAreSaidToHaveLostThem() async throws {
    let clips = try await publish(2)
    let ms = time.nowMs
    for (name, control) in [("fair", 150), ("unfair", 400)] {
      var shown: [String] = []
      var events: [String] = []
      for number in 0..<(control + 150) {
        let viewer = "\(name) \(number)"
        let arm = number < control ? "control" : "treatment"
        for (place, clip) in clips.enumerated() {
          shown.append(
            "('\(viewer)', '\(clip)', '\(viewer)', \(place), \(ms), 'x', 0, 1, 0, '\(name)', '\(arm)')")
          // In the treatment all is watched to the end, in the control every fourth.
          let watched = arm == "treatment" || (number + place) % 4 == 0 ? "NULL" : "300"
          events.append(
            "('\(id(shown.count, atMs: ms + 10))-\(name)', '\(viewer)', '\(clip)', 'watch', \(watched), 'feed')"
          )
        }
      }
      try await show(shown)
      try await learn(events)
    }
    let fair = try #require(try await log.figures(of: "fair"))
    #expect(fair.isEnough && !fair.isLopsided && fair.mismatch == 1)
    #expect(fair.measures[3].isClear && abs(fair.measures[3].difference.value - 0.75) < 0.05)
    // Two clips in one visit, in both.
    #expect(!fair.measures[2].isClear && !fair.measures[5].isClear)
    #expect(try #require(try await log.figures(of: "unfair")).isLopsided)
    let output = try bench.program(["ranking", "experiments", "fair"]).end().output
    #expect(output.contains("150 control, 150 treatment") && output.contains("differs"))
    #expect(output.contains("no difference can be told") && !output.contains("Too little"))
    let other = try bench.program(["ranking", "experiments", "unfair"]).end().output
    #expect(other.contains("No figure above means anything") && !other.contains("differs\n"))
  }

  @Test func withoutOneThereIsNothingToCompare() async throws {
    let nothing = try bench.program(["ranking", "experiments"]).end()
    #expect(nothing.status == 0 && nothing.output.contains("No experiment is configured"))
    let named = try bench.program([
      "ranking", "experiments", "--experiment", "soon", "--experiment-treatment", "new-every=5",
    ]).end()
    #expect(named.output.contains("Nobody was shown anything yet in the experiment soon"))
    let wrong = try bench.program(["serve", "--experiment", "soon", "--experiment-treatment", "colour=red"])
      .end()
    #expect(wrong.status == 64 && wrong.output.contains("there is no \"colour\""))
  }

  // MARK: Replay

  @Test func placesThatTheLotGaveAreReplayed() async throws {
    let clips = try await publish(12)
    // Nothing is shown before it is there.
    let ms = SystemTime().nowMs + 60_000
    let drawn = String(decoding: try WireCoding.encode(ClipReason(.drawn)), as: UTF8.self)
    let tagged = String(decoding: try WireCoding.encode(ClipReason(.likedTag, tag: "drawn")), as: UTF8.self)
    var shown: [String] = []
    var events: [String] = []
    for number in 0..<36 {
      let (clip, atMs) = (clips[number % 12], ms + Int64(number) * 1_000)
      let propensity = Int64((0.004 / 12 * 1e12).rounded())
      shown.append(
        "('\(number)', '\(clip)', 'v\(number % 9)', 0, \(atMs), '\(drawn)', 0, \(propensity), 0, NULL, NULL)")
      // The last is never reached.
      guard number < 35 else { continue }
      let watched = number.isMultiple(of: 2) ? "NULL" : "300"
      events.append(
        "('\(id(number, atMs: atMs + 500))', 'v\(number % 9)', '\(clip)', 'watch', \(watched), 'feed')")
    }
    shown.append("('tag', '\(clips[0])', 'v0', 0, \(ms), '\(tagged)', 0, 1, 0, NULL, NULL)")
    shown.append("('nobody', '\(clips[0])', '', 0, \(ms), '\(drawn)', 0, 1, 0, NULL, NULL)")
    try await show(shown)
    try await learn(events)
    let figures = try await log.replay(
      [("as it is", Ranker.Settings().page), ("one", try PageSetting.settings("per-author=1"))], days: 7)
    #expect(figures.places == 36 && figures.unseen == 1 && figures.learned == 35)
    let estimates = figures.outcomes[0].settings[0].estimates
    #expect(estimates.cases == 35 && estimates.refused == 0)
    #expect(abs(estimates.logged.value - 18.0 / 35) < 1e-9)
    // Twelve clips, of which a page has ten: hardly any place is not one of the page.
    #expect(estimates.effectiveCases > 20)
    #expect(figures.outcomes[0].settings[1].difference != nil)
    let output = try bench.program(["ranking", "replay", "--with", "per-author=1"]).end()
    #expect(output.status == 0, "\(output.output)")
    #expect(output.output.contains("36 places of the last 7 days") && output.output.contains("per-author=1"))
    for wrong in [[], ["--with", "colour=red"], ["--with", "per-author=1", "--days", "0"]] {
      #expect(try bench.program(["ranking", "replay"] + wrong).end().status == 64)
    }
  }

  // MARK: How the model does

  @Test func whatWasExpectedIsComparedWithWhatCameAndKept() async throws {
    let clips = try await publish(4)
    #expect(try await log.calibration() == nil)
    #expect(try bench.program(["ranking", "calibration"]).end().output.contains("no snapshot yet"))
    let store = process()
    let registry = MetricRegistry()
    store.state.measure(by: registry)
    let ms = time.nowMs
    func watch(_ days: Int64, _ count: Int) -> [String] {
      (0..<count).map { number in
        let watched = number.isMultiple(of: 2) ? "NULL" : "300"
        return
          "('\(id(number, atMs: ms + days * 86_400_000))', 'v\(number)', '\(clips[number % 4])', 'watch', \(watched), 'feed')"
      }
    }
    try await learn(watch(0, 20) + watch(1, 10))
    try await store.reader.follow()
    await store.engine.measureModel()
    let text = registry.text()
    #expect(text.contains(#"clipfeed_ranking_log_loss{head="positive"}"#))
    #expect(text.contains(#"clipfeed_ranking_calibration_slope{head="skip"}"#))
    #expect(text.contains(#"clipfeed_ranking_nights_total{kept="few"} 1"#))
    #expect(try await store.saveIfDue())
    let figures = try #require(try await log.calibration())
    #expect(figures.all[.positive]?.weight == 30 && figures.lately[.positive]?.weight == 30)
    #expect(figures.all[.positive]?.baseRate == 0.5)
    #expect(figures.night?.isOldBack == .some(nil))
    // Whoever goes on behind the snapshot has it, and counts nothing twice.
    let next = process()
    try await learn(watch(2, 5))
    try await next.reader.follow()
    time.advance(ms: SnapshotStore.everyMs + 1)
    #expect(try await next.saveIfDue())
    #expect(try await log.calibration()?.all[.skip]?.weight == 35)
    let output = try bench.program(["ranking", "calibration"]).end()
    #expect(output.status == 0 && output.output.contains("watched for long"))
    #expect(output.output.contains("too little happened to say whether the model got worse"))
  }
}

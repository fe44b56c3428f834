import Ranking
import RankingJudgement
import Testing

@testable import Recommendations

/// How a process sees how its model does.
@Suite struct SelfJudgementTests {
  private static let dayMs = CalibrationTable.dayMs

  private static func impression(
    _ viewer: Int, atMs: Int64, said new: Float, before old: Float? = nil, came: Float, trust: Float = 1
  ) -> LearnedImpression {
    LearnedImpression(
      viewer: EntityID(UInt64(viewer)), clip: EntityID(1), atMs: atMs, trust: trust,
      lesson: Lesson(
        predicted: [.positive: new, .skip: 1 - new], outcome: [.positive: came, .skip: 1 - came],
        byKept: old.map { [.positive: $0] }))
  }

  /// A day in which the new weights say one thing and the old ones another.
  private static func night(new: Float, old: Float, viewers: Int = 200, each: Int = 10) -> NightlyCheck {
    var check = NightlyCheck()
    _ = check.begin(atMs: 100 * dayMs)
    for viewer in 0..<viewers {
      for turn in 0..<each {
        check.observe(
          impression(viewer, atMs: 100 * dayMs, said: new, before: old, came: turn % 10 < 3 ? 1 : 0))
      }
    }
    return check
  }

  @Test func weightsThatGotWorseByMoreThanChanceAreNotKept() throws {
    // Three of ten are positive: .3 is right.
    for (new, old, outcome) in [
      (0.7, 0.3, NightlyCheck.Night.Outcome.old), (0.3, 0.7, .new), (0.3, 0.3, .new),
    ] as [(Float, Float, NightlyCheck.Night.Outcome)] {
      var check = Self.night(new: new, old: old)
      #expect(check.begin(atMs: 101 * Self.dayMs - 1) == nil)
      let ended = check.begin(atMs: 101 * Self.dayMs)
      let night = try #require(ended)
      #expect(night.outcome == outcome && night.day == 100)
      #expect(check.last == night && check.day == 101 && check.impressions == 0)
    }
  }

  @Test func ofTooLittleNothingIsDecided() {
    var few = Self.night(new: 0.7, old: 0.3, viewers: 90)
    #expect(few.begin(atMs: 101 * Self.dayMs)?.outcome == .few)
    // One viewer says as much as one viewer, however much they watch.
    var one = Self.night(new: 0.7, old: 0.3, viewers: 3, each: 1_000)
    #expect(one.begin(atMs: 101 * Self.dayMs)?.outcome == .few)
  }

  @Test func whoIsLittleTrustedVotesNothingOut() {
    var check = Self.night(new: 0.3, old: 0.5)
    for viewer in 1_000..<1_500 {
      for _ in 0..<10 {
        check.observe(
          Self.impression(
            viewer, atMs: 100 * Self.dayMs, said: 0.3, before: 0.5, came: 1, trust: 0.001))
      }
    }
    #expect(check.begin(atMs: 101 * Self.dayMs)?.outcome == .new)
  }

  @Test func clocksThatJumpHoldNothingUp() {
    var check = NightlyCheck()
    #expect(check.begin(atMs: 0) == nil && check.day == nil)
    _ = check.begin(atMs: 100 * Self.dayMs)
    // Late is of the present day.
    #expect(check.begin(atMs: 99 * Self.dayMs) == nil)
    #expect(check.begin(atMs: 5_000 * Self.dayMs)?.outcome == .few)
    #expect(check.begin(atMs: 101 * Self.dayMs)?.outcome == .few)
    #expect(check.day == 101)
    #expect(check.begin(atMs: .max)?.outcome == .few)
  }

  @Test func daysAreKeptForTwoWeeksAndAddedUp() {
    var table = CalibrationTable()
    for day in (0..<20).reversed() {
      for event in 0..<10 {
        let one = Self.impression(
          1, atMs: (100 + Int64(day)) * Self.dayMs, said: 0.25, came: event % 4 == 0 ? 1 : 0)
        table.observe(one.lesson, atMs: one.atMs)
      }
    }
    #expect(table.rows.map(\.day) == Array(106..<120))
    #expect(table.last(1, of: .positive).weight == 10 && table.last(99, of: .skip).weight == 140)
    #expect(table.last(1, of: .watch).weight == 0)
    table.observe(
      Self.impression(1, atMs: 130 * Self.dayMs, said: 0.5, came: 1).lesson, atMs: 130 * Self.dayMs)
    #expect(table.rows.map(\.day) == Array(107..<120) + [130])
    table.observe(
      Self.impression(1, atMs: 125 * Self.dayMs, said: 0.5, came: 1).lesson, atMs: 125 * Self.dayMs)
    #expect(table.rows.map(\.day) == Array(108..<120) + [125, 130] && table.isSound)
  }

  @Test func itTravelsAsBytesAndWhatIsDamagedBeginsAnew() {
    var judgement = SelfJudgement()
    judgement.night = Self.night(new: 0.7, old: 0.3)
    _ = judgement.night.begin(atMs: 101 * Self.dayMs)
    judgement.observe(Self.impression(7, atMs: 101 * Self.dayMs, said: 0.4, before: 0.5, came: 1))
    let bytes = judgement.bytes
    #expect(!bytes.isEmpty && SelfJudgement(bytes) == judgement)
    #expect(SelfJudgement([]) == SelfJudgement())
    for length in stride(from: 0, to: bytes.count, by: 97) {
      #expect(SelfJudgement(Array(bytes[..<length])) == SelfJudgement())
    }
    let negative = Array(
      String(decoding: bytes, as: UTF8.self).replacing("\"weight\":1", with: "\"weight\":-1").utf8)
    #expect(negative != bytes && SelfJudgement(negative) == SelfJudgement())
  }

  @Test func aSnapshotOfBeforeIsRead() {
    let saved = SavedRanking(
      position: "p", recent: ["a", "b"], model: [1, 10, 3], trust: [9, 10], judgement: [5])
    #expect(SavedRanking(saved.bytes) == saved)
    let old = Array("clipfeed ranking 1\np\na b\n2\n".utf8) + [9, 10, 1, 10, 3]
    var read = saved
    read.judgement = []
    #expect(SavedRanking(old) == read)
    for wrong in [
      "p\na b\n9 0\n", "p\na b\n2 9\n", "p\na b\n2\n", "p\na b\n-1 0\n", "p\na b\n2 1 1\n", "p\n",
    ] {
      #expect(SavedRanking(Array("clipfeed ranking 2\n\(wrong)".utf8) + [9, 10, 5, 1]) == nil, "\(wrong)")
    }
  }
}

import Contract
import Testing

@testable import PlatformTesting
@testable import Watching

@Suite struct RetentionTallyTests {
  private static func tally(
    left: [Int64: Int], ends: [Int: Int]
  ) -> RetentionTally {
    var tally = RetentionTally()
    for (ms, count) in left { for _ in 0..<count { tally.leave(atMs: ms) } }
    for (turn, count) in ends { for _ in 0..<count { tally.end(turn: turn) } }
    return tally
  }

  @Test func fewerThanThirtyStartsAreNoCurve() {
    #expect(Self.tally(left: [500: 20], ends: [1: 9]).shares(durationMs: 10_000) == nil)
    #expect(Self.tally(left: [500: 20], ends: [1: 10]).shares(durationMs: 10_000) != nil)
    #expect(Self.tally(left: [500: 40], ends: [:]).shares(durationMs: 0) == nil)
  }

  @Test func manyStartsSayWhatTheyDid() throws {
    let tally = Self.tally(left: [400: 3000, 1600: 1000, 4999: 1000], ends: [1: 5000, 2: 2500, 3: 1250])
    let shares = try #require(tally.shares(durationMs: 5000))
    // Nobody left between the second and the fourth second; at the end half were there, and half of these a
    // turn later.
    for (second, share) in [(0, 1000), (1, 700), (2, 600), (4, 600), (5, 500), (10, 250), (15, 125)] {
      #expect(abs(shares[second] / 1000 - share) <= 8, "\(second) s: \(shares[second])")
    }
  }

  @Test func whatFewSaySpillsOverToTheirNeighbours() throws {
    let shares = try #require(Self.tally(left: [2500: 30], ends: [1: 30]).shares(durationMs: 6000))
    // All of them left in one second: it is taken for the next ones too, a little.
    let lost = zip(shares, shares.dropFirst()).map { $0 - $1 }
    #expect(lost[2] > 300_000 && lost[1] > 20_000 && lost[3] > 20_000, "\(lost)")
    #expect(lost[0] == 0)
  }

  @Test func aCurveNeverRisesNorComesToNothingWhateverIsCounted() throws {
    var chance = SplitMix(state: 3)
    for _ in 0..<500 {
      var tally = RetentionTally()
      for _ in 0..<Int.random(in: 30...200, using: &chance) {
        if Bool.random(using: &chance) {
          tally.leave(atMs: .random(in: 0...Limits.eventWatchedMs.upperBound, using: &chance))
        } else {
          tally.end(turn: .random(in: -3...(.max), using: &chance))
        }
      }
      tally.end(turn: 1)
      #expect(RetentionTally(text: tally.text) == tally)
      guard let shares = tally.shares(durationMs: .random(in: 1...600_000, using: &chance)) else { continue }
      #expect(shares[0] == 1_000_000 && shares.count <= RetentionTally.mostEntries)
      #expect(zip(shares, shares.dropFirst()).allSatisfy { $0 >= $1 && $1 >= 1000 }, "\(shares)")
    }
  }

  @Test(arguments: ["", "|", "x|y", "1 2", "-1|2", "99999999999999999999|1", "1|2|3", "\u{0}|"])
  func whatIsNotUnderstoodIsAsGoodAsNothing(_ text: String) {
    #expect(RetentionTally(text: text).starts < 30)
  }
}

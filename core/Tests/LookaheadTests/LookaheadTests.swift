import CoreTesting
import CoreTypes
import Lookahead
import Testing

@Suite struct LookaheadTests {
  @Test func fetchesTheCurrentClipWhenNothingIsStored() {
    var lookahead = Lookahead(.clipfeed)
    #expect(isFetch(lookahead.choose(input(stored: [0, 0], throughput: 2)), ofClip: 0))
  }

  @Test func fetchesTheNextClipWhenTheCurrentOneIsSafe() {
    var lookahead = Lookahead(.clipfeed)
    #expect(isFetch(lookahead.choose(input(stored: [4, 0], throughput: 2)), ofClip: 1))
  }

  @Test func neverWaitsWhileTheNextClipCannotStart() {
    var lookahead = Lookahead(.clipfeed)
    // Hardly anybody leaves, and there is enough to play: nothing is urgent.
    let patient = input(stored: [12, 0], throughput: 4, leavingRate: 0.000_1)
    #expect(isFetch(lookahead.choose(patient), ofClip: 1))
  }

  @Test func waitsWhenMoreBytesWouldProbablyBeWasted() {
    var lookahead = Lookahead(.challenge)
    let choice = lookahead.choose(input(stored: [8, 8], throughput: 4, leavingRate: 0.5))
    guard case .wait = choice else {
      Issue.record("\(choice)")
      return
    }
  }

  @Test func aFasterLinkNeverMeansAWorseFirstSegment() {
    var lookahead = Lookahead(.clipfeed)
    var before = 0
    for throughput in [0.3, 1, 3, 10, 30] {
      guard case .fetch(0, let rate) = lookahead.choose(input(stored: [0, 0], throughput: throughput))
      else {
        Issue.record("nothing fetched at \(throughput)")
        continue
      }
      #expect(rate >= before)
      before = rate
    }
    #expect(before == 2)
  }

  @Test(arguments: [3.75, 4]) func aClipThatBeganWellIsNotMadeWorseInHaste(throughput: Double) {
    var input = input(stored: [3, 3], throughput: throughput, leavingRate: 0.02)
    for clip in 0..<2 { input.setStoredRates(clip: clip, last: 2, first: 2) }
    // Prices and a link under which nothing else decides between the two rates.
    var uneven = Objective.clipfeed
    (uneven.stallPrice, uneven.switchPrice) = (8, 0.35)
    (uneven.variation, uneven.outageShare) = (0.4, 0.2)
    var even = uneven
    even.fallFactor = 1
    var (hasty, steady) = (Lookahead(even), Lookahead(uneven))
    #expect(hasty.choose(input) == .fetch(clip: 0, rate: 1))
    #expect(steady.choose(input) == .fetch(clip: 0, rate: 2))
  }

  // MARK: The learned policy

  @Test func learnedPolicyBeginsWithTheCurrentClip() {
    for throughput in [0.3, 1, 3, 10, 30] {
      var lookahead = Lookahead(.challenge)
      #expect(isFetch(lookahead.choose(input(stored: [0, 0, 0], throughput: throughput)), ofClip: 0))
    }
  }

  @Test(arguments: [(0.9, 0), (8, 2)]) func learnedPolicyTakesWhatTheLinkCarries(
    throughput: Double, rate: Int
  ) {
    var lookahead = Lookahead(.challenge)
    var input = input(stored: [1, 1], throughput: throughput, leavingRate: 0.05)
    input.link = LinkSigns(recent: throughput, last: throughput, variation: 0.45, error: 0.1)
    for clip in 0..<2 { input.setStoredRates(clip: clip, last: rate, first: rate) }
    guard case .fetch(_, rate) = lookahead.choose(input) else {
      Issue.record("not in rate \(rate)")
      return
    }
  }

  @Test func learnedPolicySeesWhatTheLinkDidLast() {
    let differing = (0..<60).filter { step in
      let throughput = 0.6 + Double(step) / 12
      var input = input(stored: [2, step % 3], throughput: throughput, leavingRate: 0.05)
      let choices = [0.3, 1, 2].map { share in
        input.link = LinkSigns(
          recent: throughput * share, last: throughput * share, variation: 0.45, error: 0.1)
        var lookahead = Lookahead(.challenge)
        return lookahead.choose(input)
      }
      return choices[0] != choices[1] || choices[1] != choices[2]
    }
    #expect(!differing.isEmpty)
  }

  @Test func equalScenesGiveEqualChoices() {
    let input = input(stored: [1, 0], throughput: 1.3)
    var first = Lookahead(.clipfeed)
    var second = Lookahead(.clipfeed)
    _ = second.choose(self.input(stored: [0, 3], throughput: 9))
    #expect(first.choose(input) == second.choose(input) && first.value == second.value)
  }

  @Test(arguments: [Objective.clipfeed, .challenge]) func whatIsUnderWayIsNotAskedForAgain(
    objective: Objective
  ) {
    var lookahead = Lookahead(objective)
    var input = input(stored: [0], throughput: 2, length: 1)
    input.addPending(clip: 0, rate: 0, left: 0.4)
    guard case .wait = lookahead.choose(input) else {
      Issue.record("the only segment is on its way")
      return
    }
  }

  @Test func hostileScenesGiveLegalChoices() {
    forEachSeed(10_000) { seed, generator in
      let input = hostileScene(&generator)
      // The whole work now and then: it takes long in scenes like these.
      let effort = seed.isMultiple(of: 50) ? Lookahead.Effort.full : .least
      var lookahead = Lookahead(seed.isMultiple(of: 4) ? .clipfeed : .challenge, effort: effort)
      let choice = lookahead.choose(input)
      switch choice {
      case .fetch(let clip, let rate):
        #expect(
          (0..<input.clipCount).contains(clip) && (0..<input.rateCount(clip)).contains(rate),
          "seed \(seed): \(choice)")
      case .wait(let seconds): #expect(seconds > 0 && seconds < 10, "seed \(seed)")
      }
      var again = Lookahead(lookahead.objective, effort: effort)
      #expect(again.choose(input) == choice, "seed \(seed)")
    }
  }

  /// Anything that numbers can say, but for what is not a number.
  private func hostileScene(_ generator: inout SeededGenerator) -> DecisionInput {
    let numbers: [Double] = [0, 1e-9, 0.3, 1, 2.5, 40, 1e6, 1e12]
    func number() -> Double { numbers[Int(generator.next(below: Int64(numbers.count)))] }
    var input = DecisionInput()
    input.throughput = max(number(), 1e-9)
    input.spread = min(number(), 40)
    input.latency = number()
    input.position = number()
    input.isPipelined = generator.next(below: 2) == 0
    for _ in 0..<generator.next(below: 7) {
      let storedEnd = number()
      let clip = input.addClip(duration: number(), storedEnd: storedEnd)
      guard clip >= 0 else { break }
      let rates = 1 + generator.next(below: 5)
      for _ in 0..<rates { input.addRate(to: clip, utility: number()) }
      let known = Int(generator.next(below: Int64(input.rateCount(clip)))) - 1
      input.setStoredRates(clip: clip, last: known, first: known)
      var end = storedEnd
      for _ in 0..<generator.next(below: 30) {
        end += number()
        guard input.addSegment(to: clip, end: end) else { break }
        for rate in 0..<input.rateCount(clip) { input.setSize(number(), clip: clip, rate: rate) }
      }
      for second in 0...DecisionInput.maxSeconds {
        input.setSurvival(1.2 - number() / 10, after: second, clip: clip)
      }
      if generator.next(below: 2) == 0 { input.addPending(clip: clip, rate: 0, left: number()) }
    }
    return input
  }

  private func isFetch(_ choice: Lookahead.Choice, ofClip clip: Int) -> Bool {
    if case .fetch(clip, _) = choice { true } else { false }
  }

  /// Clips of one-second segments at 0.5, 1.5 and 3 Mbit, stored so far each.
  private func input(
    stored: [Int], throughput: Double, leavingRate: Double = 0.1, length: Int = 12
  ) -> DecisionInput {
    var input = DecisionInput()
    input.throughput = throughput
    for (clip, seconds) in stored.enumerated() {
      _ = input.addClip(duration: Double(length), storedEnd: Double(min(seconds, length)))
      for utility in [1, 1.5, 2] { input.addRate(to: clip, utility: utility) }
      input.setStoredRates(clip: clip, last: seconds > 0 ? 0 : -1, first: seconds > 0 ? 0 : -1)
      for second in min(seconds, length)..<length {
        _ = input.addSegment(to: clip, end: Double(second + 1))
        for (rate, size) in [0.5, 1.5, 3].enumerated() { input.setSize(size, clip: clip, rate: rate) }
      }
      var share = 1.0
      for second in 0...DecisionInput.maxSeconds {
        input.setSurvival(share, after: second, clip: clip)
        share *= 1 - leavingRate
      }
    }
    return input
  }
}

import Testing

@testable import PlatformTesting
@testable import Recommendations

/// Without clock or thread: what is asked when, by what came of it.
@Suite struct CircuitBreakerTests {
  /// Macros look at what they are given from outside, and change nothing there.
  private final class Subject {
    private var machine = CircuitBreaker(.init(failures: 3, window: .seconds(10), rest: .seconds(5)))

    var state: CircuitBreaker.State { machine.state }
    func permit(at now: Duration) -> CircuitBreaker.Permit? { machine.permit(at: now) }
    func ended(
      _ permit: CircuitBreaker.Permit, isAnswered: Bool, at now: Duration
    ) -> CircuitBreaker.Change? { machine.ended(permit, isAnswered: isAnswered, at: now) }
  }

  private let breaker = Subject()

  private func ask(_ isAnswered: Bool, at seconds: Double) -> CircuitBreaker.Change? {
    breaker.permit(at: .seconds(seconds)).flatMap {
      breaker.ended($0, isAnswered: isAnswered, at: .seconds(seconds))
    }
  }

  @Test func opensWithSoManyFailuresWithinTheWindow() {
    #expect(ask(false, at: 0) == nil)
    #expect(ask(false, at: 4) == nil)
    #expect(ask(false, at: 9) == .opened)
    #expect(breaker.state == .open(until: .seconds(14)))
  }

  @Test func failuresThatLieFartherApartOpenNothing() {
    for step in 0..<20 { #expect(ask(false, at: Double(step) * 6) == nil) }
    #expect(breaker.state == .closed)
  }

  @Test func fewFailuresAmongManyAnswersOpenNothing() {
    for step in 0..<1_000 {
      #expect(ask(step % 50 != 0, at: Double(step) / 100) == nil)
    }
    #expect(breaker.state == .closed)
    // When everything fails, it opens as soon as that is half.
    var opened = 0
    for step in 0..<5_000 where ask(false, at: 10 + Double(step) / 1_000) == .opened { opened += 1 }
    #expect(opened == 1)
  }

  @Test func nobodyIsAskedWhileItRestsAndOneBehindThat() throws {
    for _ in 0..<3 { _ = ask(false, at: 1) }
    #expect(breaker.permit(at: .seconds(1)) == nil)
    #expect(breaker.permit(at: .seconds(5.9)) == nil)
    let probe = try #require(breaker.permit(at: .seconds(6)))
    #expect(breaker.permit(at: .seconds(6)) == nil)
    #expect(breaker.ended(probe, isAnswered: true, at: .seconds(6.1)) == .closed)
    #expect(breaker.permit(at: .seconds(6.1)) != nil)
  }

  @Test func aProbeThatFailsLetsItRestAgainWithoutAWord() throws {
    for _ in 0..<3 { _ = ask(false, at: 1) }
    for round in 1...4 {
      let now = Double(1 + 5 * round)
      let probe = try #require(breaker.permit(at: .seconds(now)))
      #expect(breaker.ended(probe, isAnswered: false, at: .seconds(now)) == nil)
      #expect(breaker.permit(at: .seconds(now + 4.9)) == nil)
    }
  }

  @Test func aProbeOfWhichNothingIsHeardIsFollowedByAnother() throws {
    for _ in 0..<3 { _ = ask(false, at: 1) }
    let lost = try #require(breaker.permit(at: .seconds(6)))
    #expect(breaker.permit(at: .seconds(10)) == nil)
    let next = try #require(breaker.permit(at: .seconds(11)))
    #expect(breaker.ended(lost, isAnswered: true, at: .seconds(12)) == nil)
    #expect(breaker.ended(next, isAnswered: true, at: .seconds(12)) == .closed)
  }

  @Test func whatWasAskedBeforeItOpenedNeitherClosesItNorCountsAgain() throws {
    let early = try #require(breaker.permit(at: .seconds(0)))
    let other = try #require(breaker.permit(at: .seconds(0)))
    for _ in 0..<3 { _ = ask(false, at: 1) }
    #expect(breaker.ended(early, isAnswered: true, at: .seconds(2)) == nil)
    #expect(breaker.state == .open(until: .seconds(6)))
    #expect(ask(true, at: 6) == .closed)
    #expect(breaker.ended(other, isAnswered: false, at: .seconds(7)) == nil)
    #expect(ask(false, at: 7) == nil && ask(false, at: 7) == nil)
    #expect(breaker.state == .closed)
  }

  @Test(arguments: 1...5 as ClosedRange<UInt64>)
  func whateverComesOneProbeIsOutAtMostAndOpeningAndClosingAlternate(_ seed: UInt64) {
    var generator = SplitMix(state: seed)
    var now = Duration.zero
    var out: [CircuitBreaker.Permit] = []
    var changes: [CircuitBreaker.Change] = []
    for _ in 0..<10_000 {
      now += .milliseconds(Int64.random(in: 0..<400, using: &generator))
      let before = breaker.state
      if Bool.random(using: &generator) || out.isEmpty {
        guard let permit = breaker.permit(at: now) else {
          #expect(before != .closed)
          continue
        }
        out.append(permit)
        if case .open(let until) = before { #expect(now >= until) }
      } else {
        let permit = out.remove(at: Int.random(in: 0..<out.count, using: &generator))
        let isAnswered = Int.random(in: 0..<3, using: &generator) == 0
        if let change = breaker.ended(permit, isAnswered: isAnswered, at: now) { changes.append(change) }
      }
    }
    #expect(changes.count > 10)
    for (place, change) in changes.enumerated() { #expect(change == (place % 2 == 0 ? .opened : .closed)) }
  }
}

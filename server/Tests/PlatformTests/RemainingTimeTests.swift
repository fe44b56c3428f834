import Testing

@testable import Platform

@Suite struct RemainingTimeTests {
  @Test func evenWorkGivesTheTimeThatIsReallyLeft() {
    var remaining = RemainingTime()
    var last: Int64?
    for second in 0...50 { last = remaining.observe(permille: second * 10, atMs: Int64(second) * 1000) }
    #expect(last == 50_000)
  }

  @Test func nothingIsSaidBeforeEnoughWasSeen() {
    var remaining = RemainingTime()
    #expect(remaining.observe(permille: 20, atMs: 0) == nil)
    #expect(remaining.observe(permille: 22, atMs: 500) == nil)
    #expect(remaining.observe(permille: 24, atMs: 3000) == nil, "four permille are no speed")
    #expect(remaining.observe(permille: 60, atMs: 4000) != nil)
  }

  @Test func workThatStandsStillTakesLongerAndOneSlowMomentChangesLittle() {
    var remaining = RemainingTime()
    for tick in 0...40 { _ = remaining.observe(permille: tick * 10, atMs: Int64(tick) * 500) }
    let before = remaining.observe(permille: 410, atMs: 20_500) ?? 0
    let hiccup = remaining.observe(permille: 411, atMs: 21_000) ?? .max
    #expect(before > 0 && hiccup < before * 6 / 5)
    let standstill = remaining.observe(permille: 411, atMs: 60_000) ?? 0
    #expect(standstill > before * 3)
  }

  @Test func nobodySaysHowLongWorkTakesThatStandsStillForHours() {
    var remaining = RemainingTime()
    for second in 0...20 { _ = remaining.observe(permille: second * 10, atMs: Int64(second) * 1000) }
    // A heartbeat every second for three hours: the figure once passed what an integer holds, and who
    // rounded it up ended the process.
    let figures = (21...10_820).map { remaining.observe(permille: 200, atMs: Int64($0) * 1000) }
    #expect(figures.first != .some(nil))
    #expect(figures.allSatisfy { ($0 ?? 0) <= RemainingTime.mostMs })
    #expect(figures.last == .some(nil))
  }

  @Test func whatARowHoldsIsBounded() {
    #expect(RemainingTime.bounded(.max) == nil)
    #expect(RemainingTime.bounded(-1) == nil)
    #expect(RemainingTime.bounded(86_400_000) == 86_400_000)
  }
}

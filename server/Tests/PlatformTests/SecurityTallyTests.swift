import Foundation
import Testing

@testable import Platform
@testable import PlatformTesting

@Suite struct SecurityTallyTests {
  private func guess(from address: String) -> SecurityLog.Event {
    SecurityLog.Event("sign-in", outcome: "credentials_wrong", account: UUID().uuidString, address: address)
  }

  @Test func aFloodHasFewLinesAndItsSumIsRight() {
    var tally = SecurityTally()
    let taken = (0..<10_000).map { _ in tally.take(guess(from: "192.0.2.1"), atMs: 1000) }
    #expect(taken.count { $0.isShown } == SecurityTally.ofOne && taken.count { $0.firstHeldOf != nil } == 1)
    #expect(tally.take(guess(from: "192.0.2.2"), atMs: 2000).isShown, "others have lines of their own")
    let next = tally.take(guess(from: "192.0.2.1"), atMs: 1000 + SecurityTally.spanMs)
    #expect(next.isShown)
    #expect(next.held.map(\.count) == [10_000 - SecurityTally.ofOne])
    #expect(next.held.map(\.event.account) == [nil], "many accounts are one flood")
  }

  @Test func aFloodFromManyAddressesIsBoundedToo() {
    var tally = SecurityTally()
    let taken = (0..<50_000).map { tally.take(guess(from: "2001:db8::\(String($0, radix: 16))"), atMs: 5) }
    #expect(taken.count { $0.isShown } == SecurityTally.mostCounted + SecurityTally.ofOne)
    let held = tally.end()
    #expect(held.count <= SecurityTally.mostCounted + 1)
    #expect(held.reduce(0) { $0 + $1.count } + taken.count { $0.isShown } == 50_000)
    #expect(held.first?.event.address == "others")
    #expect(tally.end().isEmpty)
  }

  @Test func noFloodOfFailuresHidesWhatCameToPass() {
    var tally = SecurityTally()
    for number in 0..<5000 {
      let address = "2001:db8::\(String(number, radix: 16))"
      _ = tally.take(
        SecurityLog.Event(
          "sign-in", outcome: "credentials_wrong", account: nil, address: address, network: "2001:db8"),
        atMs: 5)
    }
    let owner = SecurityLog.Event("sign-in", account: "mara", address: "192.0.2.9")
    #expect(tally.take(owner, atMs: 6).isShown)
    let thief = SecurityLog.Event(
      "refresh", outcome: "refresh_token_reused", account: "m", address: "192.0.2.8")
    #expect(tally.take(thief, atMs: 6).isShown)
    // All of one network are one.
    #expect(tally.end(of: 4).isEmpty && tally.end(of: 5).map(\.count) == [5000 - SecurityTally.ofOne])
  }

  @Test func aClockThatIsSetBackBeginsAnotherMinute() {
    var tally = SecurityTally()
    for _ in 0..<20 { _ = tally.take(guess(from: "192.0.2.1"), atMs: 1_000_000) }
    #expect(tally.take(guess(from: "192.0.2.1"), atMs: 5).held.map(\.count) == [10])
  }

  @Test func whatWasHeldBackIsToldThoughNothingComesAnyMore() {
    let notebook = Notebook()
    let log = SecurityLog(time: TestTime(ms: 0), logger: notebook.logger)
    for _ in 0..<30 { log.write(guess(from: "192.0.2.1")) }
    log.end()
    #expect(notebook.lines.count == SecurityTally.ofOne + 1)
    #expect(notebook.lines.last?.contains(#""repeated": 20"#) == true, "\(notebook.lines)")
  }
}

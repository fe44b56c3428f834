import Foundation
import Platform
import Synchronization
import Testing

@testable import Gateway

/// A clock that a test sets.
final class HandSetClock: TimeSource {
  private let now = Mutex<Int64>(1_000_000)
  var nowMs: Int64 { now.withLock { $0 } }
  func advance(_ ms: Int64) { now.withLock { $0 += ms } }
}

@Suite struct RateLimitTests {
  private let clock = HandSetClock()

  @Test func aBurstPassesThenOnePerInterval() {
    let limit = RateLimit(burst: 3, intervalMs: 100, time: clock)
    #expect((0..<3).map { _ in limit.take("a") } == [nil, nil, nil])
    #expect(limit.take("a") == 100)
    clock.advance(60)
    #expect(limit.take("a") == 40)
    #expect(limit.take("b") == nil)
    clock.advance(40)
    #expect(limit.take("a") == nil)
    #expect(limit.take("a") == 100)
    clock.advance(10_000)
    #expect((0..<4).map { _ in limit.take("a") } == [nil, nil, nil, 100])
  }

  @Test func aClockThatIsSetBackLocksNobodyOut() {
    let limit = RateLimit(burst: 2, intervalMs: 100, time: clock)
    _ = limit.take("a")
    clock.advance(-500_000)
    #expect(limit.take("a") == 100)
    clock.advance(100)
    #expect(limit.take("a") == nil)
  }

  @Test(
    arguments: [
      ("192.0.2.7", nil, 0, "192.0.2.7"), ("192.0.2.7", "203.0.113.9", 0, "192.0.2.7"),
      ("127.0.0.1", "6.6.6.6, 203.0.113.9", 1, "203.0.113.9"),
      ("127.0.0.1", "203.0.113.9, 10.0.0.1", 2, "203.0.113.9"), ("127.0.0.1", "203.0.113.9", 2, "127.0.0.1"),
      ("127.0.0.1", nil, 1, "127.0.0.1"), ("127.0.0.1", "nonsense", 1, "127.0.0.1"),
      // A letter that takes the comma behind it for its own, as `Character` sees it; nginx wrote the comma.
      ("127.0.0.1", "6.6.6.6\u{D4E}, 203.0.113.9", 1, "203.0.113.9"),
      ("127.0.0.1", "6.6.6.6,\u{301} 203.0.113.9", 1, "127.0.0.1"),
      ("127.0.0.1", "6.6.6.6,203.0.113.9\u{0}", 1, "127.0.0.1"),
    ] as [(String, String?, Int, String)])
  func onlyWhatTheOperatorsProxiesAddIsBelieved(
    _ peer: String, _ forwarded: String?, _ proxies: Int, _ address: String
  ) {
    #expect(ClientAddress.of(peer: peer, forwarded: forwarded, proxies: proxies) == address)
  }

  @Test func aSubscriberOfIPv6IsOneAddress() {
    func address(_ text: String) -> String { ClientAddress.of(peer: text, forwarded: nil, proxies: 0) }
    #expect(address("2001:db8:1:2::1") == address("2001:db8:1:2:ffff::9"))
    #expect(address("2001:db8:1:2::1") != address("2001:db8:1:3::1"))
    #expect(address("::ffff:192.0.2.1") != address("::ffff:192.0.2.2"))
  }
}

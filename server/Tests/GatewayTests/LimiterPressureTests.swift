import Contract
import Foundation
import Testing

@testable import Gateway
@testable import Platform

/// More keys than there is room for, as whoever has a network of IPv6 can bring them.
@Suite struct LimiterPressureTests {
  private let clock = HandSetClock()

  @Test func aFullTableForgetsTheBucketThatIsNearestToFull() {
    let limit = RateLimit(burst: 3, intervalMs: 100, capacity: 3, time: clock)
    for _ in 0..<3 { #expect(limit.take("empty") == nil) }
    for _ in 0..<2 { #expect(limit.take("half") == nil) }
    #expect(limit.take("nearly full") == nil)
    #expect(limit.take("newcomer") == nil)
    #expect(limit.count == 3)
    #expect(limit.take("empty") == 100)
    #expect(limit.take("half") == nil)
    #expect(limit.take("half") == 100)
    // It has its own tokens, and shares them with nobody.
    #expect((0..<3).map { _ in limit.take("another") } == [nil, nil, nil])
  }

  @Test func aHundredThousandStrangersNeitherGrowTheTableNorFreeWhoIsHeldUp() {
    let limit = RateLimit(burst: 5, intervalMs: 60_000, capacity: 1000, time: clock)
    for _ in 0..<5 { #expect(limit.take("held up") == nil) }
    for number in 0..<100_000 {
      if number % 100 == 0 { clock.advance(1) }
      if limit.take("2001:db8:\(number)") != nil { Issue.record("\(number) was held up by strangers") }
      if number % 10_000 == 0 { #expect(limit.take("held up") != nil) }
    }
    #expect(limit.count == 1000)
    #expect(limit.take("held up") != nil)
    for _ in 0..<5 { #expect(limit.take("honest") == nil) }
    #expect(limit.take("honest") != nil)
    // What is full goes by itself.
    clock.advance(10 * 60_000)
    for number in 0..<600 { _ = limit.take("later \(number)") }
    #expect(limit.count <= 600)
  }

  @Test func whatIsRefilledLeavesNothingBehind() {
    let limit = RateLimit(burst: 5, intervalMs: 60_000, time: clock)
    for number in 0..<100_000 {
      _ = limit.take("somebody \(number % 7)")
      limit.refill("somebody \(number % 7)")
    }
    #expect(limit.count == 0)
    for _ in 0..<5 { #expect(limit.take("somebody 1") == nil) }
    #expect(limit.take("somebody 1") != nil)
  }

  @Test func aKeyOfAnyLengthTakesTheRoomOfAShortOne() {
    let limit = RateLimit(burst: 1, intervalMs: 100, time: clock)
    let long = String(repeating: "a\u{301}", count: 30_000)
    #expect(limit.take(long) == nil)
    #expect(limit.take(long) == 100)
    #expect(limit.take(long + "b") == nil)
    limit.refill(long)
    #expect(limit.take(long) == nil)
  }

  @Test func aNetworkHasMoreTokensThanAnAddressInItAndLessThanAllOfThem() {
    func networks(_ text: String) -> [String] {
      ClientNetwork.all(of: ClientAddress.of(peer: text, forwarded: nil, proxies: 0)).map {
        "\($0.name) x\($0.factor)"
      }
    }
    let one = networks("2001:db8:1:2::1")
    #expect(one.count == 3)
    #expect(one[1...] == networks("2001:db8:1:ff::9")[1...])
    #expect(one[2] == networks("2001:db8:1:ff00::9")[2])
    #expect(one[1] != networks("2001:db8:1:ff00::9")[1])
    #expect(one[2] != networks("2001:db8:2:2::1")[2])
    #expect(networks("192.0.2.7") == ["192.0.2.7 x1", "192.0.2/24 x64"])
    #expect(networks("192.0.2.7")[1] == networks("192.0.2.200")[1])
    #expect(networks("::ffff:192.0.2.7")[1] == networks("::ffff:192.0.2.200")[1])
    #expect(networks("::ffff:192.0.2.7")[1] != networks("::ffff:192.0.3.7")[1])
    #expect(networks("nonsense") == ["nonsense x1"])
  }
}

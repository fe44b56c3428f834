import CoreTypes
import Testing

@testable import Simulation

@Suite struct TraceTests {
  /// 1 Mbit/s for a second, nothing for a second, 3 Mbit/s for a second.
  private let trace = Trace(
    [1_000, 0, 3_000].map { Trace.Sample(kilobits: $0, roundTrip: Milliseconds(50)) },
    each: Milliseconds(1_000))

  @Test func carriesTheIntegralOfItsBandwidth() {
    #expect(trace.bits(until: Instant(500)) == 500_000)
    #expect(trace.bits(until: Instant(1_900)) == 1_000_000)
    #expect(trace.bits(until: Instant(2_500)) == 2_500_000)
    #expect(trace.bits(until: Instant(3_000)) == 4_000_000)
    #expect(trace.bits(until: Instant(6_250)) == 8_250_000)
  }

  @Test func knowsWhenSoManyBitsAreThrough() {
    #expect(trace.time(of: 0) == Instant(0))
    #expect(trace.time(of: 1_000_000) == Instant(1_000))
    #expect(trace.time(of: 1_000_001) == Instant(2_001))
    #expect(trace.time(of: 4_000_000) == Instant(3_000))
    #expect(trace.time(of: 4_000_001) == Instant(3_001))
    #expect(Trace(kilobits: 0, roundTrip: .zero).time(of: 1) == nil)
  }

  @Test func timeIsTheInverseOfBits() {
    var chance = SeededGenerator(seed: 5)
    for family in TraceFamily.allCases {
      let trace = family.trace(seed: 9)
      for _ in 0..<300 {
        let bits = chance.next(below: 3 * trace.bits(until: Instant(trace.duration.rawValue))) + 1
        let time = trace.time(of: bits) ?? Instant(-1)
        #expect(trace.bits(until: time) >= bits)
        #expect(trace.bits(until: Instant(time.rawValue - 1)) < bits)
      }
    }
  }

  @Test func readsAFile() throws {
    let read = try Trace(text: "# time Mbit/s ms\n10 1.5 40\n\n10.5 0 60\r\n12\t3\n")
    #expect(read.samples.map(\.kilobits) == [1_500, 0, 3_000])
    #expect(read.samples.map(\.roundTrip.rawValue) == [40, 60, 80])
    // The last line holds as long as the one before it.
    #expect(read.duration == Milliseconds(3_500))
    #expect(read.bits(until: Instant(3_500)) == 750_000 + 4_500_000)
  }

  @Test(arguments: [
    ("", 0), ("0 0\n1 0", 0), ("0 1\nx 2", 2), ("0 1 2 3", 1), ("0 1\n0 2", 2), ("0 -1", 1), ("0 nan", 1),
    ("0 1\n1 1e99", 2),
  ])
  func refusesWhatIsNoTrace(text: String, line: Int) {
    #expect { try Trace(text: text) } throws: { ($0 as? Trace.Unreadable)?.line == line }
  }

  @Test func familiesHaveTheMeansThatAreStated() {
    let expected: [TraceFamily: ClosedRange<Double>] = [
      .threeG: 1_400...2_000, .fourG: 7_500...11_500, .train: 4_000...7_000, .lift: 6_500...11_000,
      .wifi: 24_000...40_000,
    ]
    for (family, range) in expected {
      let means = (0..<60).map { Double(family.trace(seed: $0).meanKilobits) }
      #expect(range.contains(means.reduce(0, +) / 60), "\(family)")
    }
  }
}

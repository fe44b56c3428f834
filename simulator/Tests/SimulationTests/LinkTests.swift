import CoreTypes
import Testing

@testable import Simulation

/// 8 Mbit/s are 1,000 bytes a ms.
@Suite struct LinkTests {
  private var link = Link(Trace(kilobits: 8_000, roundTrip: Milliseconds(100)))

  private func run(_ link: inout Link, until end: Int64) -> [(at: Int64, report: Link.Report)] {
    var reports: [(Int64, Link.Report)] = []
    while let next = link.nextEvent, next.rawValue <= end {
      for report in link.advance(to: next) { reports.append((next.rawValue, report)) }
    }
    for report in link.advance(to: Instant(end)) { reports.append((end, report)) }
    return reports
  }

  @Test mutating func aRequestTakesARoundTripAndItsBytes() {
    link.open(1, [Link.Part(segment: -1, bytes: 1_000), Link.Part(segment: 0, bytes: 50_000)])
    let reports = run(&link, until: 1_000)
    #expect(reports.map(\.at) == [101, 151, 151])
    #expect(reports[0].report == .arrived(request: 1, segment: -1))
    #expect(reports[1].report == .arrived(request: 1, segment: 0))
    guard case .finished(1, 51_000, let elapsed, let firstByte) = reports[2].report else {
      Issue.record("it did not finish")
      return
    }
    #expect(elapsed == Milliseconds(151))
    #expect(firstByte == Milliseconds(101))
    #expect(link.deliveredBytes == 51_000)
  }

  @Test mutating func requestsShareTheLinkEvenly() {
    link.open(1, [Link.Part(segment: 0, bytes: 100_000)])
    link.open(2, [Link.Part(segment: 0, bytes: 30_000)])
    // Both have half until the second is through at 160; then the first has 70,000 bytes to go.
    #expect(run(&link, until: 1_000).map(\.at) == [160, 160, 230, 230])
  }

  @Test mutating func whatIsCancelledOccupiesTheLinkForARoundTrip() {
    link.open(1, [Link.Part(segment: 0, bytes: 1_000_000)])
    _ = run(&link, until: 150)
    link.cancel(1)
    #expect(link.deliveredBytes == 50_000)
    #expect(run(&link, until: 1_000).isEmpty)
    #expect(link.deliveredBytes == 150_000)
    #expect(link.busy == Milliseconds(250))
  }

  @Test mutating func aCancelledSmallRequestStillComesButIsNotReported() {
    link.open(1, [Link.Part(segment: 0, bytes: 5_000)])
    _ = run(&link, until: 60)
    link.cancel(1)
    #expect(run(&link, until: 1_000).isEmpty)
    #expect(link.deliveredBytes == 5_000)
  }

  @Test func nothingPassesWhileTheLinkIsDown() {
    var link = Link(
      Trace(
        [8_000, 0, 8_000].map { Trace.Sample(kilobits: $0, roundTrip: Milliseconds(100)) },
        each: Milliseconds(200)))
    link.open(1, [Link.Part(segment: 0, bytes: 150_000)])
    #expect(run(&link, until: 1_000).map(\.at) == [450, 450])
  }
}

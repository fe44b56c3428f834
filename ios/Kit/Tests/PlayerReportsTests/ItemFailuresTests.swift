import CoreTypes
import Testing

@testable import PlayerReports

@Suite struct ItemFailuresTests {
  @Test(arguments: [
    [], [ItemFailures.Cause(domain: "NSURLErrorDomain", code: -1_004)],
    [ItemFailures.Cause(domain: "CoreMediaErrorDomain", code: -12_889)],
    [
      ItemFailures.Cause(domain: "AVFoundationErrorDomain", code: -11_800),
      ItemFailures.Cause(domain: "NSOSStatusErrorDomain", code: -12_660),
    ],
  ])
  func bytesThatAreLateAreAskedForAgainLaterEachTime(_ causes: [ItemFailures.Cause]) {
    var failures = ItemFailures()
    #expect(
      (0..<4).map { _ in failures.failed(causes) } == [
        .again(after: Milliseconds(250)), .again(after: Milliseconds(1_000)),
        .again(after: Milliseconds(4_000)), .gone,
      ])
    failures.forget()
    #expect(failures.failed(causes) == .again(after: Milliseconds(250)))
  }

  @Test(arguments: [-11_821, -11_828, -11_833])
  func aClipThatCannotBeDecodedIsGoneAtOnce(_ code: Int) {
    var failures = ItemFailures()
    let decoder = ItemFailures.Cause(domain: "AVFoundationErrorDomain", code: code)
    #expect(failures.failed([decoder]) == .gone)
    #expect(
      failures.failed([ItemFailures.Cause(domain: "AVFoundationErrorDomain", code: -11_800), decoder])
        == .gone)
    // The same number of another domain is another thing.
    #expect(failures.failed([ItemFailures.Cause(domain: "NSOSStatusErrorDomain", code: code)]) != .gone)
  }
}

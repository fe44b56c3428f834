import Activity
import CoreTypes
import Testing

@Suite struct RecordQueueTests {
  /// So many records, of as many clips.
  private func filled(_ count: Int32) -> ActivityHarness {
    var harness = ActivityHarness()
    // Each brings the skip of the one before.
    for item in 0...(count / 2) { harness.show(item) }
    #expect(harness.kept.count == Int(count) + 1)
    return harness
  }

  private func batches(_ commands: [Activity.Command]) -> [Activity.Command] {
    commands.filter {
      switch $0 {
      case .sendBatch, .sendBeacon, .dropRecords: true
      default: false
      }
    }
  }

  @Test func recordsWaitForOthersAndGoAgainUntilTheyAreAnswered() {
    var harness = filled(2)
    harness.wait(9_999)
    #expect(batches(harness.take()).isEmpty)
    harness.wait(1)
    #expect(batches(harness.take()) == [.sendBatch(first: 0, count: 3)])
    harness.show(7)
    harness.send(.batchFailed(status: 503))
    harness.wait(19_999)
    #expect(batches(harness.take()).isEmpty)
    harness.wait(1)
    #expect(batches(harness.take()) == [.sendBatch(first: 0, count: 5)])
    harness.send(.batchAnswered)
    #expect(batches(harness.take()) == [.dropRecords(first: 0, count: 5)])
    #expect(harness.activity.nextWake == nil)
    // What worked is not waited for as long as what failed.
    harness.show(8)
    harness.wait(10_000)
    #expect(batches(harness.take()) == [.sendBatch(first: 5, count: 2)])
  }

  @Test func oneBatchAtATimeHasAHundred() {
    var harness = filled(240)
    harness.wait(60_000)
    #expect(batches(harness.take()) == [.sendBatch(first: 0, count: 100)])
    harness.send(.batchAnswered)
    harness.wait(10_000)
    #expect(
      batches(harness.take()) == [.dropRecords(first: 0, count: 100), .sendBatch(first: 100, count: 100)])
  }

  @Test(arguments: [(400, true), (413, true), (401, false), (429, false), (0, false), (500, false)])
  func whatTheServerWillNeverTakeIsDropped(status: Int32, isDropped: Bool) {
    var harness = filled(2)
    harness.wait(10_000)
    harness.send(.batchFailed(status: status))
    #expect(harness.kept.isEmpty == isDropped)
  }

  @Test func waitsGrowToFiveMinutes() {
    var harness = filled(2)
    var times: [Int64] = []
    for _ in 0..<7 {
      let since = harness.now
      harness.wait((harness.activity.nextWake! - since).rawValue)
      times.append((harness.now - since).rawValue)
      harness.send(.batchFailed(status: 0))
    }
    #expect(times == [10_000, 20_000, 40_000, 80_000, 160_000, 300_000, 300_000])
  }

  @Test func aPageThatGoesSendsWhatItHasAndOneThatComesBackSendsItAgain() {
    var harness = ActivityHarness()
    harness.send(.pageHidden)
    #expect(harness.take().isEmpty)
    harness.show(1)
    harness.send(.pageHidden)
    harness.wait(10_000)
    #expect(
      batches(harness.take()) == [.sendBeacon(first: 0, count: 1), .sendBatch(first: 0, count: 1)])
  }

  @Test func aPageThatSaysTwiceThatItGoesSendsOnce() {
    var harness = ActivityHarness()
    harness.show(1)
    harness.send(.pageHidden)
    harness.wait(5)
    harness.send(.pageHidden)
    #expect(batches(harness.take()) == [.sendBeacon(first: 0, count: 1)])
    // It came back, so it goes once more; with what happened meanwhile; and where there was no network.
    harness.send(.playing)
    harness.send(.pageHidden)
    #expect(batches(harness.take()) == [.sendBeacon(first: 0, count: 2)])
    harness.show(2)
    harness.send(.pageHidden)
    #expect(batches(harness.take()) == [.sendBeacon(first: 0, count: 4)])
    harness.wait(10_000)
    harness.send(.batchFailed(status: 0))
    harness.send(.pageHidden)
    #expect(
      batches(harness.take()) == [.sendBatch(first: 0, count: 4), .sendBeacon(first: 0, count: 4)])
  }

  @Test func ofALongTimeWithoutANetworkTheOldestAreDropped() {
    var harness = filled(300)
    harness.wait(10_000)
    for item: Int32 in 1_000..<1_100 { harness.show(item) }
    #expect(harness.kept.map(\.number).first == 101)
    #expect(harness.kept.count == 400)
    // Of the batch under way only what is still there is dropped.
    harness.send(.batchAnswered)
    #expect(harness.kept.map(\.number).first == 101)
    harness.wait(10_000)
    #expect(batches(harness.take()).last == .sendBatch(first: 101, count: 100))
  }

  @Test func answersThatNobodyWaitsForSayNothing() {
    var harness = filled(2)
    harness.commands = []
    harness.send(.batchAnswered, .batchFailed(status: 400), .woke)
    #expect(harness.commands.isEmpty)
    #expect(harness.kept.count == 3)
  }
}

import Activity
import CoreTypes
import Testing

@Suite struct ToggleTests {
  private static let like = ToggleID(1)

  private func want(_ isOn: Bool, _ toggle: ToggleID = like, known: Bool = false) -> Activity.Event {
    .toggleRequested(toggle, isOn: isOn, known: known)
  }

  @Test func quickTapsSendOneRequestAtATimeAndSettleOnTheLastWish() {
    var harness = ActivityHarness()
    harness.send(want(true), want(false), want(true), want(false))
    #expect(harness.take().filter { $0 == .sendToggle(Self.like, isOn: true) }.count == 1)
    harness.send(.toggleAnswered(Self.like))
    #expect(harness.take() == [.sendToggle(Self.like, isOn: false)])
    harness.send(.toggleAnswered(Self.like))
    #expect(harness.take() == [.confirmToggle(Self.like, isOn: false)])
  }

  @Test func tapsThatComeBackToWhereTheyBeganAskForNothingMore() {
    var harness = ActivityHarness()
    harness.send(want(true), want(false), want(true))
    harness.commands = []
    harness.send(.toggleAnswered(Self.like))
    #expect(harness.take() == [.confirmToggle(Self.like, isOn: true)])
    harness.send(want(true, known: true))
    #expect(harness.take() == [.showToggle(Self.like, isOn: true)])
  }

  @Test func togglesDoNotWaitForEachOther() {
    var harness = ActivityHarness()
    harness.send(want(true), want(true, ToggleID(2)))
    #expect(
      harness.take() == [
        .showToggle(Self.like, isOn: true), .sendToggle(Self.like, isOn: true),
        .showToggle(ToggleID(2), isOn: true), .sendToggle(ToggleID(2), isOn: true),
      ])
  }

  @Test func whatIsRefusedIsTakenBack() {
    var harness = ActivityHarness()
    harness.send(want(true))
    harness.commands = []
    harness.send(.toggleFailed(Self.like, status: 404))
    #expect(harness.take() == [.revertToggle(Self.like, isOn: false)])
    // Twice is not twice.
    harness.send(.toggleFailed(Self.like, status: 404), .toggleAnswered(Self.like))
    #expect(harness.take().isEmpty)
  }

  @Test func aWishThatFailsAfterItWasTakenBackIsNotSaid() {
    var harness = ActivityHarness()
    harness.send(want(true), want(false))
    harness.commands = []
    harness.send(.toggleFailed(Self.like, status: 409))
    #expect(harness.take().isEmpty)
  }

  @Test(arguments: [0, 500, 503] as [Int32])
  func whereAnAnswerGotLostTheNextWishIsSentAllTheSame(status: Int32) {
    var harness = ActivityHarness()
    harness.send(want(true), .toggleFailed(Self.like, status: status))
    #expect(harness.take().last == .revertToggle(Self.like, isOn: false))
    harness.send(want(false))
    #expect(harness.take().last == .sendToggle(Self.like, isOn: false))
    harness.send(.toggleAnswered(Self.like))
    #expect(harness.take() == [.confirmToggle(Self.like, isOn: false)])
    harness.send(want(false))
    #expect(harness.take() == [.showToggle(Self.like, isOn: false)])
  }

  @Test func whoLeavesHearsNoMoreOfIt() {
    var harness = ActivityHarness()
    harness.send(want(true), .togglesForgotten)
    harness.commands = []
    harness.send(.toggleAnswered(Self.like), .toggleFailed(Self.like, status: 0))
    #expect(harness.take().isEmpty)
  }
}

import Testing

@testable import PlatformTesting
@testable import Recommendations

/// Work that is given up on, and work that is not.
@Suite struct DeadlineTests {
  /// Else all pages that nobody waits for any more would be made to their end, when there is the least time.
  @Test(.timeLimit(.minutes(20))) func workThatIsLateIsCancelledAndNotWaitedFor() async {
    let (isAnswered, isCancelled) = (Latch(), Latch())
    let value = await Deadline.within(.zero) {
      await withTaskCancellationHandler {
        await isAnswered.opened()
      } onCancel: {
        isCancelled.open()
      }
      return 1
    }
    #expect(value == nil)
    await isCancelled.opened()
    isAnswered.open()
  }

  @Test func workThatIsDoneInTimeIsNotCancelled() async {
    let wasCancelled = await Deadline.within(.seconds(3_600)) { Task.isCancelled }
    #expect(wasCancelled == false)
  }
}

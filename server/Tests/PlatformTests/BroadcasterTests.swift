import Testing

@testable import Platform

struct BroadcasterTests {
  /// Whoever cancels holds a lock of the task that whoever tells resumes.
  @Test(.timeLimit(.minutes(20))) func aSubscriptionEndsWhileSomebodyTells() async {
    let broadcaster = Broadcaster()
    for _ in 0..<1_000 {
      let listeners = (0..<20).map { _ in
        Task { for await _ in broadcaster.subscribe(to: "clips", isJoined: true) {} }
      }
      let teller = Task.detached {
        for _ in 0..<100 {
          broadcaster.tell(.message([]), to: "clips")
          await Task.yield()
        }
      }
      for _ in 0..<5 { await Task.yield() }
      for listener in listeners {
        listener.cancel()
        await Task.yield()
      }
      await teller.value
      for listener in listeners { await listener.value }
    }
    #expect(broadcaster.channels.isEmpty)
  }
}

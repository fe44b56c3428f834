import Foundation
import Synchronization
import Testing
import Upload

@testable import Transfer

/// Keeps what it is to call once all has been told.
private final class Events: Sendable {
  private let done = Mutex<(@Sendable () -> Void)?>(nil)

  func finish(_ done: @escaping @Sendable () -> Void) { self.done.withLock { $0 = done } }
  func tell() { done.withLock { $0 }?() }
}

@MainActor @Suite struct UploadWakingTests {
  @Test func theAppSleepsAgainOnceAllIsSaidAndNothingIsLeftToDo() async throws {
    let bench = UploadBench()
    let events = Events()
    await bench.queue.start()
    try await bench.queue.add(try bench.file(UploadBench.video(1_000)), name: "film")
    var sleeps = 0
    let waking = UploadWaking(queue: bench.queue, patience: .seconds(3600)) { events.finish($0) }
    waking.wake { sleeps += 1 }
    #expect(await bench.runs { bench.phase == .complete })
    #expect(sleeps == 0)
    events.tell()
    #expect(await bench.runs { sleeps == 1 })
  }

  @Test func whatWasToldBeforeAnybodyAskedIsNotWaitedFor() async {
    let bench = UploadBench()
    let events = FinishedEvents()
    // The session was made, and told all, before the app hears that it was woken.
    events.announced()
    var sleeps = 0
    UploadWaking(queue: bench.queue, patience: .seconds(3600)) { events.onceAnnounced($0) }.wake {
      sleeps += 1
    }
    #expect(await bench.runs { sleeps == 1 })
    // Once heard it is over: the next time is told by itself.
    UploadWaking(queue: bench.queue, patience: .seconds(3600)) { events.onceAnnounced($0) }.wake {
      sleeps += 1
    }
    for _ in 0..<100 { await Task.yield() }
    #expect(sleeps == 1)
    events.announced()
    #expect(await bench.runs { sleeps == 2 })
  }

  @Test func whatBeganSinceIsWaitedFor() async {
    let bench = UploadBench()
    let events = FinishedEvents()
    // Told while the app was in front, where nobody wants to hear of it; then a part begins.
    events.announced()
    events.begun()
    var sleeps = 0
    UploadWaking(queue: bench.queue, patience: .seconds(3600)) { events.onceAnnounced($0) }.wake {
      sleeps += 1
    }
    // Who waits is not forgotten by the next part.
    events.begun()
    for _ in 0..<100 { await Task.yield() }
    #expect(sleeps == 0)
    events.announced()
    #expect(await bench.runs { sleeps == 1 })
  }

  @Test func aWakeBeginsTheQueue() async throws {
    let bench = UploadBench()
    try await bench.queue.add(
      try bench.file(UploadBench.video(1_000)), name: "film", isPublishRequested: true)
    bench.startApp()
    let events = Events()
    var sleeps = 0
    UploadWaking(queue: bench.queue, patience: .seconds(3600)) { events.finish($0) }.wake { sleeps += 1 }
    events.tell()
    #expect(await bench.runs { sleeps == 1 })
    #expect(!bench.server.requests.isEmpty, "what the last run left is on its way")
  }

  @Test func whereNothingIsUploadedItSleepsAtOnce() async {
    let bench = UploadBench()
    await bench.queue.start()
    var sleeps = 0
    UploadWaking(queue: bench.queue, patience: .seconds(3600)) { $0() }.wake { sleeps += 1 }
    #expect(await bench.runs { sleeps == 1 })
  }
}

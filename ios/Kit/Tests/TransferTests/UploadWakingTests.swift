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
    let waking = UploadWaking(queue: bench.queue) { events.finish($0) }
    waking.wake { sleeps += 1 }
    #expect(await bench.runs { bench.phase == .complete })
    #expect(sleeps == 0)
    events.tell()
    #expect(await bench.runs { sleeps == 1 })
  }

  @Test func whereNothingIsUploadedItSleepsAtOnce() async {
    let bench = UploadBench()
    await bench.queue.start()
    var sleeps = 0
    UploadWaking(queue: bench.queue) { $0() }.wake { sleeps += 1 }
    #expect(await bench.runs { sleeps == 1 })
  }
}

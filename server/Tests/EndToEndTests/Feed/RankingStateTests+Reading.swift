import Contract
import Platform
import Synchronization
import Testing

@testable import Composition
@testable import PlatformTesting
@testable import Recommendations
@testable import ServerTesting

/// How the log is read beside pages (`LogReader`).
extension RankingStateTests {
  /// So a page has little to wait for while much happens.
  @Test func whatIsDoneNextIsLearnedBeforeAnybodyAsks() async throws {
    let clips = try await publish(25)
    let store = process()
    let steps = Mutex<[@Sendable () async throws -> Void]>([
      { [self] in try await like(Array(clips[1..<24]), by: "me", in: store) },
      { [self] in try await like([clips[24]], by: "me", in: store) },
    ])
    let reader = LogReader(
      database: bench.instance.database, time: time, engine: store.engine, snapshots: store.state.snapshots,
      soon: { try await steps.withLock { $0.isEmpty ? nil : $0.removeFirst() }?() })
    try await reader.follow()
    #expect(steps.withLock(\.count) == 2)
    try await like([clips[0]], by: "me", in: store)
    try await reader.follow()
    try await eventually("it reads on") { await store.engine.likes(of: "me") == clips }
    #expect(await reader.learned == clips.count)
  }

  @Test func aReadThatFailsIsNotTheLastThatNobodyAskedFor() async throws {
    let clips = try await publish(3)
    let store = process()
    struct Failure: Error {}
    let fails = Mutex(false)
    let steps = Mutex<[@Sendable () async throws -> Void]>([
      { fails.withLock { $0 = true } },
      { [self] in try await like([clips[2]], by: "me", in: store) },
    ])
    let hooked = HookedDatabase(database: bench.instance.database) { _, _ in
      if fails.withLock({ $0 }) { throw Failure() }
    }
    let reader = LogReader(
      database: hooked, time: time, engine: store.engine, snapshots: store.state.snapshots,
      soon: { try await steps.withLock { $0.isEmpty ? nil : $0.removeFirst() }?() })
    // With all that is done every ten seconds only.
    try await reader.follow()
    try await like([clips[0]], by: "me", in: store)
    try await reader.follow()
    try await eventually("it fails") {
      do { try await reader.follow() } catch is Failure { return true }
      return false
    }
    fails.withLock { $0 = false }
    try await like([clips[1]], by: "me", in: store)
    try await reader.follow()
    try await eventually("it reads on") { await store.engine.likes(of: "me") == clips }
  }

  /// Its id was made before that of another's event, and its transaction ended behind it.
  @Test func whatAViewerDidIsLearnedForTheirPageThoughLaterEventsWereBefore() async throws {
    let clips = try await publish(2)
    let store = process()
    try await like([clips[0]], by: "another", in: store)
    try await store.reader.follow()
    try await like([clips[1]], by: "me", in: store)
    try await move(clips[1], to: time.nowMs - 20)
    try await store.reader.follow(for: "another")
    #expect(await store.engine.likes(of: "me").isEmpty)
    for _ in 0..<2 { try await store.reader.follow(for: "me") }
    #expect(await store.engine.likes(of: "me") == [clips[1]])
    #expect(await store.reader.learned == 2)
  }

  /// Whoever asks for a page reads events meanwhile, and clips come, go and come back.
  @Test func pagesComeInBetweenWhileAllClipsAreReadAgain() async throws {
    let clips = try await publish(4)
    let store = process()
    let steps = Mutex<[@Sendable () async throws -> Void]>([])
    let reader = LogReader(
      database: bench.instance.database, time: time, engine: store.engine, snapshots: store.state.snapshots,
      limit: 1, pause: { try await steps.withLock { $0.isEmpty ? nil : $0.removeFirst() }?() })
    try await reader.follow()
    try await show(clips[1], .private)
    steps.withLock {
      $0 = [
        // Only the first is read.
        { [self] in
          try await like([clips[3]], by: "me", in: store)
          _ = try await bench.publishBare("another")
          try await reader.follow()
          #expect(await store.engine.likes(of: "me") == [clips[3]])
          #expect(await store.engine.clipCount == 5)
        },
        // The third is read as well, and the second was not there.
        { [self] in
          try await show(clips[1], .public)
          time.advance(ms: LogReader.lookbackMs)
          try await reader.follow()
          try await show(clips[3], .private)
        },
      ]
    }
    try await reader.refresh()
    #expect(steps.withLock { $0.isEmpty })
    #expect(await store.engine.clipCount == 4)
    #expect(await store.engine.likes(of: "me").isEmpty)
  }
}

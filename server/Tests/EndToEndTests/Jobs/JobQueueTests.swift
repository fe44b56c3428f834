import Contract
import FFmpeg
import Foundation
import LocalBlobs
import Logging
import SQLite
import ServiceLifecycle
import Testing
import Videos

@testable import Composition
@testable import Platform
@testable import PlatformTesting
@testable import ServerTesting

extension JobQueue {
  /// Ends the lease of a job that runs, and takes it as another worker would.
  func takeAway(kind: String, by clock: TestTime) async throws -> Job {
    while true {
      clock.advance(ms: Self.leaseMs + 1)
      if let job = try await claim(kinds: [kind]) { return job }
      // A heartbeat came in between and renewed the lease.
      await Task.yield()
    }
  }
}

private struct Handler: JobHandler {
  let kind = "test"
  let body: @Sendable (Job) async throws -> Void
  func run(_ job: Job, under lease: JobLease) async throws -> @Sendable (any Transaction) throws -> Void {
    try await body(job)
    return { try $0.execute("INSERT INTO settings (name, value) VALUES (?, 'done')", [.text(job.key)]) }
  }
  func gaveUp(_ job: Job, because error: AppError, in transaction: any Transaction) throws {
    try transaction.execute("INSERT INTO settings (name, value) VALUES (?, 'gave up')", [.text(job.key)])
  }
  func ended(_ job: Job, failure: AppError?) async {}
}

@Suite(.everyEngine) struct JobQueueTests {
  let bench: TestInstance
  let time = TestTime()
  let queue: JobQueue

  init() async throws {
    bench = try await TestInstance()
    queue = JobQueue(database: bench.instance.database, time: time)
  }

  private func enqueue(_ key: String) async throws {
    try await bench.instance.database.write { [queue] in
      try queue.enqueue(kind: "test", key: key, payload: "", in: $0)
    }
  }

  private func enqueueAgain(_ key: String) async throws {
    try await bench.instance.database.write { [queue] in
      try queue.enqueue(kind: "test", key: key, payload: "", again: true, in: $0)
    }
  }

  @Test func aJobThatIsDoneOrGivenUpCanBeAskedForAgainAndOneThatWaitsOrRunsIsTheSame() async throws {
    try await enqueueAgain("a")
    try await enqueueAgain("a")
    let job = try #require(try await queue.claim(kinds: ["test"]))
    try await enqueueAgain("a")
    #expect(try await queue.claim(kinds: ["test"]) == nil)
    // Whoever asks in the transaction that ends it has it done once more.
    try await queue.complete(job) { [queue] in
      try queue.enqueue(kind: "test", key: "a", payload: "", again: true, in: $0)
    }
    let again = try #require(try await queue.claim(kinds: ["test"]))
    #expect(again.id == job.id && again.fencing > job.fencing && again.attempts == 1)
    try await queue.fail(again, because: AppError(.captioningFailed)) { _ in }
    try await enqueueAgain("a")
    #expect(try await queue.job(kind: "test", key: "a")?.failureCode == nil)
  }

  private func worker(
    idle: Duration = Worker.idle, _ body: @escaping @Sendable (Job) async throws -> Void
  ) -> Worker {
    Worker(
      queue: queue, handlers: [Handler(body: body)], idle: idle,
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
  }

  @Test func jobsAreDoneOnceInOrderTogetherWithTheirEffects() async throws {
    try await enqueue("a")
    try await enqueue("b")
    try await enqueue("a")
    #expect(try await queue.claim(kinds: ["other"]) == nil)
    let worker = worker { _ in }
    #expect(try await worker.runNext())
    #expect(try await bench.instance.settings.value("a") == "done")
    #expect(try await bench.instance.settings.value("b") == nil)
    #expect(try await worker.runNext())
    #expect(try await worker.runNext() == false)
  }

  /// It would look again in an hour: a job that it does not hear of is never done.
  @Test func anIdleWorkerHearsOfWhatIsQueuedInItsProcessWhateverItIsAbout() async throws {
    let (done, signal) = AsyncStream.makeStream(of: String.self)
    let worker = worker(idle: .seconds(3600)) { signal.yield($0.key) }
    let task = Task { await worker.run() }
    var keys = done.makeAsyncIterator()
    for number in 0..<20 {
      // Before its first look, then while it still ends the job before, then when it may sleep already.
      try await enqueue("\(number)")
      #expect(await keys.next() == "\(number)")
      for _ in 0..<(number * 50) { await Task.yield() }
    }
    task.cancel()
    await task.value
  }

  @Test func accountsTakeTurnsHoweverManyJobsOneOfThemBrings() async throws {
    for (key, account) in [("a1", "a"), ("a2", "a"), ("a3", "a"), ("b1", "b"), ("b2", "b"), ("c1", "c")] {
      try await bench.instance.database.write { [queue] in
        try queue.enqueue(kind: "test", key: key, payload: key, account: account, in: $0)
      }
    }
    var order: [String] = []
    while let job = try await queue.claim(kinds: ["test"]) { order.append(job.key) }
    #expect(order == ["a1", "b1", "c1", "a2", "b2", "a3"])
  }

  @Test func whoHasAnAccountWaitsForNoGuestsFirstClip() async throws {
    let guests = ["203.0.113.1", "203.0.113.2"].map { UploadOwner.guest(address: $0).description }
    let ada = UploadOwner.account("ada").description
    for (key, account) in [("g1", guests[0]), ("h1", guests[1]), ("a1", ada), ("a2", ada), ("g2", guests[0])]
    {
      try await bench.instance.database.write { [queue] in
        try queue.enqueue(kind: "test", key: key, payload: key, account: account, in: $0)
      }
      time.advance(ms: 1)
    }
    var order: [String] = []
    while let job = try await queue.claim(kinds: ["test"]) { order.append(job.key) }
    #expect(order == ["a1", "g1", "h1", "a2", "g2"])
  }

  @Test func aLeaseThatRanOutGoesToTheNextWorkerAndTheFirstCanWriteNothingAnyMore() async throws {
    try await enqueue("a")
    let first = try #require(try await queue.claim(kinds: ["test"]))
    #expect(try await queue.claim(kinds: ["test"]) == nil)
    time.advance(ms: JobQueue.leaseMs + 1)
    let second = try #require(try await queue.claim(kinds: ["test"]))
    #expect(second.fencing == first.fencing + 1)
    #expect(try await queue.heartbeat(first, .init()) == false)
    await #expect(throws: JobQueue.LostLease.self) {
      try await queue.complete(first) { try $0.execute("INSERT INTO settings VALUES ('late', 'x')") }
    }
    #expect(try await bench.instance.settings.value("late") == nil)
    try await queue.complete(second) { _ in }
  }

  @Test func aCheckpointIsTrueAtOnceAndOnlyForWhoHoldsTheJob() async throws {
    try await enqueue("a")
    let first = try #require(try await queue.claim(kinds: ["test"]))
    let parts = [JobPart("360", .ready), JobPart("540", .running)]
    try await queue.checkpoint(first, .init(step: "x", permille: 250, parts: parts, remainingMs: 1500)) {
      try $0.execute("INSERT INTO settings VALUES ('early', 'x')")
    }
    #expect(try await bench.instance.settings.value("early") == "x")
    let report = ProcessingReport(try #require(try await queue.job(kind: "test", key: "a")))
    #expect(report.line == "x 25 %, 2 s left, 360 ready, 540 running")
    time.advance(ms: JobQueue.leaseMs + 1)
    let second = try #require(try await queue.claim(kinds: ["test"]))
    await #expect(throws: JobQueue.LostLease.self) {
      try await queue.checkpoint(first, .init()) {
        try $0.execute("INSERT INTO settings VALUES ('late', 'x')")
      }
    }
    #expect(try await bench.instance.settings.value("late") == nil)
    #expect(second.parts == parts, "what is ready stays so when the job is started again")
    #expect(second.remainingMs == nil)
    try await queue.fail(second, because: AppError(.transcodingFailed)) { _ in }
    let failed = ProcessingReport(try #require(try await queue.job(kind: "test", key: "a")))
    #expect(failed.parts == [JobPart("360", .ready), JobPart("540", .queued)])
    #expect(failed.failure?.code == .transcodingFailed)
  }

  @Test func aHeartbeatKeepsTheLease() async throws {
    try await enqueue("a")
    let job = try #require(try await queue.claim(kinds: ["test"]))
    for _ in 1...3 {
      time.advance(ms: JobQueue.leaseMs - 1)
      #expect(try await queue.heartbeat(job, .init(step: "transcoding", permille: 500)))
      #expect(try await queue.claim(kinds: ["test"]) == nil)
    }
    #expect(try await queue.job(kind: "test", key: "a")?.progressPermille == 500)
  }

  @Test func theJobOfAProcessThatIsGoneIsFreeAtOnce() async throws {
    try await enqueue("a")
    // Our own number with another start time: the process that had it before.
    let parts = ProcessIdentity.current.description.split(separator: "/")
    let dead = try #require(ProcessIdentity("\(parts[0])/\(parts[1])/1"))
    let theirs = JobQueue(database: bench.instance.database, time: time, owner: dead)
    _ = try #require(try await theirs.claim(kinds: ["test"]))
    #expect(try await queue.claim(kinds: ["test"]) == nil)
    #expect(try await queue.reclaimFromTheDead() == 1)
    #expect(try await queue.claim(kinds: ["test"])?.attempts == 2)
    #expect(try await queue.reclaimFromTheDead() == 0, "our own job was taken for a dead one's")
  }

  @Test func aFailureIsTriedAgainLaterAndGivenUpAfterThreeAttempts() async throws {
    try await enqueue("a")
    let worker = worker { _ in throw AppError(.transcodingFailed, "broken") }
    for delay in [1000, 4000] as [Int64] {
      #expect(try await worker.runNext())
      #expect(try await worker.runNext() == false, "it must not be tried again at once")
      time.advance(ms: delay)
    }
    #expect(try await worker.runNext())
    let job = try #require(try await queue.job(kind: "test", key: "a"))
    #expect(job.state == .failed)
    #expect(job.failureDetail == "broken")
    #expect(try await bench.instance.settings.value("a") == "gave up")
  }

  /// A trap, a lack of memory and kill -9 throw nothing: without a count of claims such a job ends every
  /// worker for ever.
  @Test func aJobThatEndsItsWorkersIsGivenUpAfterThreeOfThem() async throws {
    try await enqueue("a")
    let parts = ProcessIdentity.current.description.split(separator: "/")
    for start in 1...3 {
      let dead = try #require(ProcessIdentity("\(parts[0])/\(parts[1])/\(start)"))
      let theirs = JobQueue(database: bench.instance.database, time: time, owner: dead)
      #expect(try await theirs.claim(kinds: ["test"])?.attempts == start)
      #expect(try await queue.reclaimFromTheDead() == 1)
    }
    #expect(try await worker { _ in Issue.record("it was run a fourth time") }.runNext())
    let job = try #require(try await queue.job(kind: "test", key: "a"))
    #expect(job.state == .failed && job.failureCode == "transcoding_failed")
    #expect(try await bench.instance.settings.value("a") == "gave up")
  }

  /// A bucket that is started anew while the database is fine: each job in the queue would be refused.
  @Test func whatIsAwayOrFullIsWaitedForAndCountsAsNoAttempt() async throws {
    for code in [ErrorCode.unavailable, .storageFull] {
      try await enqueue(code.rawValue)
      let (began, isAway, runs) = (time.nowMs, Shared(true), Shared([Int64]()))
      let worker = worker { [time] _ in
        runs.with { $0.append(time.nowMs - began) }
        if isAway.with({ $0 }) { throw AppError(code, "away") }
      }
      while time.nowMs - began < 400_000 {
        if try await !worker.runNext() { time.advance(ms: 250) }
      }
      let times = runs.with { $0 }
      // Each pause is a second and a quarter of the age, and never more than a minute.
      #expect(times.starts(with: [0, 1000, 2250, 4000, 6000]), "\(times)")
      let pauses = zip(times.dropFirst(), times).map { $0 - $1 }
      #expect(pauses == pauses.sorted() && pauses.last == 60_000, "\(pauses)")
      let waiting = try #require(try await queue.job(kind: "test", key: code.rawValue))
      #expect(waiting.state == .queued && waiting.attempts == 0 && waiting.step == "")
      #expect(waiting.failure == AppError(code, "away"), "the operator reads what it waits for")
      isAway.with { $0 = false }
      time.advance(ms: 60_000)
      #expect(try await worker.runNext())
      #expect(try await bench.instance.settings.value(code.rawValue) == "done")
    }
  }

  @Test func whatStaysAwayForADayFailsAsAllElseUntilItIsAskedForAnew() async throws {
    try await enqueue("a")
    let worker = worker { _ in throw AppError(.unavailable) }
    time.advance(ms: JobQueue.dayMs - 1)
    #expect(try await worker.runNext())
    #expect(try await queue.job(kind: "test", key: "a")?.attempts == 0)
    time.advance(ms: 60_000)
    for delay in [1000, 4000] as [Int64] {
      #expect(try await worker.runNext())
      #expect(try await queue.job(kind: "test", key: "a")?.state == .queued)
      time.advance(ms: delay)
    }
    #expect(try await worker.runNext())
    let failed = try #require(try await queue.job(kind: "test", key: "a"))
    #expect(failed.state == .failed && failed.failureCode == "unavailable")
    #expect(try await bench.instance.settings.value("a") == "gave up")
    // By whoever wants it, or by an operator.
    try await enqueue("a")
    #expect(try await worker.runNext())
    let again = try #require(try await queue.job(kind: "test", key: "a"))
    #expect(again.state == .queued && again.attempts == 0)
    time.advance(ms: 1000)
    let taken = try #require(try await queue.claim(kinds: ["test"]))
    try await queue.fail(taken, because: AppError(.damaged)) { _ in }
    time.advance(ms: JobQueue.dayMs)
    try await queue.tryAgain(kind: "test", key: "a") { _ in }
    #expect(try await worker.runNext())
    #expect(try await queue.job(kind: "test", key: "a")?.attempts == 0)
  }

  @Test func whatEndsItsWorkersIsGivenUpAfterThreeWhateverWasAwayInBetween() async throws {
    try await enqueue("a")
    let worker = worker { _ in throw AppError(.unavailable) }
    for claims in 1...3 {
      #expect(try await worker.runNext())
      time.advance(ms: 60_000)
      // It says nothing any more.
      #expect(try await queue.claim(kinds: ["test"])?.attempts == claims)
      time.advance(ms: JobQueue.leaseMs + 1)
    }
    #expect(try await worker.runNext())
    #expect(try await queue.job(kind: "test", key: "a")?.failureCode == "transcoding_failed")
  }

  @Test func aRefusalIsFinalAtTheFirstAttempt() async throws {
    try await enqueue("a")
    #expect(try await worker { _ in throw AppError(.tooLong) }.runNext())
    #expect(try await queue.job(kind: "test", key: "a")?.failureCode == "too_long")
    try await enqueue("a")
    #expect(try await queue.job(kind: "test", key: "a")?.state == .queued, "asking again queues it again")
  }

  @Test func aCancelledJobGoesBackUnharmed() async throws {
    try await enqueue("a")
    let (started, signal) = AsyncStream.makeStream(of: Void.self)
    let worker = worker { _ in
      signal.yield()
      try await Task.sleep(for: .seconds(100))
    }
    let task = Task { await worker.run() }
    for await _ in started { break }
    task.cancel()
    await task.value
    let job = try #require(try await queue.job(kind: "test", key: "a"))
    #expect(job.state == .queued)
    #expect(job.attempts == 0)
  }
}

import Contract
import FFmpeg
import Foundation
import Logging
import Synchronization
import Testing
import Videos

@testable import Composition
@testable import Platform
@testable import PlatformTesting
@testable import ServerTesting
@testable import Transcoding

/// What conversions may cost, and who waits for whose.
@Suite(.everyEngine) struct JobCostTests {
  let bench: TestInstance
  let time = TestTime(ms: 1_700_000_000_000)
  let queue: JobQueue

  init() async throws {
    bench = try await TestInstance()
    queue = JobQueue(database: bench.instance.database, time: time)
  }

  private func enqueue(_ key: String, by account: String = "", kind: String = "test") async throws {
    try await bench.instance.database.write { [queue] in
      try queue.enqueue(kind: kind, key: key, payload: "", account: account, in: $0)
    }
  }

  private func claim() async throws -> Job { try #require(try await queue.claim(kinds: ["test"])) }

  @Test func whoseConversionsTookLongComesAfterThoseWhoBroughtLittle() async throws {
    try await enqueue("long", by: "greedy")
    let long = try await claim()
    for _ in 0..<40 {
      time.advance(ms: 20_000)
      #expect(try await queue.heartbeat(long, JobProgress.Snapshot()))
    }
    try await queue.complete(long) { _ in }
    try await enqueue("more", by: "greedy")
    time.advance(ms: 1)
    try await enqueue("first", by: "modest")
    #expect(try await claim().key == "first")
    #expect(try await claim().key == "more")
    // A day later nobody remembers.
    time.advance(ms: JobQueue.dayMs + 1)
    try await enqueue("again", by: "greedy")
    #expect(try await queue.job(kind: "test", key: "again")?.priority == 1, "only its open job counts")
  }

  @Test func theTimeOfAWorkerThatIsKilledCountsToo() async throws {
    try await enqueue("a", by: "greedy")
    for _ in 0..<2 {
      let job = try await claim()
      for _ in 0..<10 {
        time.advance(ms: 20_000)
        #expect(try await queue.heartbeat(job, JobProgress.Snapshot()))
      }
      time.advance(ms: JobQueue.leaseMs + 1)
    }
    try await bench.instance.database.write { try $0.execute("DELETE FROM jobs WHERE state = 'none'") }
    try await enqueue("b", by: "greedy")
    // One that is open, and 400 s.
    #expect(try await queue.job(kind: "test", key: "b")?.priority == 2)
  }

  @Test func whatFailedOrEndedItsWorkerComesBehindWhatHasNotBeenTried() async throws {
    try await enqueue("bad")
    try await queue.retry(try await claim(), because: AppError(.transcodingFailed, "took too long"))
    time.advance(ms: 10_000)
    try await enqueue("good", by: "other")
    #expect(try await claim().key == "good")
    #expect(try await claim().key == "bad")

    try await enqueue("deadly", by: "third")
    _ = try await claim()
    let dead = ProcessIdentity(
      space: ProcessIdentity.current.space, pid: ProcessIdentity.current.pid, startTime: "1")
    try await bench.instance.database.write {
      try $0.execute("UPDATE jobs SET owner = ? WHERE job_key = 'deadly'", [.text(dead.description)])
    }
    #expect(try await queue.reclaimFromTheDead() == 1)
    time.advance(ms: 1)
    try await enqueue("harmless", by: "fourth")
    #expect(try await claim().key == "harmless")
  }

  private static func report(_ width: Int, _ height: Int, seconds: Double = 60) -> SourceReport {
    SourceReport(
      video: .init(
        index: 0, codec: "hevc", width: width, height: height, sampleAspect: 1, rotated: false,
        nominalRate: 30, averageRate: 30, interlaced: false, transfer: "", matrix: "", isStillPicture: false,
        isDecodable: true),
      audioIndex: nil, start: 0, end: seconds, fileStart: 0, presence: 1, shownFrames: 1)
  }

  /// Looks at sources by their size alone, and notes which it converts.
  private struct Tools: MediaTools {
    let converted: @Sendable (Int) -> Void

    func inspect(_ source: URL, as container: Container, in folder: URL) async throws -> SourceReport {
      let size = try source.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
      return size > 1000 ? report(7680, 4320) : report(360, 640, seconds: 1)
    }

    func sound(
      of source: URL, as container: Container, _ report: SourceReport, for ladder: Ladder, in folder: URL
    ) async throws -> [Int: URL] { [:] }

    func encode(
      _ source: URL, as container: Container, _ report: SourceReport, to ladder: Ladder, in folder: URL,
      storyboard: StoryboardPlan?, isAwaited: Bool, progress: @escaping @Sendable (Double) -> Void
    ) async throws -> Encoded {
      if isAwaited { converted(report.video.width) }
      throw AppError(.damaged)
    }

    func still(
      of rendition: URL, frame: Int, size: (width: Int, height: Int),
      thumbnail: (width: Int, height: Int), in folder: URL
    ) async throws -> Still { throw AppError(.damaged) }

    func storyboard(of rendition: URL, _ plan: StoryboardPlan, in folder: URL) async throws -> URL {
      throw AppError(.damaged)
    }
  }

  @Test func aCostlyFileWaitsForTheOthersWhoeverBroughtIt() async throws {
    let instance = bench.instance
    for (number, size) in [5000, 5001, 500, 501].enumerated() {
      let file = bench.folder.appendingPathComponent("\(number).mp4")
      try UploadRequests.file(size, seed: number).write(to: file)
      let name = try await instance.sources.put(fileAt: file, ext: "bin")
      try await instance.database.write {
        try instance.queue.enqueue(
          kind: TranscodeHandler.kind, key: "clip-\(number)", payload: name.hash,
          account: "address \(number)",
          in: $0)
      }
    }
    let order = Mutex<[Int]>([])
    let ends = Mutex<[JobEnd.Outcome]>([])
    let converted: @Sendable (Int) -> Void = { width in order.withLock { $0.append(width) } }
    let worker = instance.worker(tools: Tools(converted: converted)) { end in
      ends.withLock { $0.append(end.outcome) }
    }
    while try await worker.runNext() {}
    #expect(order.withLock { $0 } == [360, 360, 7680, 7680])
    // Each of the costly ones stood back once, and that was no attempt.
    #expect(ends.withLock { $0.count { $0 == .givenBack } } == 2)
    #expect(try await instance.queue.open().map(\.attempts) == [1, 1, 1, 1])
  }
}

/// What other programs print, and what people are told of it.
@Suite struct JobFailureTests {
  @Test func anUploaderIsToldACodeAndASentenceAndNothingThatAProgramPrinted() async throws {
    let bench = try await TestInstance()
    let queue = bench.instance.queue
    func failure(_ error: AppError) async throws -> (told: AppError?, kept: AppError?) {
      try await bench.instance.database.write {
        try queue.enqueue(kind: "test", key: error.code.rawValue, payload: "", in: $0)
      }
      let job = try #require(try await queue.claim(kinds: ["test"]))
      try await queue.fail(job, because: error) { _ in }
      let failed = try #require(try await queue.job(kind: "test", key: job.key))
      return (ProcessingReport(failed).failure, failed.failure)
    }
    let broken = AppError(.transcodingFailed, "ffmpeg ended with 1: /var/lib/clipfeed/work/x/source.bin: no")
    let (told, kept) = try await failure(broken)
    #expect(told == AppError(.transcodingFailed) && told?.message == ErrorCode.transcodingFailed.message)
    #expect(kept == broken, "the operator reads why")
    let refusal = AppError(.tooLong, "The video is 70 seconds long; 60 are allowed.")
    #expect(try await failure(refusal).told == refusal)
  }

  @Test func whatNobodyForesawIsForTheLog() async throws {
    let bench = try await TestInstance()
    struct Failing: JobHandler {
      let kind = "test"
      func run(_ job: Job, under lease: JobLease) async throws -> @Sendable (any Transaction) throws -> Void {
        _ = try Data(contentsOf: URL(fileURLWithPath: "/secret/place"))
        return { _ in }
      }
      func gaveUp(_ job: Job, because error: AppError, in transaction: any Transaction) throws {}
      func ended(_ job: Job, failure: AppError?) async {}
    }
    let logged = Mutex<[String]>([])
    struct Held: LogHandler {
      var metadata: Logger.Metadata = [:]
      var logLevel = Logger.Level.trace
      let write: @Sendable (String) -> Void
      subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
      }
      func log(event: LogEvent) { write("\(event.message) \(event.metadata ?? [:])") }
    }
    let queue = bench.instance.queue
    try await bench.instance.database.write {
      try queue.enqueue(kind: "test", key: "a", payload: "", in: $0)
    }
    let logger = Logger(label: "test") { _ in Held { line in logged.withLock { $0.append(line) } } }
    _ = try await Worker(queue: queue, handlers: [Failing()], logger: logger).runNext()
    let job = try #require(try await queue.job(kind: "test", key: "a"))
    #expect(job.failureCode == "transcoding_failed")
    #expect(job.failureDetail?.contains("/") == false, "\(job.failureDetail ?? "")")
    #expect(logged.withLock { $0.contains { $0.contains("/secret/place") } })
  }

  /// By a real program: the whole of its complaint is not kept, its last line is, as one line of bounded
  /// length.
  @Test func theLastLineOfAProgramIsOneLineHoweverLongItIs() async throws {
    let bench = try await TestInstance()
    do {
      try await bench.tools.run(
        ["-i", "file:/nowhere/\u{1B}[31m" + String(repeating: "x", count: 3000)], in: bench.folder)
      Issue.record("ffmpeg found a file that is not there")
    } catch let error as AppError {
      #expect(error.code == .transcodingFailed)
      #expect(error.message.utf8.count < 500 && !error.message.unicodeScalars.contains("\u{1B}"))
      #expect(error.message.contains("ffmpeg ended with"))
    }
  }
}

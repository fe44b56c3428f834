import Contract
import FFmpeg
import Foundation
import Logging
import ServiceLifecycle
import Synchronization
import Testing
import Videos

@testable import Composition
@testable import Options
@testable import Platform
@testable import PlatformTesting
@testable import ServerTesting
@testable import Workers

extension Program {
  /// The process of its workers; nil: there is none at this moment.
  var workers: pid_t? {
    let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return processes.lazy.compactMap { pid_t($0) }.first { pid in
      guard let stat = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8),
        let end = stat.lastIndex(of: ")")
      else { return false }
      let fields = stat[stat.index(after: end)...].split(separator: " ")
      let line = FileManager.default.contents(atPath: "/proc/\(pid)/cmdline").map {
        String(decoding: $0, as: UTF8.self)
      }
      return fields.count > 1 && fields[0] != "Z" && fields[1] == "\(process.processIdentifier)"
        && line?.contains(WorkerProcess.flag) == true
    }
  }
}

/// The workers of a server, in their own process.
@Suite(.serialized) struct WorkerProcessTests {
  private static func isThere(_ process: pid_t) -> Bool {
    guard let stat = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8) else {
      return false
    }
    return !stat.contains(") Z ")
  }

  private func take(_ file: URL, _ bench: TestInstance) async throws -> String {
    let outcome = try await bench.instance.intake.take(
      fileAt: file, caption: nil, authorHandle: "me", authorName: "Me")
    guard case .accepted(let id) = outcome else { throw AppError(.internalError) }
    return id
  }

  @Test func aJobThatEndsItsProcessThriceFailsWhileTheSiteAnswersAndTheNextJobIsDone() async throws {
    let bench = try await TestInstance()
    let queue = bench.instance.queue
    let poison = try await take(try await bench.makeClip("slow.mp4", seconds: 12, size: "720x1280"), bench)
    // NB: with a backtrace Swift's handler outlives a first signal that was sent, other than a fault of its
    // own.
    let server = try Program(
      ["serve", "--port", "0", "--data", bench.instance.folder.path],
      environment: bench.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 })
    let transport = SocketTransport(port: try server.port())
    // As a trap does, as the kernel does where memory runs out, and as our own check for what cannot be.
    for (attempt, signal) in zip(1..., [SIGSEGV, SIGKILL, SIGILL]) {
      try await eventually("attempt \(attempt) never began", minutes: 10) {
        let job = try await queue.job(kind: "transcode", key: poison)
        return job?.state == .running && job?.attempts == attempt && job?.step == "transcoding"
      }
      kill(try #require(server.workers), signal)
      #expect(try await transport.send(WireRequest("GET", "/api/v1/feed")).status == 200)
    }
    try await eventually("the job never ended", minutes: 10) {
      try await queue.job(kind: "transcode", key: poison)?.state == .failed
    }
    let job = try #require(try await queue.job(kind: "transcode", key: poison))
    #expect(job.failureCode == "transcoding_failed")
    let good = try await take(try await bench.makeClip("good.mp4", seconds: 0.5, seed: 3), bench)
    try await eventually("the next job was never done", minutes: 10) {
      try await queue.job(kind: "transcode", key: good)?.state == .done
    }
    // A look that takes longer than it may is no answer.
    try await eventually("its workers are not well") {
      let ready = try await transport.send(WireRequest("GET", "/readyz"))
      return String(decoding: ready.body, as: UTF8.self).contains(#""workers":"ok""#)
    }
    let page = try await transport.send(WireRequest("GET", "/api/v1/feed"))
    #expect(try WireCoding.decode(FeedPage.self, from: page.body).items.contains { $0.id == good })
    kill(server.process.processIdentifier, SIGTERM)
    let (status, output) = server.end()
    #expect(status == 0 && output.contains("how=signal 11"), "\(output)")
  }

  @Test func whatTheOtherProcessDidIsCountedAndSeenHere() async throws {
    let bench = try await TestInstance()
    let server = try bench.program(["serve", "--port", "0", "--metrics-port", "0"])
    let (site, page) = ("Clipfeed is running: http://127.0.0.1:", "Metrics: http://127.0.0.1:")
    var output = ""
    while !(output.contains(site) && output.contains(page) && output.hasSuffix("\n")) {
      output += try server.wait(for: "\n")
    }
    func transport(_ mark: String) throws -> SocketTransport {
      let digits = output.components(separatedBy: mark).last?.prefix(while: \.isNumber)
      return SocketTransport(port: try #require(digits.flatMap { Int($0) }))
    }
    let (people, operators) = (try transport(site), try transport(page))
    // A page that the server keeps from now on.
    #expect(try await people.send(WireRequest("GET", "/api/v1/feed")).status == 200)
    let clip = try await take(try await bench.makeClip("a.mp4", seconds: 0.5), bench)
    let mark = #"clipfeed_jobs_ended_total{kind="transcode",outcome="done"} 1"#
    try await eventually("the server does not count what its workers did", minutes: 10) {
      let metrics = try await operators.send(WireRequest("GET", "/metrics"))
      return String(decoding: metrics.body, as: UTF8.self).contains(mark)
    }
    // NB: reports come in order, so the server has heard of the clip before.
    let feed = try await people.send(WireRequest("GET", "/api/v1/feed"))
    #expect(try WireCoding.decode(FeedPage.self, from: feed.body).items.map(\.id) == [clip])
    kill(server.process.processIdentifier, SIGTERM)
    #expect(server.end().status == 0)
  }

  @Test func aServerThatIsKilledLeavesNoWorkersBehindAndItsJobUnharmed() async throws {
    let bench = try await TestInstance()
    let file = try await bench.makeClip("slow.mp4", seconds: 12, size: "720x1280", sound: false)
    _ = try await take(file, bench)
    let server = try bench.program(["serve", "--port", "0"])
    _ = try server.port()
    try await eventually("the transcode never began", minutes: 10) {
      try await bench.instance.queue.open().contains { $0.step == "transcoding" }
    }
    let workers = try #require(server.workers)
    kill(server.process.processIdentifier, SIGKILL)
    _ = server.end()
    try await eventually("its workers live on") { !Self.isThere(workers) }
    let jobs = try await bench.instance.queue.open()
    #expect(jobs.map(\.state) == [.queued] && jobs.map(\.attempts) == [0])
    #expect(try FileManager.default.contentsOfDirectory(atPath: bench.instance.workFolder.path).isEmpty)
  }

  @Test func whatOneProcessQueuesTheOtherHearsAtOnce() async throws {
    let bench = try await TestInstance()
    var ends: [Int32] = [-1, -1]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    let other = try await bench.another()
    let done = AsyncStream.makeStream(of: JobEnd.self)
    // NB: one that looks by itself once an hour: only what it hears can wake it.
    let worker = Worker(
      queue: other.queue, handlers: [Nothing()], idle: .seconds(3600), logger: Logger(label: "test")
    ) { done.continuation.yield($0) }
    let working = Task { await worker.run() }
    let link = ServerLink(socket: ends[1])
    let following = Task { await link.follow { other.queue.ring() } }
    let server = ends[0]
    bench.instance.queue.listen { _ = send(server, "j", 1, Int32(MSG_NOSIGNAL)) }
    for key in ["a", "b", "c"] {
      try await bench.instance.database.write { [queue = bench.instance.queue] in
        try queue.enqueue(kind: "nothing", key: key, payload: "", in: $0)
      }
      var ended = done.stream.makeAsyncIterator()
      #expect(await ended.next()?.outcome == .done)
    }
    // The end of the server's side is the end of the link. NB: not closed yet, or whoever rings once more
    // would ring at what has its number by then.
    shutdown(server, Int32(SHUT_RDWR))
    await following.value
    working.cancel()
    await working.value
    close(server)
    close(ends[1])
  }

  /// The only test here with a clock: what a hint is worth, as a share of what waiting without one takes in
  /// the same run.
  @Test func aHintIsHeardInAFractionOfTheTimeAfterWhichWorkersLookByThemselves() async throws {
    let bench = try await TestInstance()
    let quiet = try await bench.another()
    let ended = AsyncStream.makeStream(of: Void.self)
    let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
      .appendingPathComponent("clipfeed").path
    let process = WorkerProcess(
      command: [program, "work", WorkerProcess.flag],
      environment: ConfigurationOptions.environment(
        saying: ["--data", bench.instance.folder.path],
        over: ProcessInfo.processInfo.environment.merging(bench.environment) { $1 })
    ) { if case .ended = $0 { ended.continuation.yield() } }
    bench.instance.queue.listen { process.hint() }
    let running = Task { try await process.run() }
    var ends = ended.stream.makeAsyncIterator()
    func time(_ instance: Instance, _ key: String) async throws -> Duration {
      // So that the worker has looked again and found nothing.
      try await Task.sleep(for: .milliseconds(30))
      let began = ContinuousClock.now
      // Of a clip that is not there: done as soon as it is begun.
      try await instance.database.write { [queue = instance.queue] in
        try queue.enqueue(kind: "storyboard", key: key, payload: "", account: key, in: $0)
      }
      await ends.next()
      return ContinuousClock.now - began
    }
    // Until the process is there.
    _ = try await time(quiet, "first")
    var (hinted, unhinted): ([Duration], [Duration]) = ([], [])
    for number in 0..<21 {
      hinted.append(try await time(bench.instance, "hinted-\(number)"))
      unhinted.append(try await time(quiet, "unhinted-\(number)"))
    }
    running.cancel()
    try await running.value
    // A busy machine makes jobs later and none earlier.
    let (with, without) = (hinted.sorted()[2], unhinted.sorted()[10])
    // In this process, as it was when servers converted themselves.
    let worker = bench.instance.worker(tools: bench.tools) { _ in ended.continuation.yield() }
    let working = Task { await worker.run() }
    var own: [Duration] = []
    for number in 0..<21 { own.append(try await time(bench.instance, "own-\(number)")) }
    working.cancel()
    await working.value
    print("a job is done there after \(with) with a hint, \(without) without, here after \(own.sorted()[10])")
    #expect(with / without < 0.5)
  }

  private struct Nothing: JobHandler {
    let kind = "nothing"
    func run(_ job: Job, under lease: JobLease) async throws -> @Sendable (any Transaction) throws -> Void {
      { _ in }
    }
    func gaveUp(_ job: Job, because error: AppError, in transaction: any Transaction) throws {}
    func ended(_ job: Job, failure: AppError?) async {}
  }
}

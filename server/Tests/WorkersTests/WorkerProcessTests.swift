import Testing

@testable import Platform
@testable import PlatformTesting
@testable import Workers

/// The process of the workers, and what it says.
@Suite struct WorkerProcessTests {
  @Test func aHintReachesTheProcessAndItsReportComesBack() async throws {
    let heard = AsyncStream.makeStream(of: WorkerReport.self)
    // It says that it is there, waits for a hint, and tells of it.
    let script = "echo changed >&0; head -c 1 >/dev/null; echo 'ended cover done 5' >&0; cat >/dev/null"
    let process = WorkerProcess(command: ["/bin/sh", "-c", script], environment: ["PATH": "/usr/bin:/bin"]) {
      heard.continuation.yield($0)
    }
    let running = Task { try await process.run() }
    var reports = heard.stream.makeAsyncIterator()
    #expect(await reports.next() == .changed)
    process.hint()
    #expect(
      await reports.next() == .ended(JobEnd(kind: "cover", outcome: .done, took: .nanoseconds(5))))
    running.cancel()
    try await running.value
    #expect(process.processIdentifier == nil)
  }

  @Test func aProcessThatOnlyEndsIsToldOfAndOneThatWorksIsNot() async throws {
    let process = WorkerProcess(command: ["/bin/false"], environment: [:]) { _ in }
    try process.check()
    let running = Task { try await process.run() }
    try await eventually("nobody says that it keeps ending") { (try? process.check()) == nil }
    running.cancel()
    try await running.value

    var pace = RestartPace()
    let waits = (0..<10).map { _ in pace.ended(after: .zero) }
    #expect(waits.first == RestartPace.first && waits.last == RestartPace.longest)
    #expect(waits == waits.sorted() && pace.keepsEnding)
    pace.worked()
    #expect(!pace.keepsEnding && pace.ended(after: .zero) == RestartPace.first)
    _ = pace.ended(after: .zero)
    #expect(pace.ended(after: RestartPace.steady) == RestartPace.first)
  }

  @Test func whatTheProcessSaysIsHeldToItsWords() {
    var lines = ReportLines()
    let end = JobEnd(kind: "caption-playlists", outcome: .givenBack, took: .milliseconds(3))
    let good = WorkerReport.ended(end).line + "\n"
    #expect(lines.add(good.utf8.prefix(9)).isEmpty)
    #expect(lines.add(good.utf8.dropFirst(9)) == [.ended(end)])
    for bad in [
      "", "changed now", "ended transcode done", "ended transcode gone 1", "ended transcode done -1",
      "ended transcode done 99999999999999999999", "ended a\u{0D4E}b done 1",
      "ended \(String(repeating: "x", count: 41)) done 1",
      "ended transcode done \u{0661}", String(repeating: "changed", count: 100_000),
    ] { #expect(lines.add("\(bad)\n".utf8).isEmpty, "\(bad.prefix(40))") }
    #expect(lines.add("changed\n".utf8) == [.changed])
  }
}

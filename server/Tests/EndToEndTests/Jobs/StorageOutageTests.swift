import Contract
import FFmpeg
import Foundation
import Logging
import Platform
import Testing
import Videos

@testable import Composition
@testable import PlatformTesting
@testable import ServerTesting
@testable import Transcoding
@testable import Uploads

@Suite(.everyEngine) struct StorageOutageTests {
  let bench: TestInstance

  init() async throws { bench = try await TestInstance() }

  private func state(of clip: String) async throws -> UploadedClipState {
    try await bench.instance.uploads(UploadRules()).clips.state(of: clip)
  }

  /// Three attempts take less than it takes a storage to start anew.
  @Test func anUploadOutlivesAStorageThatIsAwayForMinutes() async throws {
    let instance = bench.instance
    let file = try await bench.makeClip("a.mp4", seconds: 0.5)
    let outcome = try await instance.intake.take(
      fileAt: file, caption: nil, authorHandle: "me", authorName: "Me")
    guard case .accepted(let id) = outcome else { throw AppError(.internalError) }
    let made = try #require(try await instance.queue.job(kind: TranscodeHandler.kind, key: id)).createdMs
    let time = TestTime(ms: made)
    let queue = JobQueue(database: instance.database, time: time)
    let failure = Shared<AppError?>(AppError(.unavailable, "The media storage does not answer."))
    let handler = TranscodeHandler(
      tools: bench.tools, sources: FailingBlobs(real: instance.sources, failure: failure),
      media: FailingBlobs(real: instance.media, failure: failure), clips: instance.clips,
      workFolder: instance.workFolder)
    let worker = Worker(
      queue: queue, handlers: [handler], logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    var runs = 0
    while time.nowMs < made + 300_000 {
      guard try await worker.runNext() else {
        time.advance(ms: 1000)
        continue
      }
      runs += 1
      // What the person is told: it is still being made.
      guard case .processing(let report?) = try await state(of: id) else {
        Issue.record("the upload was refused at try \(runs)")
        return
      }
      #expect(report.state == .queued && report.step == "")
    }
    #expect(runs > 2 * JobQueue.maximumAttempts)
    failure.with { $0 = nil }
    time.advance(ms: 60_000)
    #expect(try await worker.runNext())
    #expect(try await queue.job(kind: TranscodeHandler.kind, key: id)?.state == .done)
    guard case .published = try await state(of: id) else {
      Issue.record("the clip is not there")
      return
    }
  }
}

import Contract
import FFmpeg
import Foundation
import LocalBlobs
import Logging
import Platform
import SQLite
import Testing
import Uploads
import Videos

@testable import Composition
@testable import PlatformTesting
@testable import ServerTesting
@testable import Transcoding

@Suite(.everyEngine) struct CoverTests {
  let bench: TestInstance
  /// Ahead of the real clock, by which sources are taken in, so that their jobs are due.
  let time = TestTime(ms: SystemTime().nowMs + 600_000)

  init() async throws { bench = try await TestInstance() }

  private func register(_ file: URL, coverMs: Int?) async throws -> String {
    let bytes = try Data(contentsOf: file)
    let hash = ContentHash.of(bytes)
    _ = try await bench.instance.sources.put(bytes, ext: "bin", in: bench.folder)
    var draft = ClipStore.Draft(sourceHash: hash, caption: "", authorHandle: "me", authorName: "Me")
    draft.coverMs = coverMs
    return try await bench.instance.clips.register(draft).clip.clipID
  }

  private func choose(_ ms: Int, of id: String) async throws {
    let clips = bench.instance.clips
    try await bench.instance.database.write {
      try clips.describe(id, caption: nil, tags: nil, visibility: nil, coverMs: ms, in: $0)
    }
  }

  private func work() async throws {
    while try await bench.instance.worker(tools: bench.tools).runNext() {}
  }

  /// By the clock of the test, with no more to do than this.
  private func worker(_ handler: any JobHandler) -> Worker {
    Worker(
      queue: JobQueue(database: bench.instance.database, time: time), handlers: [handler],
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
  }

  private func transcoding(by tools: any MediaTools) -> TranscodeHandler {
    TranscodeHandler(
      tools: tools, sources: bench.instance.sources, media: bench.instance.media,
      clips: bench.instance.clips, workFolder: bench.instance.workFolder)
  }

  private var covering: CoverHandler {
    CoverHandler(
      tools: bench.tools, media: bench.instance.media, clips: bench.instance.clips,
      workFolder: bench.instance.workFolder)
  }

  private func clip(_ id: String) async throws -> Clip {
    try await bench.serving { try await Client(transport: $0).clip(id) }
  }

  /// The frame that the cover shows; nil: there is none.
  private func shown(_ id: String) async throws -> Int? {
    guard let cover = try await clip(id).cover else { return nil }
    return try FrameNumberClip.numbers(in: try file(cover.url), width: cover.width, height: cover.height)[0]
  }

  private func file(_ url: String) throws -> URL {
    let media = try LocalBlobs(root: bench.instance.folder.appendingPathComponent("media"))
    return media.url(try #require(BlobName(String(url.dropFirst("/media/".count)))))
  }

  private func isStored(_ url: String) throws -> Bool {
    FileManager.default.fileExists(atPath: try file(url).path)
  }

  @Test func theCoverIsThePictureOfTheChosenMomentAndThePosterStaysTheFirstFrame() async throws {
    let id = try await register(
      try await FrameNumberClip.make("a.mp4", on: bench, size: "540x960"), coverMs: 4321)
    try await work()
    let clip = try await clip(id)
    let cover = try #require(clip.cover)
    #expect("\(cover.width)x\(cover.height)" == "540x960" && !cover.placeholder.isEmpty)
    #expect(try await shown(id) == 129)
    #expect(try FrameNumberClip.numbers(in: try file(clip.poster.url), width: 540, height: 960) == [0])
    // The borders of segments, and what lies behind the end.
    for (ms, frame) in [(1, 0), (999, 29), (1000, 30), (2999, 89), (3000, 90), (6399, 191), (60_000, 191)] {
      try await choose(ms, of: id)
      try await work()
      #expect(try await shown(id) == frame, "at \(ms) ms")
    }
    #expect(try await bench.instance.queue.open().isEmpty)
  }

  @Test func aClipThatNobodyChoseACoverForHasNone() async throws {
    let id = try await register(
      try await FrameNumberClip.make("a.mp4", on: bench, seconds: 0.5), coverMs: nil)
    try await work()
    #expect(try await clip(id).cover == nil)
    #expect(try await bench.instance.queue.job(kind: "cover", key: id) == nil)
  }

  @Test func theCoverComesWithTheFirstRenditionAndAgainWithTheBest() async throws {
    let id = try await register(
      try await FrameNumberClip.make("a.mp4", on: bench, seconds: 1, size: "540x960"), coverMs: 500)
    let failing = WatchedTools(
      real: bench.tools,
      before: {
        if $0 != ["360"] { throw AppError(.transcodingFailed, "spoilt") }
      })
    // By a clock that stands still: what failed is not tried again however long the cover takes.
    #expect(try await worker(transcoding(by: failing)).runNext())
    #expect(try await worker(covering).runNext())
    let early = try #require(try await clip(id).cover)
    #expect(early.width == 360)
    #expect(try await shown(id) == 15)

    time.advance(ms: 1000)
    #expect(try await worker(transcoding(by: bench.tools)).runNext())
    #expect(try await clip(id).cover == early, "what there is stays until the better one is there")
    try await work()
    #expect(try await clip(id).cover?.width == 540)
    #expect(try await shown(id) == 15)
  }

  @Test func theLastChoiceWinsAlsoWhileAnotherOneIsMade() async throws {
    let id = try await register(try await FrameNumberClip.make("a.mp4", on: bench, seconds: 2), coverMs: nil)
    try await work()
    for ms in [100, 200, 300] { try await choose(ms, of: id) }
    #expect(try await bench.instance.queue.open().count == 1, "three choices are one job")
    let (instance, clips) = (bench.instance, bench.instance.clips)
    var tools = WatchedTools(real: bench.tools)
    tools.beforeStill = {
      try await instance.database.write {
        _ = try clips.describe(id, caption: nil, tags: nil, visibility: nil, coverMs: 1500, in: $0)
      }
    }
    #expect(try await instance.worker(tools: tools).runNext())
    #expect(try await clip(id).cover == nil, "a choice that was taken back is never shown")
    try await work()
    #expect(try await shown(id) == 45)
    // The same again is no work.
    try await choose(1500, of: id)
    #expect(try await instance.queue.open().isEmpty)
    // And back to an earlier one.
    try await choose(300, of: id)
    try await work()
    #expect(try await shown(id) == 9)
  }

  @Test func aWorkerThatLostItsLeaseCannotSetTheCover() async throws {
    let id = try await register(try await FrameNumberClip.make("a.mp4", on: bench, seconds: 1), coverMs: nil)
    try await work()
    try await choose(500, of: id)
    let (instance, clock) = (bench.instance, time)
    let queue = JobQueue(database: instance.database, time: clock)
    var tools = WatchedTools(real: bench.tools)
    tools.beforeStill = {
      _ = try await queue.takeAway(kind: "cover", by: clock)
    }
    let handler = CoverHandler(
      tools: tools, media: instance.media, clips: instance.clips, workFolder: instance.workFolder)
    let worker = Worker(
      queue: queue, handlers: [handler], logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    #expect(try await worker.runNext())
    #expect(try await clip(id).cover == nil)
  }

  @Test func aSweepTakesTheCoverThatWasReplacedAndNothingElse() async throws {
    let id = try await register(try await FrameNumberClip.make("a.mp4", on: bench, seconds: 2), coverMs: 500)
    try await work()
    let first = try #require(try await clip(id).cover)
    try await choose(1500, of: id)
    try await work()
    let second = try #require(try await clip(id).cover)
    let hours = { TestTime(ms: bench.instance.time.nowMs + $0 * 3_600_000) }
    #expect(try isStored(first.url), "a page may still show it")
    #expect(try await bench.instance.sweep(at: hours(2)).media == 1)
    #expect(try !isStored(first.url) && isStored(second.url))
    #expect(try await Whole.check(id, bench.instance))
    // A clip of which nobody wrote down what it needs.
    try await bench.instance.database.write { try $0.execute("DELETE FROM clip_blobs") }
    #expect(try await bench.instance.sweep(at: hours(2)).media == 0)
    try await choose(0, of: id)
    #expect(try await clip(id).cover == nil)
    #expect(try await bench.instance.sweep(at: hours(4)).media == 1)
    #expect(try !isStored(second.url))
    #expect(try await Whole.check(id, bench.instance))
  }

  @Test func aPosterThatWasTheCoverAsWellStays() async throws {
    let still = try await bench.make(
      "still.mp4",
      "-f lavfi -i color=teal:s=360x640:r=30:d=1 -c:v libx264 -preset ultrafast -pix_fmt yuv420p -f mp4")
    let id = try await register(still, coverMs: 500)
    try await work()
    let clip = try await clip(id)
    #expect(clip.cover?.url == clip.poster.url, "every picture of it is the same")
    try await choose(0, of: id)
    #expect(
      try await bench.instance.sweep(at: TestTime(ms: bench.instance.time.nowMs + 7_200_000)).media == 0)
    #expect(try isStored(clip.poster.url))
  }

  @Test func aCoverIsChosenWithTheUploadAndChangedAfterItIsPublished() async throws {
    let file = try Data(contentsOf: try await FrameNumberClip.make("a.mp4", on: bench, seconds: 2))
    let (bench, instance) = (bench, bench.instance)
    try await bench.serving { transport async throws in
      func patch(_ id: String, _ json: String) async throws -> WireResponse {
        try await transport.send(
          WireRequest(
            "PATCH", Route.upload.path(id), headers: ["content-type": "application/merge-patch+json"],
            body: Data(json.utf8)))
      }
      var new = NewUpload(sizeBytes: file.count, sha256: ContentHash.of(file), type: "video/mp4")
      new.details.coverMs = 60_501
      func create(_ key: String) async throws -> WireResponse {
        try await transport.send(
          WireRequest(
            "POST", Route.uploads.path(),
            headers: ["content-type": "application/json", "idempotency-key": key],
            body: try WireCoding.encode(new)))
      }
      let refused = try await create("key-of-no-file")
      #expect(refused.status == 400)
      let problem = try WireCoding.decode(Problem.self, from: refused.body)
      #expect(problem.code == "invalid_parameter" && problem.detail.contains("0 to 60500"))
      new.details.coverMs = 500
      let upload = try WireCoding.decode(UploadStatus.self, from: try await create("key-of-a-file").body)
      #expect(upload.details.coverMs == 500)
      for (bad, code) in [
        ("-1", "invalid_parameter"), ("60501", "invalid_parameter"), ("1.5", "request_refused"),
        ("\"1\"", "request_refused"), ("1e99", "request_refused"), ("[]", "request_refused"),
      ] {
        let answer = try await patch(upload.id, #"{"cover_ms": \#(bad)}"#)
        #expect(answer.status == 400, "\(bad)")
        #expect(try WireCoding.decode(Problem.self, from: answer.body).code == code, "\(bad)")
      }
      #expect(try await patch(upload.id, #"{"cover_ms": 1000}"#).status == 200)
      // What is not said stays.
      let described = try await patch(upload.id, #"{"caption": "x", "cover_ms": null}"#)
      #expect(try WireCoding.decode(UploadStatus.self, from: described.body).details.coverMs == 1000)
      _ = try await transport.send(UploadRequests.piece(upload.id, file, at: 0))
      _ = try await transport.send(WireRequest("POST", Route.uploadCommit.path(upload.id)))
      while try await instance.worker(tools: bench.tools).runNext() {}
      let client = Client(transport: transport)
      let clip = try #require(try await client.feed().items.first)
      let cover = try #require(clip.cover)
      #expect(try await client.media(cover.url).count > 0)
      #expect(try await patch(upload.id, #"{"caption": "y"}"#).status == 200)
      #expect(try await instance.queue.open().isEmpty, "another caption is no reason for another cover")
      #expect(try await patch(upload.id, #"{"cover_ms": 1900}"#).status == 200)
      while try await instance.worker(tools: bench.tools).runNext() {}
      let changed = try #require(try await client.clip(clip.id).cover)
      #expect(changed.url != cover.url)
      #expect(try await client.clip(clip.id).poster == clip.poster)
    }
  }

  @Test func aCoverThatFailedIsListedAndMadeOnceAnOperatorTriesAgain() async throws {
    let id = try await register(try await FrameNumberClip.make("a.mp4", on: bench, seconds: 1), coverMs: nil)
    try await work()
    try await choose(500, of: id)
    var tools = WatchedTools(real: bench.tools)
    tools.beforeStill = { throw AppError(.damaged, "spoilt") }
    #expect(try await bench.instance.worker(tools: tools).runNext())
    let job = try #require(try await bench.instance.queue.open().first)
    #expect(job.kind == "cover" && job.key == id && job.state == .failed && job.failureCode == "damaged")
    #expect(try await clip(id).cover == nil)
    try await bench.instance.failedJobs.tryAgain(id)
    try await work()
    #expect(try await shown(id) == 15)
  }
}

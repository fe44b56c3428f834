import Contract
import Foundation
import LocalBlobs
import Logging
import Platform
import SQLite
import ServiceLifecycle
import Testing
import Videos

@testable import Composition
@testable import FFmpeg
@testable import PlatformTesting
@testable import ServerTesting
@testable import Transcoding

/// The real tools; tells before each encode which renditions are wanted, and may spoil what comes out.
struct WatchedTools: MediaTools {
  let real: FFmpegTools
  var before: @Sendable ([String]) async throws -> Void = { _ in }
  var after: @Sendable (Encoded) -> Encoded = { $0 }
  var beforeStill: @Sendable () async throws -> Void = {}

  func inspect(_ source: URL, as container: Container, in folder: URL) async throws -> SourceReport {
    try await real.inspect(source, as: container, in: folder)
  }

  func sound(
    of source: URL, as container: Container, _ report: SourceReport, for ladder: Ladder, in folder: URL
  ) async throws -> [Int: URL] {
    try await real.sound(of: source, as: container, report, for: ladder, in: folder)
  }

  func encode(
    _ source: URL, as container: Container, _ report: SourceReport, to ladder: Ladder, in folder: URL,
    storyboard: StoryboardPlan?, isAwaited: Bool, progress: @escaping @Sendable (Double) -> Void
  ) async throws -> Encoded {
    try await before(ladder.steps.map(\.name))
    return after(
      try await real.encode(
        source, as: container, report, to: ladder, in: folder, storyboard: storyboard, isAwaited: isAwaited,
        progress: progress))
  }

  func still(
    of rendition: URL, frame: Int, size: (width: Int, height: Int), thumbnail: (width: Int, height: Int),
    in folder: URL
  ) async throws -> Still {
    try await beforeStill()
    return try await real.still(of: rendition, frame: frame, size: size, thumbnail: thumbnail, in: folder)
  }

  func storyboard(of rendition: URL, _ plan: StoryboardPlan, in folder: URL) async throws -> URL {
    try await real.storyboard(of: rendition, plan, in: folder)
  }
}

@Suite(.everyEngine) struct PublishingTests {
  let bench: TestInstance
  /// Ahead of the real clock, by which sources are taken in, so that their jobs are due.
  let time = TestTime(ms: SystemTime().nowMs + 600_000)
  let queue: JobQueue

  init() async throws {
    bench = try await TestInstance()
    queue = JobQueue(database: bench.instance.database, time: time)
  }

  /// Two renditions, half a second.
  private func takeIn() async throws -> String {
    let file = try await bench.makeClip("a.mp4", seconds: 0.5, size: "540x960")
    let outcome = try await bench.instance.intake.take(
      fileAt: file, caption: nil, authorHandle: "me", authorName: "Me")
    guard case .accepted(let id) = outcome else { throw AppError(.internalError) }
    return id
  }

  private func worker(
    by tools: FFmpegTools? = nil, before: @escaping @Sendable ([String]) async throws -> Void = { _ in },
    after: @escaping @Sendable (Encoded) -> Encoded = { $0 }
  ) -> Worker {
    let handler = TranscodeHandler(
      tools: WatchedTools(real: tools ?? bench.tools, before: before, after: after),
      sources: bench.instance.sources, media: bench.instance.media, clips: bench.instance.clips,
      workFolder: bench.instance.workFolder)
    return Worker(
      queue: queue, handlers: [handler], logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
  }

  @Sendable private static func failAfterTheFirst(_ names: [String]) throws {
    if names != ["360"] { throw AppError(.transcodingFailed, "spoilt") }
  }

  private func renditions(_ id: String) async throws -> [String]? {
    try await bench.instance.clips.playback(of: id)?.renditions.map(\.name)
  }

  private func sources() throws -> [String] {
    try PipelineTests.files(in: bench.instance.folder.appendingPathComponent("sources"))
  }

  @Test func whatFailedForGoodIsMadeOnceAnOperatorTriesAgain() async throws {
    let id = try await takeIn()
    let spoilt = worker(before: { _ in throw AppError(.transcodingFailed, "spoilt") })
    for _ in 1...JobQueue.maximumAttempts {
      #expect(try await spoilt.runNext())
      time.advance(ms: 60_000)
    }
    #expect(try await bench.instance.clips.find(clipID: id)?.state == .refused)
    try await bench.instance.failedJobs.tryAgain(id)
    #expect(try await worker().runNext())
    #expect(try await renditions(id) == ["360", "540"])
    await #expect { try await bench.instance.failedJobs.tryAgain(id) } throws: {
      ($0 as? AppError)?.code == .jobNotFound
    }
  }

  /// As in the middle of an update of it: every source in the queue would be refused and removed.
  @Test func whatNoProgramCouldLookAtIsMadeOnceOneRunsAgain() async throws {
    let id = try await takeIn()
    var broken = bench.tools
    broken.ffprobe = "/nowhere/ffprobe"
    for _ in 1...JobQueue.maximumAttempts {
      #expect(try await worker(by: broken).runNext())
      time.advance(ms: 60_000)
    }
    let job = try #require(try await queue.job(kind: "transcode", key: id))
    #expect(job.state == .failed && job.failureCode == "transcoding_failed", "\(job)")
    #expect(try sources().count == 1)
    try await bench.instance.failedJobs.tryAgain(id)
    #expect(try await worker().runNext())
    #expect(try await renditions(id) == ["360", "540"])
  }

  @Test func aClipIsVisibleWithItsSmallestRenditionAndTheOthersFollowWithoutPublishingItAgain() async throws {
    let id = try await takeIn()
    #expect(try await worker(before: Self.failAfterTheFirst).runNext())
    let early = try #require(try await bench.instance.clips.playback(of: id))
    #expect(early.renditions.map(\.name) == ["360"])
    #expect(try await Whole.check(id, bench.instance))
    let report = ProcessingReport(try #require(try await queue.job(kind: "transcode", key: id)))
    #expect(report.parts == [JobPart("360", .ready), JobPart("540", .queued)])
    try await bench.publishBare("newer")

    time.advance(ms: 1000)
    let made = AskedFor()
    while try await worker(before: { made.add($0) }).runNext() {}
    #expect(made.names == ["540"], "what is stored is not made again")
    let late = try #require(try await bench.instance.clips.playback(of: id))
    #expect(late.renditions.map(\.name) == ["360", "540"])
    #expect(late.renditions[0] == early.renditions[0])
    #expect(late.hlsUrl != early.hlsUrl)
    #expect(try await Whole.check(id, bench.instance))
    #expect(try sources().isEmpty)
    try await bench.serving { transport async throws in
      let client = Client(transport: transport)
      let items = try await client.feed().items
      #expect(items.map(\.caption) == ["newer", "a"], "its place in the feed stays")
      #expect(items[1].width == 540 && items[1].poster.width == 540)
      #expect(try await client.media(early.hlsUrl).count > 0, "a feed that came before still plays")
    }
  }

  @Test func aClipKeepsWhatItHasWhenTheRestFailsForGoodAndItsSourceWaitsAWeek() async throws {
    let id = try await takeIn()
    for _ in 1...JobQueue.maximumAttempts {
      #expect(try await worker(before: Self.failAfterTheFirst).runNext())
      time.advance(ms: 10_000)
    }
    #expect(try await queue.job(kind: "transcode", key: id)?.state == .failed)
    #expect(try await renditions(id) == ["360"])
    time.advance(ms: 6 * 24 * 3_600_000)
    let early = try await bench.instance.sweep(at: time)
    #expect(early == (media: 0, sources: 0))
    #expect(try sources().count == 1)
    #expect(try await Whole.check(id, bench.instance))
    time.advance(ms: 24 * 3_600_000)
    #expect(try await bench.instance.sweep(at: time).sources == 1)
    #expect(try sources().isEmpty)
  }

  @Test(arguments: [(0.5, 1.0, ErrorCode.damaged), (1.0, 0.9, .truncated)])
  func whatCannotBeDecodedIsRefusedBeforeAnythingIsStored(
    _ frames: Double, _ length: Double, _ code: ErrorCode
  ) async throws {
    let id = try await takeIn()
    _ = try await worker(after: {
      Encoded(
        files: $0.files, poster: $0.poster, decodedFrames: Int(Double($0.decodedFrames) * frames),
        lastFrameAt: $0.lastFrameAt * length)
    }).runNext()
    #expect(try await queue.job(kind: "transcode", key: id)?.failureCode == code.rawValue)
    #expect(try await renditions(id) == nil)
    #expect(try PipelineTests.files(in: bench.instance.folder.appendingPathComponent("media")).isEmpty)
    #expect(try sources().isEmpty)
  }

  @Test func whatGoesWrongInTheSecondDecodeIsNoRefusal() async throws {
    let id = try await takeIn()
    _ = try await worker(after: {
      $0.files[0].lastPathComponent == "540.mp4"
        ? Encoded(files: $0.files, poster: $0.poster, decodedFrames: 1, lastFrameAt: 0) : $0
    }).runNext()
    let job = try #require(try await queue.job(kind: "transcode", key: id))
    #expect(job.state == .queued)
    #expect(job.failureCode == "transcoding_failed")
    #expect(try sources().count == 1)
  }

  /// One after the other they leave half of the processors idle. Each run waits until the other has begun.
  @Test(.timeLimit(.minutes(30))) func theOthersAreBegunBesideTheSmallestRendition() async throws {
    let id = try await takeIn()
    let (begun, beginning) = AsyncStream.makeStream(of: String.self)
    let both = Task { await begun.prefix(2).reduce(into: Set<String>()) { $0.insert($1) } }
    #expect(
      try await worker(before: { names in
        beginning.yield(names[0])
        _ = await both.value
      }).runNext())
    #expect(await both.value == ["360", "540"])
    #expect(try await renditions(id) == ["360", "540"])
  }

  @Test func keyFramesAreRequiredAtTheCutsAndNowhereElse() async throws {
    let id = try await takeIn()
    #expect(try await worker().runNext())
    let url = try #require(try await bench.instance.clips.playback(of: id)).renditions[0].url
    var bytes = try await Whole.content(url, bench.instance)
    var index = try FragmentIndex(bytes)
    try index.requireKeyFramesOnlyAtCuts(in: bytes)
    // Every slice of the first picture becomes one of a picture that is none of its own.
    let first = index.fragments[0].video.samples[0].bytes
    for place in first where bytes[place] & 0x1F == 5 { bytes[place] = bytes[place] & 0xE0 | 1 }
    #expect(throws: BoxReader.Malformed.self) { try index.requireKeyFramesOnlyAtCuts(in: bytes) }
    bytes = try await Whole.content(url, bench.instance)
    index.fragments[0].video.samples[3].flags = 0
    #expect(throws: BoxReader.Malformed.self) { try index.requireKeyFramesOnlyAtCuts(in: bytes) }
  }

  @Test func aWorkerThatLostItsLeaseCannotPublishAndTheOneThatHasItCan() async throws {
    let id = try await takeIn()
    let others = JobQueue(database: bench.instance.database, time: time)
    let clock = time
    let slow = worker { names in
      guard names == ["360"] else { return }
      _ = try await others.takeAway(kind: "transcode", by: clock)
    }
    _ = try await slow.runNext()
    #expect(try await renditions(id) == nil)
    clock.advance(ms: JobQueue.leaseMs + 1)
    #expect(try await worker().runNext())
    #expect(try await renditions(id) == ["360", "540"])
  }

  @Test func aSweepTakesReplacedPlaylistsAfterAnHourAndNothingThatAClipNeeds() async throws {
    let id = try await takeIn()
    #expect(try await worker().runNext())
    let before = try PipelineTests.files(in: bench.instance.folder.appendingPathComponent("media")).count
    #expect(try await bench.instance.sweep(at: time).media == 0)
    time.advance(ms: 2 * BlobSweep.graceMs)
    // The first master and the first poster; the media playlist of 360 is in both masters.
    #expect(try await bench.instance.sweep(at: time).media == 2)
    #expect(
      try PipelineTests.files(in: bench.instance.folder.appendingPathComponent("media")).count == before - 2)
    #expect(try await Whole.check(id, bench.instance))
    // A clip of the time before anybody wrote down what it needs.
    try await bench.instance.database.write { try $0.execute("DELETE FROM clip_blobs") }
    #expect(try await bench.instance.sweep(at: time).media == 0)
    #expect(try await Whole.check(id, bench.instance))
  }

  @Test func aBlobThatIsPutAgainIsAsYoungAsANewOne() async throws {
    let blobs = try LocalBlobs(root: bench.instance.folder.appendingPathComponent("media"))
    let name = try await blobs.put(Data("x".utf8), ext: "bin", in: bench.folder)
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -7200)], ofItemAtPath: blobs.url(name).path)
    let anHourAgo = Date(timeIntervalSinceNow: -3600)
    let found = try await blobs.list(after: nil, limit: 10)
    #expect(found.map(\.name) == [name])
    #expect(try #require(found.first).changedMs < Int64(anHourAgo.timeIntervalSince1970 * 1000))
    _ = try await blobs.put(Data("x".utf8), ext: "bin", in: bench.folder)
    #expect(try await blobs.remove(name, ifOlderThan: anHourAgo) == false)
    #expect(try await blobs.size(name) == 1)
  }
}

extension PublishingTests {
  @Test func aSweepClearsWhatACrashLeftHalfStored() async throws {
    let incoming = bench.instance.folder.appendingPathComponent("media/incoming")
    let job = bench.instance.workFolder.appendingPathComponent("a-job.1", isDirectory: true)
    try FileManager.default.createDirectory(at: job, withIntermediateDirectories: true)
    for name in ["old", "new"] { try Data("half".utf8).write(to: incoming.appendingPathComponent(name)) }
    for url in [incoming.appendingPathComponent("old"), job] {
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: -7 * 3600)], ofItemAtPath: url.path)
    }
    _ = try await bench.instance.sweep()
    #expect(try FileManager.default.contentsOfDirectory(atPath: incoming.path) == ["new"])
    #expect(!FileManager.default.fileExists(atPath: job.path))
  }
}

/// Which renditions were asked for, in order.
private final class AskedFor: @unchecked Sendable {
  private let lock = NSLock()
  private var all: [String] = []
  func add(_ names: [String]) { lock.withLock { all += names } }
  var names: [String] { lock.withLock { all } }
}

/// Looks whether everything that a visible clip names is stored, byte by byte.
enum Whole {
  /// False for a clip that cannot be seen; records an issue for one that can and is not whole.
  static func check(_ clipID: String, _ instance: Instance) async throws -> Bool {
    guard let playback = try await instance.clips.playback(of: clipID) else { return false }
    for rendition in playback.renditions {
      let bytes = try await content(rendition.url, instance)
      #expect(bytes.count == (rendition.segments.last.map { $0.offset + $0.size } ?? 0))
      try FragmentIndex(bytes).validate()
    }
    let names = try await names(of: clipID, instance)
    for name in names { #expect(try await instance.media.size(name) != nil, "\(name) is missing") }
    let playlists = names.filter { $0.ext == "m3u8" }
    #expect(playlists.count == playback.renditions.count + 1)
    #expect(names.contains { $0.ext == "jpg" })
    return true
  }

  /// All blobs that a client can come to from the clip's descriptor.
  static func names(of clipID: String, _ instance: Instance) async throws -> Set<BlobName> {
    let text = try await instance.database.read {
      let row = try $0.query("SELECT poster, cover, playback FROM clips WHERE id = ?", [.text(clipID)])[0]
      return try row.text("poster") + " " + (row.optionalText("cover") ?? "") + " " + row.text("playback")
    }
    var names = BlobName.mentioned(in: text)
    for name in names where name.holdsText {
      let text = try await content(name.description, instance)
      names.formUnion(BlobName.mentioned(in: String(decoding: text, as: UTF8.self)))
    }
    return names
  }

  static func cover(of clipID: String, _ instance: Instance) async throws -> Cover? {
    try await instance.database.read {
      let row = try $0.query("SELECT cover FROM clips WHERE id = ?", [.text(clipID)])[0]
      return try row.optionalText("cover").map { try WireCoding.decode(from: Data($0.utf8)) }
    }
  }

  static func content(_ url: String, _ instance: Instance) async throws -> [UInt8] {
    let name = try #require(BlobName(String(url.split(separator: "/").last ?? "")))
    let size = try #require(try await instance.media.size(name))
    var bytes: [UInt8] = []
    try await instance.media.read(name, range: 0..<size) { bytes += $0 }
    return bytes
  }
}

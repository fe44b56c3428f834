import Contract
import FFmpeg
import Foundation
import LocalBlobs
import Logging
import Platform
import SQLite
import ServiceLifecycle
import Testing
import Videos

@testable import Composition
@testable import PlatformTesting
@testable import ServerTesting
@testable import Transcoding

private struct FusedTools: MediaTools {
  let real: any MediaTools
  let fuse: Fuse

  func inspect(_ source: URL, as container: Container, in folder: URL) async throws -> SourceReport {
    try await fuse.around { try await real.inspect(source, as: container, in: folder) }
  }

  func sound(
    of source: URL, as container: Container, _ report: SourceReport, for ladder: Ladder, in folder: URL
  ) async throws -> [Int: URL] {
    try await fuse.around { try await real.sound(of: source, as: container, report, for: ladder, in: folder) }
  }

  func encode(
    _ source: URL, as container: Container, _ report: SourceReport, to ladder: Ladder, in folder: URL,
    storyboard: StoryboardPlan?, isAwaited: Bool, progress: @escaping @Sendable (Double) -> Void
  ) async throws -> Encoded {
    try await fuse.around {
      try await real.encode(
        source, as: container, report, to: ladder, in: folder, storyboard: storyboard, isAwaited: isAwaited
      ) {
        progress($0)
        // In the middle of ffmpeg's work.
        fuse.burn()
      }
    }
  }

  func still(
    of rendition: URL, frame: Int, size: (width: Int, height: Int), thumbnail: (width: Int, height: Int),
    in folder: URL
  ) async throws -> Still {
    try await fuse.around {
      try await real.still(of: rendition, frame: frame, size: size, thumbnail: thumbnail, in: folder)
    }
  }

  func storyboard(of rendition: URL, _ plan: StoryboardPlan, in folder: URL) async throws -> URL {
    try await fuse.around { try await real.storyboard(of: rendition, plan, in: folder) }
  }
}

/// A worker of its own process on a data folder, which does all jobs as far as the fuse lets it.
enum DoomedWorker {
  static func run(on data: String, _ fuse: Fuse) async throws {
    let instance = try await Instance.open(data)
    let database = FusedDatabase(real: instance.database, fuse: fuse)
    let queue = JobQueue(database: database, time: instance.time)
    let clips = ClipStore(
      database: database, time: instance.time, transcoding: CoverRequests(queue: queue),
      changes: instance.changes)
    let tools = FusedTools(real: try FFmpegTools(preset: "ultrafast"), fuse: fuse)
    let media = FusedBlobs(real: instance.media, fuse: fuse)
    let handler = TranscodeHandler(
      tools: tools, sources: FusedBlobs(real: instance.sources, fuse: fuse), media: media, clips: clips,
      workFolder: instance.workFolder)
    let cover = CoverHandler(tools: tools, media: media, clips: clips, workFolder: instance.workFolder)
    let worker = Worker(
      queue: queue, handlers: [handler, cover],
      logger: Logger(label: "doomed") { _ in SwiftLogNoOpLogHandler() })
    while try await worker.runNext() {}
  }

  /// The same with the jobs of captions' playlists.
  static func runCaptions(on data: String, _ fuse: Fuse) async throws {
    let instance = try await Instance.open(data)
    let database = FusedDatabase(real: instance.database, fuse: fuse)
    let clips = ClipStore(
      database: database, time: instance.time,
      transcoding: CoverRequests(queue: JobQueue(database: database, time: instance.time)),
      changes: instance.changes)
    let handler = CaptionPlaylists(
      media: FusedBlobs(real: instance.media, fuse: fuse), clips: clips, workFolder: instance.workFolder)
    let worker = Worker(
      queue: JobQueue(database: database, time: instance.time), handlers: [handler],
      logger: Logger(label: "doomed") { _ in SwiftLogNoOpLogHandler() })
    _ = try await worker.runNext()
  }

  private struct CoverRequests: TranscodeRequesting {
    let queue: JobQueue
    func requestTranscode(
      clipID: String, source: String, account: String, in transaction: any Transaction
    ) {}
    func withdraw(clipID: String, in transaction: any Transaction) {}
    func requestCover(clipID: String, in transaction: any Transaction) throws {
      try queue.enqueue(
        kind: CoverHandler.kind, key: clipID, payload: "", again: true, in: transaction)
    }
  }
}

@Suite struct KillTests {
  /// `make proof-kill` asks for 50.
  static let kills = ProcessInfo.processInfo.environment["CLIPFEED_KILLS"].flatMap { Int($0) } ?? 6

  /// Poster, rendition, playlist and master; poster, rendition, two playlists and master; storyboard and its
  /// text.
  private static let coverPut = 4 + 5 + 2 + 1

  /// The same picture under another hash: MP4 readers skip a box of type "free".
  private func clip(_ number: Int, like file: URL, _ bench: TestInstance) throws -> URL {
    let url = bench.folder.appendingPathComponent("\(number).mp4")
    let box: [UInt8] = [0, 0, 0, 12] + Array("free".utf8) + (0..<4).map { UInt8(number >> (8 * $0) & 255) }
    try (Data(contentsOf: file) + Data(box)).write(to: url)
    return url
  }

  @Test func noClipIsLostOrHalfVisibleWhereverItsWorkerIsKilledAndNoBlobIsLeftBehind() async throws {
    let bench = try await TestInstance()
    let instance = bench.instance
    let file = try await bench.makeClip("seed.mp4", seconds: 0.5, size: "540x960")
    func takeIn(_ number: Int) async throws -> String {
      let outcome = try await instance.intake.take(
        fileAt: try clip(number, like: file, bench), caption: nil, authorHandle: "me", authorName: "Me")
      guard case .accepted(let id) = outcome else { throw AppError(.internalError) }
      try await instance.database.write {
        try instance.clips.describe(id, caption: nil, tags: nil, visibility: nil, coverMs: 250, in: $0)
      }
      return id
    }
    var ids = [try await takeIn(0)]
    let count = Fuse()
    try await DoomedWorker.run(on: instance.folder.path, count)
    #expect(try await Whole.check(ids[0], instance))
    #expect(count.count > 50, "the fuse does not stand around all that a worker does")

    var (early, late) = (0, 0)
    // Evenly over the whole job, both ends included; and for certain once before and once after the
    // publication.
    let moments =
      (0..<Self.kills).map { (call: 1 + $0 * (count.count - 1) / max(1, Self.kills - 1), put: Int.max) }
      + [(call: .max, put: 1), (call: .max, put: 6), (call: .max, put: Self.coverPut)]
    for (number, moment) in zip(1..., moments) {
      let id = try await takeIn(number)
      ids.append(id)
      let (call, put) = moment
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [data = instance.folder.path as String, call = call as Int, put = put as Int] in
        try await DoomedWorker.run(on: data, Fuse(at: call, put: put))
        // Whoever comes through dies at the end.
        kill(getpid(), SIGKILL)
      }
      let names = try await instance.clips.playback(of: id)?.renditions.map(\.name)
      #expect([nil, ["360"], ["360", "540"]].contains(names), "killed at \(moment)")
      #expect(try await Whole.check(id, instance) == (names != nil), "killed at \(moment)")
      if names == nil { early += 1 } else if names == ["360"] { late += 1 }

      // Another worker takes the job over, at once. Its ffmpeg would still write into the folder.
      try await bench.untilNoProgramWorks()
      try await instance.queue.reclaimFromTheDead()
      while try await instance.worker(tools: bench.tools).runNext() {}
      #expect(try await instance.clips.playback(of: id)?.renditions.map(\.name) == ["360", "540"])
      #expect(try await Whole.check(id, instance))
      #expect(try await Whole.cover(of: id, instance)?.width == 540, "killed at \(moment)")
    }
    #expect(early > 0 && late > 0, "no kill hit the job before or after the first publication")
    #expect(try await instance.queue.open().isEmpty)
    #expect(try FileManager.default.contentsOfDirectory(atPath: instance.workFolder.path).isEmpty)

    _ = try await instance.sweep(at: TestTime(ms: instance.time.nowMs + 2 * BlobSweep.graceMs))
    var needed: Set<BlobName> = []
    for id in ids { needed.formUnion(try await Whole.names(of: id, instance)) }
    let media = try PipelineTests.files(in: instance.folder.appendingPathComponent("media"))
    let stored = media.map { String($0.split(separator: "/").last ?? "") }
    #expect(Set(stored) == Set(needed.map(\.description)))
    #expect(try PipelineTests.files(in: instance.folder.appendingPathComponent("sources")).isEmpty)
  }
}

public import Contract
public import Foundation
public import Platform

/// Where a finished clip goes. Called inside the transaction that ends the job.
public protocol ClipPublishing: Sendable {
  func publish(_ clipID: String, poster: Poster, playback: Playback, in transaction: any Transaction) throws
  func refuse(_ clipID: String, in transaction: any Transaction) throws
}

/// The job that turns a source into a playable clip. The job's key is the clip, its payload the hash of the source.
///
/// Everything happens in a folder of its own, and blobs are content-addressed: a run that is cut off anywhere leaves
/// nothing that a person could see, and the next run starts from the source again.
public struct TranscodeHandler: JobHandler {
  public static let kind = "transcode"

  private let tools: any MediaTools
  private let sources: any BlobStore
  private let media: any BlobStore
  private let clips: any ClipPublishing
  private let workFolder: URL

  public init(
    tools: any MediaTools, sources: any BlobStore, media: any BlobStore, clips: any ClipPublishing,
    workFolder: URL
  ) {
    self.tools = tools
    self.sources = sources
    self.media = media
    self.clips = clips
    self.workFolder = workFolder
  }

  public var kind: String { Self.kind }

  public func run(
    _ job: Job, progress: JobProgress
  ) async throws -> @Sendable (any Transaction) throws -> Void {
    let folder = try freshFolder(for: job)
    defer { try? FileManager.default.removeItem(at: folder) }
    progress.report("checking", permille: 0)
    let source = try await bring(job.payload, into: folder)
    let first = try FileHandle(forReadingFrom: source).read(upToCount: 1024) ?? Data()
    let container = try Container.sniff([UInt8](first))
    let report = try await tools.inspect(source, as: container, in: folder)
    try report.check()

    let ladder = Ladder(report)
    let encoded = try await tools.encode(source, as: container, report, to: ladder, in: folder) {
      progress.report("transcoding", permille: 20 + Int($0 * 950))
    }
    guard Double(encoded.decodedFrames) >= Double(report.shownFrames) * SourceReport.leastPresence else {
      throw AppError(
        .damaged,
        "Only \(encoded.decodedFrames) of \(report.shownFrames) frames of the video can be decoded.")
    }
    progress.report("packaging", permille: 975)
    // The poster first: storing a rendition takes its file away.
    let poster = try await makePoster(encoded.files, ladder, in: folder)
    let playback = try await package(encoded.files, ladder, in: folder)
    progress.report("publishing", permille: 995)
    return { [clips] in try clips.publish(job.key, poster: poster, playback: playback, in: $0) }
  }

  public func gaveUp(_ job: Job, because error: AppError, in transaction: any Transaction) throws {
    try clips.refuse(job.key, in: transaction)
  }

  /// The source has done its duty; the person still has the file it came from.
  public func ended(_ job: Job) async {
    guard let name = BlobName(hash: job.payload, ext: "bin") else { return }
    try? await sources.remove(name)
  }

  private func freshFolder(for job: Job) throws -> URL {
    let files = FileManager.default
    // What an earlier run of this job left when it was killed.
    for name in (try? files.contentsOfDirectory(atPath: workFolder.path)) ?? [] where name.hasPrefix(job.id) {
      try? files.removeItem(at: workFolder.appendingPathComponent(name))
    }
    let folder = workFolder.appendingPathComponent("\(job.id).\(job.fencing)", isDirectory: true)
    try files.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }

  private func bring(_ hash: String, into folder: URL) async throws -> URL {
    guard let name = BlobName(hash: hash, ext: "bin"), let size = try await sources.size(name) else {
      throw AppError(.fileUnreadable, "The source of this clip is gone; import it again.")
    }
    let url = folder.appendingPathComponent("source.bin")
    guard FileManager.default.createFile(atPath: url.path, contents: nil) else {
      throw AppError(.storageFull)
    }
    let file = try FileHandle(forWritingTo: url)
    defer { try? file.close() }
    try await sources.read(name, range: 0..<size) { try file.write(contentsOf: Data($0)) }
    return url
  }

  private func makePoster(_ files: [URL], _ ladder: Ladder, in folder: URL) async throws -> Poster {
    // 540 is sharp enough on a phone while the video is on its way.
    let place = ladder.steps.lastIndex { min($0.width, $0.height) <= 540 } ?? 0
    let step = ladder.steps[place]
    let longer = Double(max(step.width, step.height))
    let thumbnail = (
      width: max(1, Int((Double(step.width) * 64 / longer).rounded())),
      height: max(1, Int((Double(step.height) * 64 / longer).rounded()))
    )
    let frame = try await tools.firstFrame(
      of: files[place], poster: (step.width, step.height), thumbnail: thumbnail, in: folder)
    let hash = ThumbHash.encode(width: thumbnail.width, height: thumbnail.height, rgba: frame.thumbnail)
    let name = try await media.put(fileAt: frame.jpeg, ext: "jpg")
    return Poster(
      url: Route.media.path(name.description), width: step.width, height: step.height,
      placeholder: Data(hash).base64EncodedString())
  }

  private func package(_ files: [URL], _ ladder: Ladder, in folder: URL) async throws -> Playback {
    var renditions: [Rendition] = []
    var playlists: [String] = []
    for (file, step) in zip(files, ladder.steps) {
      let rendition = try await store(file, step)
      renditions.append(rendition)
      let playlist = Data(Playlists.media(rendition).utf8)
      playlists.append(try await media.put(playlist, ext: "m3u8", in: folder).description)
    }
    guard Set(renditions.map { $0.segments.map(\.durationMs) }).count == 1 else {
      throw AppError(.transcodingFailed, "The renditions do not have their segments at the same instants.")
    }
    let master = Data(Playlists.master(renditions, playlists: playlists).utf8)
    return Playback(
      durationMs: renditions[0].segments.reduce(0) { $0 + $1.durationMs },
      hlsUrl: Route.media.path(try await media.put(master, ext: "m3u8", in: folder).description),
      renditions: renditions)
  }

  private func store(_ file: URL, _ step: Ladder.Step) async throws -> Rendition {
    let index: FragmentIndex
    do {
      let encoded = [UInt8](try Data(contentsOf: file))
      let raw = try FragmentIndex(encoded)
      try raw.validate()
      let packaged = Repackager(bytes: encoded, index: raw).write()
      index = try FragmentIndex(packaged)
      try index.validate()
      try Data(packaged).write(to: file)
    } catch let error as BoxReader.Malformed {
      throw AppError(
        .transcodingFailed, "The \(step.name) rendition is not as it must be: \(error.reason).")
    }
    let segments = zip(index.fragments, index.durationsMs).map {
      Segment(offset: $0.range.lowerBound, size: $0.range.count, durationMs: $1)
    }
    let name = try await media.put(fileAt: file, ext: "mp4")
    let seconds = Double(index.duration) / Double(index.timescale)
    return Rendition(
      name: step.name, url: Route.media.path(name.description), width: step.width, height: step.height,
      frameRate: (step.rate.perSecond * 1000).rounded() / 1000, codecs: index.codecs,
      peakBps: segments.map { $0.size * 8 * 1000 / max(1, $0.durationMs) }.max() ?? 0,
      averageBps: Int(Double((index.end - index.initialization.count) * 8) / seconds),
      initialization: ByteRange(offset: 0, size: index.initialization.count), segments: segments)
  }
}

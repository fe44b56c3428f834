public import Contract
public import Foundation
public import Platform

/// Where what was made of a clip goes. The writing calls happen inside a transaction that only the holder of
/// the job can make. `playlists` are media playlists, which nothing but the master playlist names.
public protocol ClipPublishing: Sendable {
  /// What can be seen of the clip; nil before its first rendition.
  func playback(of clipID: String) async throws -> Playback?
  /// AI made it here.
  func isGenerated(_ clipID: String) async throws -> Bool
  /// Its source says that AI made it. Nothing happens to a clip that was made here.
  func setMadeByAI(_ clipID: String, in transaction: any Transaction) throws
  /// Makes the clip visible with what there is.
  func publish(
    _ clipID: String, poster: Poster, playback: Playback, playlists: [BlobName],
    in transaction: any Transaction) throws
  /// Replaces what a visible clip is played from by more of the same.
  func extend(
    _ clipID: String, poster: Poster, playback: Playback, playlists: [BlobName],
    in transaction: any Transaction) throws
  /// Nothing happens to a clip that is gone.
  func add(_ storyboard: Storyboard, to clipID: String, in transaction: any Transaction) throws
  /// False: it was not waiting for its media. Nothing happens to a clip that is visible.
  @discardableResult
  func refuse(_ clipID: String, in transaction: any Transaction) throws -> Bool
  /// Every rendition of a visible clip is there.
  func complete(_ clipID: String, in transaction: any Transaction) throws
}

/// The job that turns a source into a playable clip. The job's key is the clip, its payload the hash of the
/// source.
///
/// The smallest rendition is made alone and published as soon as it is stored; the others come from a second
/// decode, which runs beside the first with what that leaves of the processors, and replace the clip's
/// playback as soon as they are stored (decision 6). The first run decodes everything, so whatever can be
/// refused is refused before anything is visible. The storyboard comes from the second run, and is stored
/// last.
///
/// Everything happens in a folder of its own, and blobs are content-addressed: a run that is cut off anywhere
/// leaves a clip that is invisible or whole, and the next run makes only the renditions that the clip does
/// not have.
public struct TranscodeHandler: JobHandler {
  public static let kind = "transcode"

  /// Permille of the job: before it is looking at the source, behind it storing.
  private static let encoding = 20.0..<970.0

  private let tools: any MediaTools
  private let sources: any BlobStore
  private let media: any BlobStore
  private let clips: any ClipPublishing
  private let workFolder: URL
  private let isNeeded: @Sendable (_ source: String) async throws -> Bool
  private let declaredSource: @Sendable (_ clipID: String) async throws -> DigitalSourceType?

  /// `isNeeded` says whether a job waits for the source of that hash, `declaredSource` what whoever brought
  /// the clip said of AI in the file that its source was made of.
  public init(
    tools: any MediaTools, sources: any BlobStore, media: any BlobStore, clips: any ClipPublishing,
    workFolder: URL, isNeeded: @escaping @Sendable (_ source: String) async throws -> Bool = { _ in false },
    declaredSource: @escaping @Sendable (_ clipID: String) async throws -> DigitalSourceType? = { _ in nil }
  ) {
    self.tools = tools
    self.sources = sources
    self.media = media
    self.clips = clips
    self.workFolder = workFolder
    self.isNeeded = isNeeded
    self.declaredSource = declaredSource
  }

  public var kind: String { Self.kind }

  public func run(
    _ job: Job, under lease: JobLease
  ) async throws -> @Sendable (any Transaction) throws -> Void {
    try await JobFolder.use(for: job, in: workFolder) { try await convert(job, in: $0, under: lease) }
  }

  private func convert(
    _ job: Job, in folder: URL, under lease: JobLease
  ) async throws -> @Sendable (any Transaction) throws -> Void {
    lease.progress.report("checking", permille: 0)
    let source = try await bring(job.payload, into: folder)
    let first = try FileHandle(forReadingFrom: source).read(upToCount: 1024) ?? Data()
    let container = try Container.sniff([UInt8](first))
    let report = try await tools.inspect(source, as: container, in: folder)
    try report.check()
    try await lease.standBack(to: ConversionBudget(Ladder(report), of: report).priority)
    let isGenerated = try await clips.isGenerated(job.key)
    let declared = try await declaredSource(job.key)
    let found = Source(
      file: source, container: container, report: report, folder: folder,
      provenance: report.provenance.published(isGenerated: isGenerated, declared: declared))
    return try await convert(found, job, under: lease)
  }

  /// A source in the folder of its job, looked at and found worth converting.
  private struct Source {
    let file: URL
    let container: Container
    let report: SourceReport
    let folder: URL
    /// What the clip's files say of where it comes from; nil: nothing.
    let provenance: Provenance?
  }

  private func convert(
    _ source: Source, _ job: Job, under lease: JobLease
  ) async throws -> @Sendable (any Transaction) throws -> Void {
    let ladder = Ladder(source.report)
    let visible = try await clips.playback(of: job.key)
    let there = Set(visible?.renditions.map(\.name) ?? [])
    let missing = ladder.steps.filter { !there.contains($0.name) }
    lease.progress.plan(ladder.steps.map { JobPart($0.name, there.contains($0.name) ? .ready : .queued) })
    let first = ladder.only(visible == nil ? missing.prefix(1) : [])
    let rest = ladder.only(visible == nil ? missing.dropFirst() : missing[...])
    let progress = SharedProgress(
      "transcoding", of: [first, rest].map { $0.effort(decoding: source.report.video) },
      within: Self.encoding, lease.progress)
    let packager = Packager(
      tools: tools, media: media, folder: source.folder, provenance: source.provenance)
    let pictures = Pictures(tools: tools, media: media, folder: source.folder)

    // NB: tasks of their own only while this function runs: if anything below throws, they are cancelled and
    // waited for.
    async let smallest = encode(first, source, storyboard: nil, isVisible: false, lease.progress) {
      progress.report(0, done: $0)
    }
    // The same for all renditions of one bit rate. A source that is refused is refused for its picture.
    let sound: Result<[Int: URL], any Error>
    do {
      sound = .success(
        try await tools.sound(
          of: source.file, as: source.container, source.report, for: ladder.only(missing), in: source.folder))
    } catch {
      sound = .failure(error)
    }
    // So far the smallest rendition and the sound kept the processors busy, and the clip waits for both.
    let planned = rest.steps.isEmpty ? nil : StoryboardPlan(rest)
    async let others = encode(rest, source, storyboard: planned, isVisible: true, lease.progress) {
      progress.report(1, done: $0)
    }
    var made = Packager.TranscodedClip(renditions: visible?.renditions ?? [])
    var seen = visible
    if let smallest = try await smallest {
      made = try await packager.add(smallest, sound.get(), first, to: made)
      let (clips, start) = (clips, try packager.whole(made))
      lease.progress.mark(first.steps.map(\.name), .ready)
      let isMadeByAI = source.provenance != nil
      try await lease.checkpoint {
        if isMadeByAI { try clips.setMadeByAI(job.key, in: $0) }
        try clips.publish(
          job.key, poster: start.poster, playback: start.playback, playlists: start.playlists, in: $0)
      }
      seen = start.playback
    }
    var drawn: Pictures.Drawn?
    if let others = try await others {
      lease.progress.report("packaging", permille: 975)
      let all = try packager.whole(try await packager.add(others, sound.get(), rest, to: made))
      lease.progress.mark(rest.steps.map(\.name), .ready)
      try await lease.checkpoint { [clips] in
        try clips.extend(
          job.key, poster: all.poster, playback: all.playback, playlists: all.playlists, in: $0)
        try clips.complete(job.key, in: $0)
      }
      drawn = Pictures.Drawn(
        others.storyboard, planned, durationMs: all.playback.durationMs,
        sourceType: source.provenance?.sourceType)
    } else {
      try await lease.checkpoint { [clips] in try clips.complete(job.key, in: $0) }
    }
    lease.progress.report("storyboard", permille: 985)
    // Of the smallest rendition, which is stored and stays, where there was no second run.
    if drawn == nil, let seen { drawn = try await pictures.draw(of: seen) }
    guard let drawn else { return { _ in } }
    let storyboard = try await pictures.store(drawn)
    return { [clips] in try clips.add(storyboard, to: job.key, in: $0) }
  }

  /// Makes these steps, and checks that the whole source could be decoded for them. Only as long as the clip
  /// is not visible is that a refusal. A run without a step is none.
  private func encode(
    _ ladder: Ladder, _ source: Source, storyboard: StoryboardPlan?, isVisible: Bool,
    _ progress: JobProgress, _ done: @escaping @Sendable (Double) -> Void
  ) async throws -> Encoded? {
    guard !ladder.steps.isEmpty else { return nil }
    progress.mark(ladder.steps.map(\.name), .running)
    done(0)
    let encoded = try await tools.encode(
      source.file, as: source.container, source.report, to: ladder, in: source.folder,
      storyboard: storyboard, isAwaited: !isVisible, progress: done)
    do {
      try source.report.check(encoded)
    } catch let refusal where isVisible {
      // The content was found good before; what went wrong now may go well the next time.
      throw AppError(.transcodingFailed, "\(refusal)")
    }
    return encoded
  }

  public func gaveUp(_ job: Job, because error: AppError, in transaction: any Transaction) throws {
    try clips.refuse(job.key, in: transaction)
  }

  /// A source that was converted, or whose content was refused, has done its duty; the person still has the
  /// file it came from. After another failure it stays, so that an operator can try again, until it is swept.
  public func ended(_ job: Job, failure: AppError?) async {
    guard failure?.code.retryable != true, let name = BlobName(hash: job.payload, ext: "bin") else { return }
    // Clips that are not public may have a source in common. What was stored since this job was made is
    // somebody else's too; if nobody needs it in the end, the sweep takes it.
    guard (try? await isNeeded(name.hash)) == false else { return }
    // Stores tell ages in whole seconds, and some round up.
    let made = Date(timeIntervalSince1970: Double(job.createdMs) / 1000 + 1)
    _ = try? await sources.remove(name, ifOlderThan: made)
  }

  private func bring(_ hash: String, into folder: URL) async throws -> URL {
    guard let name = BlobName(hash: hash, ext: "bin"), let size = try await sources.size(name) else {
      throw AppError(.fileUnreadable, "The source of this clip is gone; import it again.")
    }
    let url = folder.appendingPathComponent("source.bin")
    try await JobFolder.bring([0..<size], of: name, from: sources, to: url)
    return url
  }
}

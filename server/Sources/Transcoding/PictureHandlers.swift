public import Contract
public import Foundation
public import Platform

/// Where the cover of a clip goes, and which one is wanted.
public protocol ClipCovering: Sendable {
  /// What can be seen of the clip; nil while nothing can.
  func playback(of clipID: String) async throws -> Playback?
  /// Nil: the poster is the cover.
  func coverMs(of clipID: String) async throws -> Int?
  /// The cover that was made of this instant and rendition; nil for all: nothing was to be made. Where
  /// something else is wanted by now, nothing changes and the cover is asked for again.
  func cover(
    _ clipID: String, with cover: Cover?, at ms: Int?, of rendition: Rendition?,
    in transaction: any Transaction) throws
}

/// The job that makes the cover of a clip that can be seen. The job's key is the clip. What was chosen is
/// read when it starts and again in the transaction that ends it: the last choice wins, however many there
/// were.
public struct CoverHandler: JobHandler {
  public static let kind = "cover"

  private let tools: any MediaTools
  private let media: any BlobStore
  private let clips: any ClipCovering
  private let workFolder: URL

  public init(tools: any MediaTools, media: any BlobStore, clips: any ClipCovering, workFolder: URL) {
    self.tools = tools
    self.media = media
    self.clips = clips
    self.workFolder = workFolder
  }

  public var kind: String { Self.kind }

  public func run(
    _ job: Job, under lease: JobLease
  ) async throws -> @Sendable (any Transaction) throws -> Void {
    lease.progress.report("cover", permille: 0)
    // NB: the choice before the clip: one that became visible in between is noticed at the end.
    guard let ms = try await clips.coverMs(of: job.key),
      let playback = try await clips.playback(of: job.key)
    else { return { [clips] in try clips.cover(job.key, with: nil, at: nil, of: nil, in: $0) } }
    let cover = try await JobFolder.use(for: job, in: workFolder) { folder in
      try await Pictures(tools: tools, media: media, folder: folder).cover(of: playback, atMs: ms)
    }
    return { [clips] in
      try clips.cover(job.key, with: cover, at: ms, of: playback.renditions.last, in: $0)
    }
  }

  /// The clip keeps the cover that it has.
  public func gaveUp(_ job: Job, because error: AppError, in transaction: any Transaction) throws {}
  public func ended(_ job: Job, failure: AppError?) async {}
}

/// The job that makes the storyboard of a clip which has none, from the time before there were any. The job's
/// key is the clip.
public struct StoryboardHandler: JobHandler {
  public static let kind = "storyboard"

  private let tools: any MediaTools
  private let media: any BlobStore
  private let clips: any ClipPublishing
  private let workFolder: URL

  public init(tools: any MediaTools, media: any BlobStore, clips: any ClipPublishing, workFolder: URL) {
    self.tools = tools
    self.media = media
    self.clips = clips
    self.workFolder = workFolder
  }

  public var kind: String { Self.kind }

  public func run(
    _ job: Job, under lease: JobLease
  ) async throws -> @Sendable (any Transaction) throws -> Void {
    lease.progress.report("storyboard", permille: 0)
    guard let playback = try await clips.playback(of: job.key), playback.storyboard == nil else {
      return { _ in }
    }
    let storyboard = try await JobFolder.use(for: job, in: workFolder) { folder in
      try await Pictures(tools: tools, media: media, folder: folder).storyboard(of: playback)
    }
    return { [clips] in try clips.add(storyboard, to: job.key, in: $0) }
  }

  public func gaveUp(_ job: Job, because error: AppError, in transaction: any Transaction) throws {}
  public func ended(_ job: Job, failure: AppError?) async {}
}

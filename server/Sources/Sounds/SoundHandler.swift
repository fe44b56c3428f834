public import Contract
public import Foundation
public import Platform

/// What makes prints of sound.
///
/// Obligations of an implementation: it reads no file but the one it is given, opens no address, writes only
/// into `folder`, ends in bounded time with bounded memory, and ends at once when its task is cancelled.
public protocol SoundPrinting: Sendable {
  /// Whether this machine can do it. Finding it out takes a moment, once.
  var isAbleToPrint: Bool { get }
  /// The print of a rendition that has sound. Throws `transcoding_failed`, with a sentence for the operator.
  func soundPrint(of rendition: URL, in folder: URL) async throws -> SoundPrint
}

/// The job that finds out which sound a clip has. The job's key is the clip. Whatever goes wrong in it, the
/// clip stays as it is.
public struct SoundHandler: JobHandler {
  public static let kind = "sound"

  private let printing: any SoundPrinting
  private let index: SoundIndex
  private let database: any Database
  private let media: any BlobStore
  private let workFolder: URL
  private let playback: @Sendable (String) async throws -> Playback?

  /// `playback`: what can be seen of a clip; nil: nothing.
  public init(
    printing: any SoundPrinting, index: SoundIndex, database: any Database, media: any BlobStore,
    workFolder: URL, playback: @escaping @Sendable (String) async throws -> Playback?
  ) {
    self.printing = printing
    self.index = index
    self.database = database
    self.media = media
    self.workFolder = workFolder
    self.playback = playback
  }

  public var kind: String { Self.kind }

  public func run(
    _ job: Job, under lease: JobLease
  ) async throws -> @Sendable (any Transaction) throws -> Void {
    let clipID = job.key
    // NB: the clip may be another by the time that this ends: then it is asked for anew.
    let look: @Sendable (any Transaction) throws -> Void = { [index] in
      try index.renewClip(clipID, in: $0)
    }
    guard let rendition = try await playback(clipID).flatMap(SoundIndex.audible) else { return look }
    let (isPublic, isKnown) = try await database.read { [index] transaction in
      (
        try index.place(of: clipID, in: transaction)?.number != nil,
        try index.entry(of: clipID, in: transaction) != nil
      )
    }
    guard isPublic else { return look }
    let print = try await isKnown ? nil : listen(to: rendition, job, under: lease)
    return { [index] in try index.settle(clipID, print, in: $0) }
  }

  public func gaveUp(_ job: Job, because error: AppError, in transaction: any Transaction) throws {}
  public func ended(_ job: Job, failure: AppError?) async {}

  private func listen(
    to rendition: Rendition, _ job: Job, under lease: JobLease
  ) async throws -> SoundPrint {
    try await JobFolder.use(for: job, in: workFolder) { folder in
      lease.progress.report("listening", permille: 0)
      guard let file = try await JobFolder.bring(rendition, from: media, into: folder) else {
        throw AppError(.transcodingFailed, "The clip's smallest rendition is gone.")
      }
      return try await printing.soundPrint(of: file, in: folder)
    }
  }
}

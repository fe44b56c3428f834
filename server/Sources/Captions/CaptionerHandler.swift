public import Contract
public import Foundation
public import Platform

/// What makes captions of sound: an operator's program.
///
/// Obligations of an implementation: both end in bounded time with bounded memory and output, write only into
/// `folder` as far as they can be held to it, and end at once when their task is cancelled. What goes wrong
/// is thrown as `captioning_failed`, with a sentence for the operator.
public protocol Captioner: Sendable {
  /// Of what is said, as BCP 47.
  var language: LanguageTag { get }
  /// The sound of a rendition as a file.
  func sound(of rendition: URL, in folder: URL) async throws -> URL
  /// What the program says is heard, as it printed it: WebVTT or SubRip.
  func captions(from sound: URL, in folder: URL) async throws -> [UInt8]
}

/// The job that has captions made for a clip that has none by a person. The job's key is the clip. Whatever
/// goes wrong in it, the clip stays as it is.
public struct CaptionerHandler: JobHandler {
  public static let kind = "captioner"

  private let captioner: any Captioner
  private let captions: Captions
  private let clips: any CaptionedClips
  private let database: any Database
  private let media: any BlobStore
  private let playback: @Sendable (String) async throws -> Playback?
  private let workFolder: URL

  /// `playback`: what can be seen of a clip; nil: nothing.
  public init(
    captioner: any Captioner, captions: Captions, clips: any CaptionedClips, database: any Database,
    media: any BlobStore, workFolder: URL, playback: @escaping @Sendable (String) async throws -> Playback?
  ) {
    self.captioner = captioner
    self.captions = captions
    self.clips = clips
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
    guard let playback = try await playback(clipID), let rendition = playback.renditions.first,
      try await database.read({ try isWanted(clipID, in: $0) })
    else { return { _ in } }
    let printed = try await JobFolder.use(for: job, in: workFolder) { folder in
      lease.progress.report("listening", permille: 0)
      guard let file = try await JobFolder.bring(rendition, from: media, into: folder) else {
        throw AppError(.captioningFailed, "The clip's smallest rendition is gone.")
      }
      let sound = try await captioner.sound(of: file, in: folder)
      lease.progress.report("captioning", permille: 0)
      return try await captioner.captions(from: sound, in: folder)
    }
    guard let cues = try read(printed, durationMs: playback.durationMs) else { return { _ in } }
    let track = try await captions.store(cues, captioner.language, label: nil, isAutomatic: true)
    return { transaction in
      // A person may have added theirs meanwhile.
      guard try isWanted(clipID, in: transaction) else { return }
      try clips.setCaptions(track, of: clipID, in: transaction)
    }
  }

  public func gaveUp(_ job: Job, because error: AppError, in transaction: any Transaction) throws {}

  /// The program may cost money, and would run every minute where only its captions cannot be stored.
  public func isPassing(_ error: AppError) -> Bool { false }

  public func ended(_ job: Job, failure: AppError?) async {}

  private func isWanted(_ clipID: String, in transaction: any Transaction) throws -> Bool {
    try clips.captions(of: clipID, in: transaction).allSatisfy(\.automatic)
  }

  /// Nil: nobody says anything, which is no fault.
  private func read(_ printed: [UInt8], durationMs: Int) throws -> [Cue]? {
    do {
      return try CaptionReader.read(printed, durationMs: durationMs)
    } catch let error as AppError where error.code == .captionsEmpty {
      return nil
    } catch let error as AppError {
      throw AppError(.captioningFailed, "The captioner printed no captions: \(error.message)")
    }
  }
}

public import Contract
public import Foundation
public import Platform

/// The clips that captions belong to. All of it happens inside a transaction of the caller.
///
/// `language` is the tag's canonical spelling; a clip has at most one track of each, in the order of
/// languages.
public protocol CaptionedClips: Sendable {
  /// Throws `clip_not_found` for a clip that is not there, or was refused.
  func captions(of clipID: String, in transaction: any Transaction) throws -> [CaptionTrack]
  /// How long the clip is, in milliseconds; nil as long as nobody can see it.
  func durationMs(of clipID: String, in transaction: any Transaction) throws -> Int?
  /// Replaces the track of the same language.
  func setCaptions(_ track: CaptionTrack, of clipID: String, in transaction: any Transaction) throws
  /// False: there was no such track.
  func removeCaptions(_ language: String, of clipID: String, in transaction: any Transaction) throws -> Bool
}

/// Captions of clips: read, brought into one form, stored as a blob, and told to the clip.
public struct Captions: Sendable {
  private let database: any Database
  private let media: any BlobStore
  private let clips: any CaptionedClips
  private let workFolder: URL

  public init(database: any Database, media: any BlobStore, clips: any CaptionedClips, workFolder: URL) {
    self.database = database
    self.media = media
    self.clips = clips
    self.workFolder = workFolder
  }

  /// By language. Throws `clip_not_found`.
  public func list(of clipID: String) async throws -> [CaptionTrack] {
    try await database.read { try clips.captions(of: clipID, in: $0) }
  }

  /// A person's captions: they replace all others of that language. Without a label the language's own name
  /// is taken.
  ///
  /// Throws `clip_not_found`, `invalid_parameter` for a language that is none, `captions_too_many`, and what
  /// `CaptionReader` throws.
  public func put(
    _ file: [UInt8], to clipID: String, language: String, label: String?
  ) async throws -> CaptionTrack {
    let tag = try Self.tag(language)
    let durationMs = try await database.read { transaction in
      try requireRoom(for: tag, try clips.captions(of: clipID, in: transaction))
      return try clips.durationMs(of: clipID, in: transaction)
    }
    let cues = try await Offload.run { try CaptionReader.read(file, durationMs: durationMs) }
    let track = try await store(cues, tag, label: label, isAutomatic: false)
    try await database.write { transaction in
      // NB: looked for again, since others may have added meanwhile.
      try transaction.lock(clipID)
      try requireRoom(for: tag, try clips.captions(of: clipID, in: transaction))
      try clips.setCaptions(track, of: clipID, in: transaction)
    }
    return track
  }

  /// Throws `clip_not_found`, `invalid_parameter` and `captions_not_found`.
  public func remove(_ language: String, of clipID: String) async throws {
    let tag = try Self.tag(language)
    try await database.write { transaction in
      try transaction.lock(clipID)
      _ = try clips.captions(of: clipID, in: transaction)
      guard try clips.removeCaptions(tag.description, of: clipID, in: transaction) else {
        throw AppError(.captionsNotFound)
      }
    }
  }

  /// Stores what is to become a track. Nothing refers to it yet: it is swept if nothing ever does.
  func store(
    _ cues: [Cue], _ tag: LanguageTag, label: String?, isAutomatic: Bool
  ) async throws -> CaptionTrack {
    let name = try await media.put(Data(WebVTT.write(cues).utf8), ext: "vtt", in: workFolder)
    let given = Self.cleaned(label: label ?? "")
    return CaptionTrack(
      language: tag.description,
      label: given.isEmpty ? tag.ownName : given,
      url: Route.media.path(name.description), automatic: isAutomatic)
  }

  static func cleaned(label: String) -> String {
    let line = PlainText.line(
      BoundedText.cut(label, toScalars: 8 * Limits.captionsLabelLength),
      toCharacters: Limits.captionsLabelLength, scalars: 4 * Limits.captionsLabelLength)
    var kept = String.UnicodeScalarView()
    // A quotation mark would end the name in a playlist, whatever mark stands behind it, and nothing there
    // can escape it.
    for scalar in line.unicodeScalars { kept.append(scalar == "\"" ? "'" : scalar) }
    return String(kept)
  }

  private func requireRoom(for tag: LanguageTag, _ tracks: [CaptionTrack]) throws {
    let others = tracks.filter { $0.language != tag.description }
    guard others.count < Limits.captionsTracks else { throw AppError(.captionsTooMany) }
  }

  private static func tag(_ language: String) throws -> LanguageTag {
    guard let tag = LanguageTag(language) else {
      throw AppError(
        .invalidParameter, "The language must be a tag such as en, pt-BR or zh-Hant (BCP 47).",
        field: "language")
    }
    return tag
  }
}

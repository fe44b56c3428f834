public import Contract
public import Foundation
public import Platform

/// Where what was made becomes a clip, and whose clips there are to start from.
public protocol GeneratedClips: Sendable {
  /// Takes the file in as a clip of the account that it alone sees, and that says that AI made it. The same
  /// key again is the same upload and the same clip. Throws the refusal of what is no video that is taken.
  func take(_ file: URL, key: String, for account: String) async throws -> (upload: String, clip: String)
  func state(ofUpload upload: String) async throws -> GeneratedClipState
  /// Throws `clip_not_ready`, `clip_not_found`, `text_refused` and `invalid_parameter`.
  func publish(_ upload: String, _ details: ClipDetails) async throws
  /// Whether others see the clip, or will: its owner may show it without `publish`. Not one that is gone.
  func isShown(_ upload: String) async throws -> Bool
  /// Deletes the clip, as its owner would. `forGood`: they cannot have it back, also if they deleted it
  /// themselves: nobody paid for it. One that is gone is no failure.
  func discard(_ upload: String, forGood: Bool) async throws
  /// Throws `clip_not_found` for a clip that is not the account's.
  func requireOwn(_ clip: String, of account: String, in transaction: any Transaction) throws
  /// The picture that stands for the clip, as a JPEG. Throws `clip_not_found`.
  func picture(of clip: String) async throws -> [UInt8]
}

public enum GeneratedClipState: Sendable, Equatable {
  case converting(permille: Int)
  /// It can be watched.
  case ready
  case refused(ErrorCode)
}

/// Tells whoever asked for it what became of it.
public protocol GenerationTelling: Sendable {
  /// In the transaction that makes it true. `clip`: nil: none came of it.
  func tell(_ account: String, generation: String, clip: String?, in transaction: any Transaction) throws
}

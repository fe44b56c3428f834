public import Contract

/// How clips are told to people: one that is not public has sealed addresses, which only who may have it is
/// given.
public protocol ClipSealing: Sendable {
  /// The clip as it is told to others, or to its owner.
  func sealed(_ clip: Clip, forOwner isOwner: Bool) async throws -> Clip
  /// The same of what stands in the list of its owner.
  func sealed(_ clip: OwnClip) async throws -> OwnClip
  /// Clips may have another visibility than a moment ago, or be gone.
  func visibilityChanged()
}

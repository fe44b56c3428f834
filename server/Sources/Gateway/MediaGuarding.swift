public import Contract
public import Platform

/// What the gateway needs to know of who may have which media.
public protocol MediaGuarding: Sendable {
  /// Whether everybody may have the blob. Not so one that nobody knows to be a public clip's.
  func isOpen(_ name: BlobName) async throws -> Bool
  /// For how many seconds yet the seal opens this blob of the clip, at least one. Throws `media_not_found` and
  /// `media_address_expired`.
  func admit(_ name: BlobName, of clipID: String, by seal: String) async throws -> Int
  /// The clip as it is told to others: with sealed addresses, if it is not public.
  func sealed(_ clip: Clip, forOwner isOwner: Bool) async throws -> Clip
  /// The same of what stands in the list of its owner.
  func sealed(_ clip: OwnClip) async throws -> OwnClip
  /// Clips may have another visibility than a moment ago, or be gone.
  func visibilityChanged()
}

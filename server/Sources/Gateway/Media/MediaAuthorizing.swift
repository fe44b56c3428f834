public import Platform

/// What the gateway needs to know of who may have which media.
public protocol MediaAuthorizing: ClipSealing {
  /// Whether everybody may have the blob. Not so one that nobody knows to be a public clip's.
  func isOpen(_ name: BlobName) async throws -> Bool
  /// For how many seconds yet the seal opens this blob of the clip, at least one. Throws `media_not_found`
  /// and `media_address_expired`.
  func admit(_ name: BlobName, of clipID: String, by seal: String) async throws -> Int
}

public import Foundation

/// People on pages of their own.
extension Client {
  /// Throws `author_not_found` where nobody has this handle, and to whoever is blocked.
  public func profile(_ handle: String) async throws -> Profile {
    try await get(Route.profile.path(handle))
  }

  /// Public ones, newest first. Throws `author_blocked` to whoever has blocked them.
  public func clips(of handle: String, cursor: String? = nil, limit: Int? = nil) async throws -> FeedPage {
    try await page(Route.profileClips.path(handle), cursor: cursor, limit: limit)
  }

  /// Public clips that they like, the newest like first. Throws `not_allowed` where they do not show them,
  /// and `author_blocked` to whoever has blocked them.
  public func likes(of handle: String, cursor: String? = nil, limit: Int? = nil) async throws -> FeedPage {
    try await page(Route.profileLikes.path(handle), cursor: cursor, limit: limit)
  }

  /// Newest first, those alone in whose handle or name `text` stands; empty: all.
  public func followers(
    of handle: String, matching text: String = "", cursor: String? = nil, limit: Int? = nil
  ) async throws -> FoundPersonPage {
    try await page(
      Route.profileFollowers.path(handle), cursor: cursor, limit: limit, asked: text.isEmpty ? nil : text)
  }

  /// Whom they follow, in the same way.
  public func following(
    of handle: String, matching text: String = "", cursor: String? = nil, limit: Int? = nil
  ) async throws -> FoundPersonPage {
    try await page(
      Route.profileFollowing.path(handle), cursor: cursor, limit: limit, asked: text.isEmpty ? nil : text)
  }

  /// What is said of whoever is signed in. Throws `bio_too_long` and `profile_link_invalid` with the field.
  public func changeProfile(_ change: ProfileChange) async throws -> Profile {
    try await write("PATCH", change, to: Route.accountProfile.path())
  }

  /// The picture of whoever is signed in, of a file of `image/jpeg`, `image/png` or `image/webp`. Throws
  /// `picture_unreadable` and `picture_too_large`.
  public func putPicture(
    _ file: Data, type: String, crop: PictureCrop = PictureCrop()
  ) async throws -> Author {
    let parts: [(name: String, part: Double?)] = [
      ("crop_x", crop.x), ("crop_y", crop.y), ("crop_size", crop.size == 1 ? nil : crop.size),
    ]
    let query = parts.compactMap { name, part in part.map { "\(name)=\($0)" } }.joined(separator: "&")
    return try await answer(
      to: WireRequest(
        "PUT", Route.accountPicture.path() + (query.isEmpty ? "" : "?" + query),
        headers: ["content-type": type], body: file))
  }

  public func removePicture() async throws {
    try await send(WireRequest("DELETE", Route.accountPicture.path()))
  }
}

public import Contract
internal import Foundation
public import Platform

/// The clips of one author.
public protocol ProfileClips: Sendable {
  /// Public ones, newest first. Throws `invalid_cursor`.
  func page(
    ofAuthor author: String, cursor: String?, limit: Int, for viewer: String?
  ) async throws -> EncodedFeedPage
  /// Of those that the viewer is shown.
  func count(ofAuthor author: String, for viewer: String?, in transaction: any Transaction) throws -> Int
}

/// What one author likes, as others are shown it.
public protocol ProfileLikes: Sendable {
  /// Public clips, the newest like first. Throws `invalid_cursor`.
  func publicLikes(
    of author: String, cursor: String?, limit: Int, for viewer: String?
  ) async throws -> EncodedFeedPage
}

/// Somebody who makes clips, on a page of their own: what they say of themselves, their clips, who follows
/// them and whom they follow.
///
/// Whoever was blocked by somebody finds no profile of theirs, as if there were none. Whoever has blocked
/// somebody finds it, to take that back, and nothing in it.
///
/// It refuses to know what a clip is, and how accounts and follows are kept.
public struct ProfileStore: Sendable {
  public static let migrations = [
    Migration(
      "0042_profiles",
      [
        // Links stand below each other.
        """
        CREATE TABLE profiles (
            author_id TEXT PRIMARY KEY REFERENCES authors (id) ON DELETE CASCADE, bio TEXT NOT NULL,
            links TEXT NOT NULL)
        """
      ]),
    Migration(
      "0065_public_likes", ["ALTER TABLE profiles ADD COLUMN likes_public BIGINT NOT NULL DEFAULT 0"]),
  ]

  let database: any Database
  let cursorKeys: TokenKeys
  let people: PersonReading
  private let blocking: any BlockChecking
  private let clips: any ProfileClips
  private let likes: any ProfileLikes
  private let siteRules: SiteRules

  public init(
    database: any Database, cursorKeys: TokenKeys, people: PersonReading, blocking: any BlockChecking,
    clips: any ProfileClips, likes: any ProfileLikes, siteRules: SiteRules = SiteRules()
  ) {
    self.database = database
    self.cursorKeys = cursorKeys
    self.people = people
    self.blocking = blocking
    self.clips = clips
    self.likes = likes
    self.siteRules = siteRules
  }

  /// `viewer`: nil for somebody of whom nothing is known. Throws `author_not_found`.
  public func profile(_ handle: String, for viewer: String?) async throws -> Profile {
    try await database.read { transaction in
      let id = try author(handle, in: transaction)
      return try profile(ofAuthor: id, for: viewer, in: transaction)
    }
  }

  /// Throws `author_not_found`, `author_blocked` and `invalid_cursor`.
  public func clips(
    of handle: String, cursor: String?, limit: Int, for viewer: String?
  ) async throws -> EncodedFeedPage {
    let id = try await database.read { try visibleAuthor(handle, to: viewer, in: $0) }
    return try await clips.page(ofAuthor: id, cursor: cursor, limit: limit, for: viewer)
  }

  /// Public clips that they like. Whoever it is can always look. Throws `author_not_found`, `author_blocked`,
  /// `not_allowed` where they do not show them, and `invalid_cursor`.
  public func likes(
    of handle: String, cursor: String?, limit: Int, for viewer: String?
  ) async throws -> EncodedFeedPage {
    let id = try await database.read { transaction in
      let id = try visibleAuthor(handle, to: viewer, in: transaction)
      guard try id == viewer || showsLikes(id, in: transaction) else {
        throw AppError(.notAllowed, "Whoever this is does not show what they like.")
      }
      return id
    }
    return try await likes.publicLikes(of: id, cursor: cursor, limit: limit, for: viewer)
  }

  private func showsLikes(_ author: String, in transaction: any Transaction) throws -> Bool {
    try !transaction.query(
      "SELECT author_id FROM profiles WHERE author_id = ? AND likes_public = 1", [.text(author)]
    ).isEmpty
  }

  /// Throws `author_not_found`, `bio_too_long`, `text_refused` and `profile_link_invalid`.
  public func change(_ change: ProfileChange, of author: String) async throws -> Profile {
    let bio = try change.bio.map(Bio.checked)
    if let bio { try siteRules.requireTaken(bio, at: "bio") }
    let links = try change.links.map(ProfileLinks.checked)
    return try await database.write { transaction in
      // Locked by its row from here on.
      let found = try transaction.execute(
        """
        INSERT INTO profiles (author_id, bio, links) SELECT id, '', '' FROM authors WHERE id = ?
        ON CONFLICT (author_id) DO UPDATE SET bio = profiles.bio
        """, [.text(author)])
      guard found == 1 else { throw AppError(.authorNotFound) }
      if let bio {
        try transaction.execute(
          "UPDATE profiles SET bio = ? WHERE author_id = ?", [.text(bio), .text(author)])
      }
      if let links {
        try transaction.execute(
          "UPDATE profiles SET links = ? WHERE author_id = ?",
          [.text(links.joined(separator: "\n")), .text(author)])
      }
      if let likesPublic = change.likesPublic {
        try transaction.execute(
          "UPDATE profiles SET likes_public = ? WHERE author_id = ?",
          [.integer(likesPublic ? 1 : 0), .text(author)])
      }
      return try profile(ofAuthor: author, for: author, in: transaction)
    }
  }

  // MARK: Whose

  /// An author in whose lists the viewer may look. Throws `author_not_found` and `author_blocked`.
  func visibleAuthor(
    _ handle: String, to viewer: String?, in transaction: any Transaction
  ) throws -> String {
    let id = try author(handle, in: transaction)
    if let viewer {
      try blocking.requireNotBlocked(viewer, id, else: .authorNotFound, in: transaction)
    }
    return id
  }

  /// People write handles in any case; those of imported clips may have been kept in one of theirs.
  private func author(_ handle: String, in transaction: any Transaction) throws -> String {
    let id =
      try people.id(ofHandle: handle, in: transaction)
      ?? people.id(ofHandle: handle.lowercased(), in: transaction)
    guard let id else { throw AppError(.authorNotFound) }
    return id
  }

  private func profile(
    ofAuthor id: String, for viewer: String?, in transaction: any Transaction
  ) throws -> Profile {
    let rows = try transaction.query(
      """
      SELECT a.handle, a.name, a.picture, a.created_at_ms, p.bio, p.links, p.likes_public,
          (SELECT COUNT(*) FROM follows WHERE viewer_id = a.id) AS following
      FROM authors a LEFT JOIN profiles p ON p.author_id = a.id WHERE a.id = ?
      """, [.text(id)])
    guard let row = rows.first else { throw AppError(.authorNotFound) }
    let known = try viewer.map { try relation(of: $0, to: id, in: transaction) } ?? ProfileViewer()
    let author = try row.author(id)
    let joinedAt = Date(timeIntervalSince1970: Double(try row.integer("created_at_ms")) / 1000)
    // Whether the other one has blocked as well is not told.
    guard !known.blocked else {
      return Profile(
        author: author, bio: "", links: [], clips: 0, followers: 0, following: 0, joinedAt: joinedAt,
        viewer: known)
    }
    return Profile(
      author: author, bio: row.optionalText("bio") ?? "",
      links: row.optionalText("links")?.split(atByte: UInt8(ascii: "\n")).map(String.init) ?? [],
      clips: try clips.count(ofAuthor: id, for: viewer, in: transaction),
      followers: try Counters.authors.count(.followers, of: id, in: transaction),
      following: Int(try row.integer("following")),
      likesPublic: row.optionalInteger("likes_public") == 1, joinedAt: joinedAt, viewer: known)
  }

  /// Throws `author_not_found` to whoever is blocked.
  private func relation(
    of viewer: String, to author: String, in transaction: any Transaction
  ) throws -> ProfileViewer {
    guard viewer != author else { return ProfileViewer(isSelf: true) }
    do {
      try blocking.requireNotBlocked(viewer, author, else: .authorNotFound, in: transaction)
    } catch let error as AppError where error.code == .authorBlocked {
      return ProfileViewer(blocked: true)
    }
    let follows = try transaction.query(
      """
      SELECT viewer_id FROM follows WHERE viewer_id = ? AND author_id = ?
      UNION ALL
      SELECT viewer_id FROM follows WHERE viewer_id = ? AND author_id = ?
      """, [.text(viewer), .text(author), .text(author), .text(viewer)]
    ).map { try $0.text("viewer_id") }
    return ProfileViewer(following: follows.contains(viewer), followed: follows.contains(author))
  }
}

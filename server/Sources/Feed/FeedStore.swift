public import Contract
internal import Foundation
public import Platform

/// The feed: visible clips, newest first.
///
/// Order is the number a clip gets when it is published. New clips get higher numbers and pages go downwards from
/// the cursor's number, so whatever arrives in between can neither repeat nor hide an item.
public struct FeedStore: Sendable {
  private let database: any Database
  private let cursors: CursorCodec
  private let comments: Commenting

  /// `comments` says whether clips take comments now.
  public init(database: any Database, cursorSecret: String, comments: Commenting) {
    self.database = database
    self.cursors = CursorCodec(secret: cursorSecret)
    self.comments = comments
  }

  /// Throws `invalid_cursor` for a cursor that this instance did not make.
  public func page(cursor: String?, limit: Int) async throws -> FeedPage {
    let before = try cursors.start(of: cursor)
    // One more than asked tells whether there is a next page.
    let rows = try await database.read {
      try $0.query(
        Self.select
          + "WHERE c.state = 'ready' AND c.visibility = 'public' AND c.published_number < ? ORDER BY c.published_number DESC LIMIT ?",
        [.integer(before), SQLValue(limit + 1)])
    }
    return try cursors.page(of: rows, limit: limit, by: "published_number", clip)
  }

  /// Throws `clip_not_found` also for a clip that is not visible yet, and for another's private one.
  public func clip(id: String, forOwner isOwner: Bool) async throws -> Clip {
    let row = try await database.read {
      try $0.query(Self.select + "WHERE c.id = ? AND c.state = 'ready'", [.text(id)]).first
    }
    guard let row, try isOwner || row.text("visibility") != Visibility.private.rawValue else {
      throw AppError(.clipNotFound)
    }
    return try clip(row)
  }

  private static let select = """
    SELECT c.id, c.caption, c.created_at_ms, c.published_number, c.width, c.height, c.poster, c.cover, c.playback,
        c.likes, c.comments, c.shares, c.views, c.tags, c.visibility, c.caption_tracks, c.captioned_from,
        c.captioned_hls, a.id AS author_id, a.handle, a.name
    FROM clips c JOIN authors a ON a.id = c.author_id\u{20}
    """

  private func clip(_ row: Row) throws -> Clip {
    // What nobody here can name is shown to nobody but its owner.
    let visibility = Visibility(rawValue: try row.text("visibility")) ?? .private
    return Clip(
      id: try row.text("id"), caption: try row.text("caption"),
      tags: try row.text("tags").split(separator: " ").map(String.init),
      createdAt: Date(timeIntervalSince1970: Double(try row.integer("created_at_ms")) / 1000),
      author: Author(
        id: try row.text("author_id"), handle: try row.text("handle"), name: try row.text("name")),
      counts: Counts(
        likes: Int(try row.integer("likes")), comments: Int(try row.integer("comments")),
        shares: Int(try row.integer("shares")), views: Int(try row.integer("views"))),
      // Nobody else could read them.
      comments: visibility == .private ? .off : comments,
      width: Int(try row.integer("width")), height: Int(try row.integer("height")),
      poster: try WireCoding.decode(from: Data(try row.text("poster").utf8)),
      cover: try row.optionalText("cover").map { try WireCoding.decode(from: Data($0.utf8)) },
      playback: try playback(row), visibility: visibility == .public ? nil : visibility)
  }

  /// With the clip's captions. The master playlist that names them counts only if it was made of the present one.
  private func playback(_ row: Row) throws -> Playback {
    var playback: Playback = try WireCoding.decode(from: Data(try row.text("playback").utf8))
    guard let tracks = row.optionalText("caption_tracks") else { return playback }
    playback.captions = try WireCoding.decode(from: Data(tracks.utf8))
    if row.optionalText("captioned_from") == playback.hlsUrl,
      let captioned = row.optionalText("captioned_hls")
    {
      playback.hlsUrl = captioned
    }
    return playback
  }
}

internal import Contract
internal import Platform

/// A list of comments: what is in it, and in which order. A place in it is that of a comment behind which it
/// goes on.
///
/// NB: likes are those that were added up: they lag behind what is shown by a second, and move between two
/// pages. A comment that rises meanwhile comes twice, and one that sinks is left out, as in every order that
/// changes while it is read.
enum CommentList: Sendable {
  case newest(clip: String)
  case top(clip: String)
  case replies(clip: String, to: String)

  struct Place: Sendable, Equatable {
    var likes: Int64 = 0
    var number: Int64
  }

  var clip: String {
    switch self {
    case .newest(let clip), .top(let clip), .replies(let clip, _): clip
    }
  }

  var start: Place {
    switch self {
    case .newest, .top: Place(likes: Self.most, number: Self.most)
    case .replies: Place(number: 0)
    }
  }

  /// More than any comment has.
  private static let most = Int64(SafeInteger.most)

  func place(of row: Row) throws -> Place {
    Place(likes: try row.integer("likes"), number: try row.integer("number"))
  }

  /// At most `limit` behind a place, for `CommentStore.select`.
  func query(behind place: Place, limit: Int) -> (sql: String, values: [SQLValue]) {
    let shown = "m.removed_at_ms IS NULL"
    switch self {
    case .newest(let clip):
      return (
        "WHERE m.clip_id = ? AND m.parent_id IS NULL AND \(shown) AND m.number < ? ORDER BY m.number DESC LIMIT ?",
        [.text(clip), .integer(place.number), SQLValue(limit)]
      )
    case .top(let clip):
      return (
        """
        WHERE m.clip_id = ? AND m.parent_id IS NULL AND \(shown) AND (m.likes, m.number) < (?, ?)
        ORDER BY m.likes DESC, m.number DESC LIMIT ?
        """, [.text(clip), .integer(place.likes), .integer(place.number), SQLValue(limit)]
      )
    case .replies(let clip, let parent):
      return (
        "WHERE m.clip_id = ? AND m.parent_id = ? AND \(shown) AND m.number > ? ORDER BY m.number LIMIT ?",
        [.text(clip), .text(parent), .integer(place.number), SQLValue(limit)]
      )
    }
  }

  // MARK: Cursors

  /// Each list has its own.
  func cursors(_ keys: TokenKeys) -> CursorCodec {
    switch self {
    case .newest(let clip): CursorCodec(keys: keys, list: "comments/\(clip)")
    case .top(let clip): CursorCodec(keys: keys, list: "top comments/\(clip)")
    case .replies(_, let parent): CursorCodec(keys: keys, list: "replies/\(parent)")
    }
  }

  func token(_ place: Place, _ cursors: CursorCodec) -> String {
    guard case .top = self else { return cursors.token(number: place.number) }
    // NB: what was taken back on another server may be added up before what it takes back.
    return cursors.token("\(max(0, place.likes))/\(place.number)")
  }

  /// Throws `invalid_cursor`.
  func place(of token: String, _ cursors: CursorCodec) throws -> Place {
    switch (self, try cursors.place(of: token)) {
    case (.newest, .number(let number)), (.replies, .number(let number)): return Place(number: number)
    case (.top, .words(let words)):
      let parts = words.split(atByte: UInt8(ascii: "/")).map { SafeInteger.read($0) }
      guard parts.count == 2, let likes = parts[0], let number = parts[1] else { break }
      return Place(likes: Int64(likes), number: Int64(number))
    default: break
    }
    throw AppError(.invalidCursor)
  }
}

public import Contract
internal import Platform

extension CommentStore {
  /// Without replies, and without those of whom the viewer is kept apart from. The pinned one leads the first
  /// page, and comes there alone; behind it come there the viewer's own that wait. A cursor of the other
  /// order starts this one. Throws `clip_not_found`, `author_blocked`, and `invalid_cursor` for a cursor of
  /// anything but this clip's comments.
  public func page(
    of clipID: String, _ order: CommentOrder = .newest, cursor: String?, limit: Int,
    for viewer: String? = nil
  ) async throws -> CommentPage {
    let (newest, top) = (CommentList.newest(clip: clipID), CommentList.top(clip: clipID))
    let list = order == .top ? top : newest
    let start = try cursor.flatMap { try place(of: $0, in: list, or: order == .top ? newest : top) }
    return try await database.read { transaction in
      try requireVisible(clipID, to: viewer, in: transaction)
      let pinned = try pinned(on: clipID, in: transaction)
      var first: [Row] = []
      if let pinned, start == nil, let row = try row(pinned, in: transaction) {
        first = try visible([row], to: try picky(viewer, in: transaction), in: transaction)
      }
      if let viewer, start == nil {
        first += try ownHeld(on: clipID, of: viewer, limit: limit - first.count, in: transaction)
      }
      return try page(of: list, start, limit, behind: first, pinned: pinned, for: viewer, in: transaction)
    }
  }

  /// Where a cursor leads; nil: it is one of the other list.
  private func place(
    of cursor: String, in list: CommentList, or other: CommentList
  ) throws -> CommentList.Place? {
    do {
      return try list.place(of: cursor, list.cursors(cursorKeys))
    } catch let error as AppError where error.code == .invalidCursor {
      _ = try other.place(of: cursor, other.cursors(cursorKeys))
      return nil
    }
  }

  /// Oldest first; before the first come the viewer's own that wait. Throws `comment_not_found`,
  /// `author_blocked` and `invalid_cursor`.
  public func replies(
    to id: String, cursor: String?, limit: Int, for viewer: String? = nil
  ) async throws -> CommentPage {
    let anywhere = CommentList.replies(clip: "", to: id)
    let start = try cursor.map { try anywhere.place(of: $0, anywhere.cursors(cursorKeys)) }
    return try await database.read { transaction in
      let parent = try requireRow(id, to: viewer, in: transaction)
      let list = CommentList.replies(clip: try parent.text("clip_id"), to: id)
      var first: [Row] = []
      if let viewer, start == nil {
        first = try ownHeld(on: list.clip, under: id, of: viewer, limit: limit, in: transaction)
      }
      return try page(of: list, start, limit, behind: first, pinned: nil, for: viewer, in: transaction)
    }
  }

  /// One that waits is there for whoever wrote it, and for whom it waits. Throws `comment_not_found` and
  /// `author_blocked`.
  public func comment(_ id: String, for viewer: String? = nil) async throws -> ClipComment {
    try await database.read { transaction in
      if let viewer, let row = try row(id, in: transaction), row.optionalInteger("removed_at_ms") != nil,
        try isHeld(id, for: viewer, in: transaction)
      {
        return try shown(row, to: viewer, in: transaction)
      }
      return try shown(requireRow(id, to: viewer, in: transaction), to: viewer, in: transaction)
    }
  }

  /// Which one stands first under a clip.
  func pinned(on clipID: String, in transaction: any Transaction) throws -> String? {
    try transaction.query("SELECT comment_id FROM comment_pins WHERE clip_id = ?", [.text(clipID)]).first?
      .text("comment_id")
  }

  /// `first`: what comes before all others. The pinned one is left out of these.
  private func page(
    of list: CommentList, _ start: CommentList.Place?, _ limit: Int, behind first: [Row], pinned: String?,
    for viewer: String?, in transaction: any Transaction
  ) throws -> CommentPage {
    let room = limit - first.count
    let start = start ?? list.start
    let found = try find(
      room + 1, of: list, behind: start, without: pinned, for: picky(viewer, in: transaction),
      in: transaction)
    let rest = found.shown.prefix(room)
    var next = found.rest
    if found.shown.count > room { next = try rest.last.map(list.place) ?? start }
    return CommentPage(
      items: try shown(first + rest, of: list.clip, pinned: pinned, to: viewer, in: transaction),
      nextCursor: next.map { list.token($0, list.cursors(cursorKeys)) })
  }

  /// At most `count` of them. `rest`: nothing was found that far, and the next page goes on there; nil: there
  /// is nothing more, or the last row tells where. `picky`: who is kept apart from somebody.
  private func find(
    _ count: Int, of list: CommentList, behind start: CommentList.Place, without pinned: String?,
    for picky: String?, in transaction: any Transaction
  ) throws -> (shown: [Row], rest: CommentList.Place?) {
    var shown: [Row] = []
    var place = start
    var width = count + (pinned == nil ? 0 : 1)
    var looked = 0
    // What is left out leaves room, which the next ones take.
    while shown.count < count {
      let (sql, values) = list.query(behind: place, limit: width)
      let some = try transaction.query(Self.select + sql, values)
      shown += try visible(some, to: picky, in: transaction).filter { try $0.text("id") != pinned }
      guard some.count == width, let last = some.last else { break }
      place = try list.place(of: last)
      looked += some.count
      if looked >= Self.looked, shown.count < count { return (shown, place) }
      width = min(width * 2, Self.widest)
    }
    return (Array(shown.prefix(count)), nil)
  }

  /// Comments that are looked at for one page, however many somebody wrote whom the viewer does not see; a
  /// page that is short then says where to go on.
  static let looked = 2048

  /// Comments that are looked at with one statement, at most.
  private static let widest = 256

  /// The viewer, if that is one for whom something may have to be left out.
  private func picky(_ viewer: String?, in transaction: any Transaction) throws -> String? {
    try viewer.flatMap { try blocking.hasAnyBlock($0, in: transaction) ? $0 : nil }
  }

  private func visible(
    _ rows: [Row], to picky: String?, in transaction: any Transaction
  ) throws -> [Row] {
    let shown = rows.filter { $0.optionalInteger("removed_at_ms") == nil }
    guard let picky else { return shown }
    let strangers = try blocking.blocked(
      from: picky, among: Set(shown.compactMap { $0.optionalText("writer_id") }).sorted(), in: transaction)
    return shown.filter { row in row.optionalText("writer_id").map { !strangers.contains($0) } ?? true }
  }
}

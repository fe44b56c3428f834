internal import Contract
internal import Platform

/// What clips have in common by which everybody can ask for them.
enum ClipTrait: Sendable {
  /// In the spelling in which tags are kept.
  case tag(String)
  case sound(String)

  /// What the cursors of its pages are of.
  fileprivate var list: String {
    switch self {
    case .tag(let tag): "tag \(tag)"
    case .sound(let id): "sound \(id)"
    }
  }

  /// The rest of a statement about the clips that have it, of which one is `c`, with `value`.
  fileprivate var found: String {
    switch self {
    case .tag: "FROM clip_tags t JOIN clips c ON c.id = t.clip_id WHERE t.tag = ?"
    case .sound: "FROM clips c WHERE c.sound_id = ?"
    }
  }

  fileprivate var value: SQLValue {
    switch self {
    case .tag(let text), .sound(let text): .text(text)
    }
  }

  /// A clip's id, in the index by which the clips are found. An id begins with when it was made.
  fileprivate var id: String {
    switch self {
    case .tag: "t.clip_id"
    case .sound: "c.id"
    }
  }
}

extension FeedStore {
  /// What is put before everybody of the clips that have this, as the rest of a statement.
  func found(by trait: ClipTrait) -> (sql: String, values: [SQLValue]) {
    let shown = ages.condition(for: nil)
    return (
      "\(trait.found) AND c.state = 'ready' AND \(Self.isPutForward) AND \(shown.sql)",
      [trait.value] + shown.values
    )
  }

  /// A page of them, newest first. Throws `invalid_cursor` for a cursor that is not of this trait.
  func page<Value: Sendable>(
    of trait: ClipTrait, cursor: String?, limit: Int,
    _ make: @escaping @Sendable (_ items: [Clip], _ next: String?, any Transaction) throws -> Value
  ) async throws -> Value {
    let cursors = CursorCodec(keys: cursorKeys, list: trait.list)
    let start = try Self.start(of: cursor, cursors)
    let found = found(by: trait)
    return try await database.read { transaction in
      // One more than asked tells whether there is a next page.
      let ids = try transaction.query(
        """
        SELECT \(trait.id) AS id \(found.sql) AND \(trait.id) < ?
        ORDER BY \(trait.id) DESC LIMIT \(limit + 1)
        """, found.values + [.text(start)]
      ).map { try $0.text("id") }
      let items: [Clip] = try inOrder(Array(ids.prefix(limit)), for: nil, in: transaction)
      return try make(items, ids.count > limit ? cursors.token(ids[limit - 1]) : nil, transaction)
    }
  }

  private static func start(of cursor: String?, _ cursors: CursorCodec) throws -> String {
    // Behind every id.
    guard let cursor else { return "~" }
    guard case .words(let id) = try cursors.place(of: cursor) else { throw AppError(.invalidCursor) }
    return id
  }
}

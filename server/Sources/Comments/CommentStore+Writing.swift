public import Contract
internal import Platform

extension CommentStore {
  /// The same key again answers with the same comment. Throws `comment_empty`, `comment_too_long`,
  /// `text_refused`, `links_not_yet`, `comments_off`, `comments_for_followers`, `clip_not_found`,
  /// `author_blocked`, `comment_not_found` (for `replyTo`), `idempotency_key_reused`, and `comment_removed`
  /// for a repetition too late.
  ///
  /// One that the creator's filters catch waits, and says so to whoever wrote it: nobody else sees it, hears
  /// of it or finds it counted.
  ///
  /// `replyTo`: the comment that it answers. `author`: the account that writes; nil: a guest, who is `guest`
  /// if known. `isLearned`: false if whoever writes wants no traces left.
  public func add(
    _ text: String, to clipID: String, replyTo: String? = nil, by author: String? = nil,
    guest: String? = nil, idempotencyKey: String, isLearned: Bool = true
  ) async throws -> ClipComment {
    try requireOpen(to: author)
    let text = try commentText.checked(text)
    let writer = author ?? guest
    try siteRules.requireTaken(text, at: "text")
    let (creator, filters) = try await looked(text, on: clipID, by: writer, isGuest: author == nil)
    let hold = try creator.flatMap { try self.hold(of: text, by: filters, for: $0) }
    return try await write { transaction in
      let creator = try requireVisible(clipID, to: writer, in: transaction)
      try transaction.lock("comments of \(clipID)")
      if let known = try find(idempotencyKey, on: clipID, in: transaction) {
        return try repeated(known, text, replyTo: replyTo, by: author, guest: guest, in: transaction)
      }
      if filters?.followersOnly == true { try requireFollower(writer, of: creator, in: transaction) }
      let thread = try replyTo.map { try self.thread(of: $0, on: clipID, for: writer, in: transaction) }
      let id = Identifier.make(at: time)
      try transaction.execute(
        """
        INSERT INTO comments (id, number, clip_id, parent_id, text, idempotency_key, created_at_ms, removed_at_ms,
            author_id, guest_viewer_id)
        VALUES (?, (SELECT COALESCE(MAX(number), 0) + 1 FROM comments WHERE clip_id = ?), ?, ?, ?, ?, ?, ?, ?, ?)
        """,
        [
          .text(id), .text(clipID), .text(clipID), SQLValue(thread?.parent), .text(text),
          .text(idempotencyKey), .integer(time.nowMs), SQLValue(hold == nil ? nil : time.nowMs),
          SQLValue(author), SQLValue(author == nil ? guest : nil),
        ])
      if let hold {
        try self.hold(
          id, hold, on: clipID, for: creator, of: writer, replyTo: replyTo, under: thread?.parent,
          in: transaction)
      } else {
        try recount(clipID, thread?.parent, by: 1, in: transaction)
      }
      if let writer, hold == nil {
        if isLearned { try noting?.noted(.comment, on: clipID, by: writer, in: transaction) }
        try tell(
          of: id, text, on: clipID, of: creator, by: writer, answering: thread?.people ?? [],
          in: transaction)
      }
      guard let made = try row(id, in: transaction) else { throw AppError(.internalError) }
      return try shown(made, to: writer, in: transaction)
    }
  }

  /// The same text in answer to the same comment. Whose first answer was lost may be another guest by now,
  /// and is whose comment it is.
  private func repeated(
    _ known: Row, _ text: String, replyTo: String?, by author: String?, guest: String?,
    in transaction: any Transaction
  ) throws -> ClipComment {
    let id = try known.text("id")
    guard try known.optionalInteger("removed_at_ms") == nil || isHeld(id, in: transaction) else {
      throw AppError(.commentRemoved)
    }
    // NB: a row stays when its comment is removed, so what it hung under is known still.
    let answered = try replyTo.flatMap { try row($0, in: transaction) }
    let parent = try answered.map { try $0.optionalText("parent_id") ?? $0.text("id") }
    guard try known.text("text") == text, known.optionalText("parent_id") == parent else {
      throw AppError(.idempotencyKeyReused)
    }
    guard author == nil, known.optionalText("writer_id") == nil, let guest else {
      return try shown(known, to: author ?? guest, in: transaction)
    }
    try transaction.execute(
      "UPDATE comments SET guest_viewer_id = ? WHERE id = ?", [.text(guest), .text(id)])
    try transaction.execute(
      "UPDATE held_comments SET writer_viewer_id = ? WHERE comment_id = ?", [.text(guest), .text(id)])
    guard let row = try row(id, in: transaction) else { throw AppError(.internalError) }
    return try shown(row, to: guest, in: transaction)
  }

  /// Under which comment an answer to this one hangs, and whose both are. Throws `comment_not_found` and
  /// `author_blocked`.
  private func thread(
    of id: String, on clipID: String, for writer: String?, in transaction: any Transaction
  ) throws -> (parent: String, people: [String]) {
    let answered = try requireRow(id, to: writer, in: transaction)
    guard try answered.text("clip_id") == clipID else { throw AppError(.commentNotFound) }
    let parent = answered.optionalText("parent_id") ?? id
    // NB: held, so that whoever removes it meanwhile waits, and then finds this answer under it.
    let held = try transaction.query(
      "SELECT author_id FROM comments WHERE id = ? AND removed_at_ms IS NULL", [.text(parent)],
      locking: .wait)
    guard let held = held.first else { throw AppError(.commentNotFound) }
    let people = [answered.optionalText("writer_id"), held.optionalText("author_id")]
    return (parent, people.compactMap { $0 })
  }

  private func find(_ key: String, on clipID: String, in transaction: any Transaction) throws -> Row? {
    try transaction.query(
      Self.select + "WHERE m.clip_id = ? AND m.idempotency_key = ?",
      [.text(clipID), .text(key)]
    ).first
  }

  // MARK: Who is told

  /// Of one comment an account hears once: whom it answers, whom it names, and whose clip it is, in this
  /// order. Nobody hears of somebody from whom they are kept apart, nor of a clip that they cannot see.
  func tell(
    of id: String, _ text: String, on clipID: String, of creator: String, by writer: String,
    answering people: [String], in transaction: any Transaction
  ) throws {
    guard let notices else { return }
    var reached: Set<String> = [writer]
    var news: [(account: String, kind: String)] = []
    let all =
      people.map { ($0, LiveEvent.reply) }
      + (try named(in: text, transaction)).map { ($0, LiveEvent.mention) }
      + (try withNames([creator], in: transaction)).map { ($0, LiveEvent.comment) }
    for (account, kind) in all where reached.insert(account).inserted { news.append((account, kind)) }
    guard !news.isEmpty else { return }
    let accounts = news.map(\.account)
    var strangers: Set<String> = []
    for one in [writer, creator] where try blocking.hasAnyBlock(one, in: transaction) {
      strangers.formUnion(try blocking.blocked(from: one, among: accounts, in: transaction))
    }
    for (account, kind) in news where !strangers.contains(account) {
      try notices.wrote(id, on: clipID, to: account, by: writer, as: kind, in: transaction)
    }
  }

  /// The first ones, each once.
  private func named(in text: String, _ transaction: any Transaction) throws -> [String] {
    var handles: [String] = []
    for mention in Mention.all(in: text) where !handles.contains(mention.handle) {
      guard handles.count < Limits.mentions else { break }
      handles.append(mention.handle)
    }
    handles.removeAll { $0 == Author.guestHandle }
    guard !handles.isEmpty else { return [] }
    let list = SQLList(handles)
    return try transaction.query("SELECT id FROM authors WHERE handle IN \(list.marks)", list.values)
      .map { try $0.text("id") }
  }

  /// Those of these authors that are no guests, who share one name.
  func withNames(_ authors: [String], in transaction: any Transaction) throws -> [String] {
    let list = SQLList(authors)
    return try transaction.query(
      "SELECT id FROM authors WHERE id IN \(list.marks) AND handle <> ?",
      list.values + [.text(Author.guestHandle)]
    ).map { try $0.text("id") }
  }
}

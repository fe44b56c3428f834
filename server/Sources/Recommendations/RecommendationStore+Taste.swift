public import Contract
internal import Platform

/// What "For you" goes by, and what people say about that. Everything holds from the next page on.
extension RecommendationStore {
  /// Tags and authors that a person is shown of what the feed goes by.
  private static let shownTags = 20

  public func taste(of viewer: String) async throws -> Taste {
    try? await reader.follow(for: viewer)
    let liked = await engine.likes(of: viewer)
    return try await database.read { transaction in
      var taste = Taste(personalised: try isPersonalised(viewer, in: transaction))
      try countLikes(liked, of: viewer, for: &taste, in: transaction)
      taste.dismissed = try dismissed(by: viewer, in: transaction)
      let gone = Set(taste.dismissed.map { "\($0.dismissal.kind.rawValue) \($0.dismissal.subject)" })
      taste.tags.removeAll { gone.contains("tag \($0.tag)") }
      taste.authors.removeAll { gone.contains("author \($0.author.id)") }
      taste.tags = Array(taste.tags.prefix(Self.shownTags))
      taste.authors = Array(taste.authors.prefix(Self.shownTags))
      return taste
    }
  }

  /// Nobody from whom the viewer is kept apart is named.
  private func countLikes(
    _ clips: [String], of viewer: String, for taste: inout Taste, in transaction: any Transaction
  ) throws {
    guard !clips.isEmpty else { return }
    let list = SQLList(clips)
    let rows = try transaction.query(
      """
      SELECT c.tags, a.id AS author_id, a.handle, a.name, a.picture FROM clips c JOIN authors a ON a.id = c.author_id
      WHERE c.id IN \(list.marks)
      """, list.values)
    let blocked = try blockedAuthors(
      from: viewer, among: rows.map { try $0.text("author_id") }, in: transaction)
    var tags: [String: Int] = [:]
    var authors: [String: (author: Author, clips: Int)] = [:]
    for row in rows {
      for tag in try row.text("tags").split(atByte: UInt8(ascii: " ")) { tags[String(tag), default: 0] += 1 }
      let author = try row.author(try row.text("author_id"))
      if !blocked.contains(author.id) { authors[author.id, default: (author, 0)].clips += 1 }
    }
    taste.tags = tags.map { Taste.LikedTag(tag: $0.key, clips: $0.value) }
      .sorted { ($1.clips, $0.tag) < ($0.clips, $1.tag) }
    taste.authors = authors.values.map { Taste.LikedAuthor(author: $0.author, clips: $0.clips) }
      .sorted { ($1.clips, $0.author.id) < ($0.clips, $1.author.id) }
  }

  // MARK: Personalisation

  func isPersonalised(_ viewer: String, in transaction: any Transaction) throws -> Bool {
    try transaction.query("SELECT is_on FROM personalisation WHERE viewer_id = ?", [.text(viewer)])
      .first?.integer("is_on") != 0
  }

  /// Whether "For you" is an order of the viewer's own.
  public func isPersonalised(_ viewer: String) async throws -> Bool {
    try await database.read { try isPersonalised(viewer, in: $0) }
  }

  /// Off: nothing more is learned, and what was learned is forgotten.
  public func personalise(_ isOn: Bool, _ viewer: String) async throws -> Personalisation {
    try await database.write { transaction in
      try transaction.execute(
        """
        INSERT INTO personalisation (viewer_id, is_on) VALUES (?, ?)
        ON CONFLICT (viewer_id) DO UPDATE SET is_on = excluded.is_on
        """, [.text(viewer), .integer(isOn ? 1 : 0)])
      if !isOn { try forget(viewer, in: transaction) }
      return Personalisation(personalised: isOn)
    }
  }

  /// What was seen stays seen, or the feed would begin anew with it.
  public func forgetTaste(of viewer: String) async throws {
    try await database.write { try forget(viewer, in: $0) }
  }

  func forget(_ viewer: String, in transaction: any Transaction) throws {
    try transaction.execute("DELETE FROM ranking_events WHERE viewer_id = ?", [.text(viewer)])
    try transaction.execute("DELETE FROM shown_clips WHERE viewer_id = ?", [.text(viewer)])
    try log.append(EventLog.Entry(.forget), by: viewer, in: transaction)
  }

  // MARK: Dismissals

  /// The same again is once. A tag is in the spelling in which clips have it. Throws `clip_not_found`,
  /// `author_not_found` and `sound_not_found`.
  public func dismiss(_ dismissal: Dismissal, by viewer: String) async throws -> Dismissal {
    try await database.write { transaction in
      try requireSubject(of: dismissal, in: transaction)
      let added = try transaction.execute(
        """
        INSERT INTO dismissals (viewer_id, kind, subject, at_ms) VALUES (?, ?, ?, ?)
        ON CONFLICT (viewer_id, kind, subject) DO NOTHING
        """,
        [
          .text(viewer), .text(dismissal.kind.rawValue), .text(dismissal.subject), .integer(time.nowMs),
        ])
      guard added == 1 else { return }
      try dropOldest(of: viewer, dismissal.kind, in: transaction)
      if dismissal.kind == .clip, try isPersonalised(viewer, in: transaction) {
        try log.append(EventLog.Entry(.notInterested, of: dismissal.subject), by: viewer, in: transaction)
      }
    }
    return dismissal
  }

  public func undismiss(_ dismissal: Dismissal, by viewer: String) async throws {
    // No database keeps such a text.
    guard !dismissal.subject.utf8.contains(0) else { return }
    try await database.write {
      _ = try $0.execute(
        "DELETE FROM dismissals WHERE viewer_id = ? AND kind = ? AND subject = ?",
        [.text(viewer), .text(dismissal.kind.rawValue), .text(dismissal.subject)])
    }
  }

  private func requireSubject(of dismissal: Dismissal, in transaction: any Transaction) throws {
    let (place, missing): (String, ErrorCode)
    switch dismissal.kind {
    case .tag: return
    case .clip: (place, missing) = ("clips WHERE id", .clipNotFound)
    case .author: (place, missing) = ("authors WHERE id", .authorNotFound)
    case .sound: (place, missing) = ("clips WHERE sound_id", .soundNotFound)
    }
    guard !dismissal.subject.utf8.contains(0) else { throw AppError(missing) }
    let rows = try transaction.query("SELECT id FROM \(place) = ? LIMIT 1", [.text(dismissal.subject)])
    if rows.isEmpty { throw AppError(missing) }
  }

  /// More than these nobody looks through.
  private func dropOldest(
    of viewer: String, _ kind: Dismissal.Kind, in transaction: any Transaction
  ) throws {
    try transaction.execute(
      """
      DELETE FROM dismissals WHERE viewer_id = ? AND kind = ? AND subject IN (
          SELECT subject FROM dismissals WHERE viewer_id = ? AND kind = ?
          ORDER BY at_ms DESC, subject LIMIT 1000000 OFFSET \(Limits.dismissals))
      """, [.text(viewer), .text(kind.rawValue), .text(viewer), .text(kind.rawValue)])
  }

  func dismissals(of viewer: String, in transaction: any Transaction) throws -> [Dismissal] {
    try transaction.query(
      "SELECT kind, subject FROM dismissals WHERE viewer_id = ? ORDER BY at_ms DESC, subject", [.text(viewer)]
    ).compactMap { row in
      guard let kind = Dismissal.Kind(rawValue: try row.text("kind")) else { return nil }
      return Dismissal(kind, try row.text("subject"))
    }
  }

  /// Those of these clips of which the viewer wants no more: themselves, their author, their sound or a tag
  /// of theirs.
  public func dismissed(among clips: [String], by viewer: String) async throws -> Set<String> {
    guard !clips.isEmpty else { return [] }
    let list = SQLList(clips)
    let rows = try await database.read {
      try $0.query(
        """
        SELECT c.id FROM clips c JOIN dismissals d ON d.viewer_id = ?
            AND (d.kind = 'clip' AND d.subject = c.id OR d.kind = 'author' AND d.subject = c.author_id
                OR d.kind = 'sound' AND d.subject = c.sound_id)
        WHERE c.id IN \(list.marks)
        UNION ALL
        SELECT t.clip_id FROM clip_tags t JOIN dismissals d ON d.viewer_id = ? AND d.kind = 'tag' AND d.subject = t.tag
        WHERE t.clip_id IN \(list.marks)
        """, [.text(viewer)] + list.values + [.text(viewer)] + list.values)
    }
    return Set(try rows.map { try $0.text("id") })
  }

  /// With the names of authors, for the person to look through. An author who is gone is left out, and a
  /// sound of which no clip is shown to the viewer.
  private func dismissed(
    by viewer: String, in transaction: any Transaction
  ) throws -> [Taste.Dismissed] {
    let all = try dismissals(of: viewer, in: transaction)
    let ids = all.filter { $0.kind == .author }.map(\.subject)
    var authors: [String: Author] = [:]
    if !ids.isEmpty {
      let list = SQLList(ids)
      for row in try transaction.query(
        "SELECT id, handle, name, picture FROM authors WHERE id IN \(list.marks)", list.values)
      {
        let id = try row.text("id")
        authors[id] = try row.author(id)
      }
    }
    let hasSounds = all.contains { $0.kind == .sound }
    let makers = hasSounds ? try soundMakers(dismissedBy: viewer, in: transaction) : [:]
    return all.compactMap { one -> Taste.Dismissed? in
      switch one.kind {
      case .clip: return nil
      case .author: return authors[one.subject].map { Taste.Dismissed(one, author: $0) }
      case .tag: return Taste.Dismissed(one)
      case .sound: return makers[one.subject].map { Taste.Dismissed(one, author: $0) }
      }
    }
  }

  /// By the id of each sound that was dismissed, whoever made the first public clip that has it; nobody from
  /// whom the viewer is kept apart.
  private func soundMakers(
    dismissedBy viewer: String, in transaction: any Transaction
  ) throws -> [String: Author] {
    let shown = ages.condition(on: "f", for: viewer)
    let rows = try transaction.query(
      """
      SELECT c.sound_id, a.id AS author_id, a.handle, a.name, a.picture FROM clips c
      JOIN authors a ON a.id = c.author_id
      WHERE c.id IN (
          SELECT (
              SELECT f.id FROM clips f WHERE f.sound_id = d.subject AND f.state = 'ready'
                  AND f.visibility = 'public' AND f.reach_limited = 0 AND \(shown.sql)
              ORDER BY f.id LIMIT 1)
          FROM dismissals d WHERE d.viewer_id = ? AND d.kind = 'sound')
      """, shown.values + [.text(viewer)])
    let blocked = try blockedAuthors(
      from: viewer, among: rows.map { try $0.text("author_id") }, in: transaction)
    return try rows.reduce(into: [:]) { makers, row in
      let author = try row.author(try row.text("author_id"))
      if !blocked.contains(author.id) { makers[try row.text("sound_id")] = author }
    }
  }
}

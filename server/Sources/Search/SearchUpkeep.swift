internal import Platform

/// What becomes of the index without anybody's doing: what was there before it, what got better known, and
/// what has no signature yet. Any number of processes may do it at the same time.
extension SearchIndex {
  /// Entries that are compared with one statement.
  private static let compared = 500

  /// Takes up what was there before the index was. Counts it.
  @discardableResult
  func catchUp(in database: any Database) async throws -> Int {
    var all = 0
    while true {
      let isLeft = try await database.read {
        try !$0.query("SELECT 1 AS one FROM search_backlog LIMIT 1").isEmpty
      }
      guard isLeft else { return all }
      // What is left is being taken by another.
      guard try await database.write({ try takeOne(in: $0) }) else { return all }
      all += 1
    }
  }

  /// NB: alone in its transaction, as in `moved`.
  private func takeOne(in transaction: any Transaction) throws -> Bool {
    let row = try transaction.query(
      "SELECT kind, id FROM search_backlog ORDER BY kind, id LIMIT 1", [], locking: .skip
    ).first
    guard let row else { return false }
    let (kind, id) = (try row.text("kind"), try row.text("id"))
    try transaction.execute(
      "DELETE FROM search_backlog WHERE kind = ? AND id = ?", [.text(kind), .text(id)])
    switch Kind(rawValue: kind) {
    case .clip?:
      try transaction.lock(id)
      try renewClip(id, in: transaction)
    case .person?: try renewPerson(id, in: transaction)
    // They change with clips.
    case .tag?, .sound?, nil: break
    }
    return true
  }

  /// Puts what is better or less known than when it was last looked at in its place, and signs what a version
  /// of before wrote. Counts it.
  @discardableResult
  func reorder(in database: any Database) async throws -> Int {
    let clips = try await moved(
      """
      SELECT e.id, e.level, e.terms, e.signature, COALESCE(n.likes, 0) AS ours, COALESCE(n.views, 0) AS others
      FROM search_entries e LEFT JOIN clip_totals n ON n.clip_id = e.id
      """, .clip, in: database, level: { Level.ofClip(likes: $0, views: $1) }
    ) { id, transaction in
      try transaction.lock(id)
      try renewClip(id, in: transaction)
    }
    let people = try await moved(
      """
      SELECT e.id, e.level, e.terms, e.signature, COALESCE(n.followers, 0) AS ours, 0 AS others
      FROM search_entries e LEFT JOIN author_totals n ON n.author_id = e.id
      """, .person, in: database, level: { followers, _ in Level.of(followers) }, renew: renewPerson)
    return clips + people
  }

  private func moved(
    _ select: String, _ kind: Kind, in database: any Database,
    level: @escaping @Sendable (Int64, Int64) -> Int64,
    renew: @escaping @Sendable (String, any Transaction) throws -> Void
  ) async throws -> Int {
    var (place, moved) = ("", 0)
    while true {
      let rows = try await database.read { [place] in
        try $0.query(
          "\(select) WHERE e.kind = ? AND e.id > ? ORDER BY e.id LIMIT \(Self.compared)",
          [.text(kind.rawValue), .text(place)])
      }
      guard let last = try rows.last?.text("id") else { return moved }
      let ids = try rows.filter {
        try level($0.integer("ours"), $0.integer("others")) != $0.integer("level")
          || TermSignature(Self.words($0, "terms")).value != SQLValue($0.optionalInteger("signature"))
      }.map { try $0.text("id") }
      // NB: one in a transaction. The lock of the words is its last one; that of a second entry would come
      // behind it, while somebody who changes that entry has it and waits for the words.
      for id in ids { try await database.write { try renew(id, $0) } }
      moved += ids.count
      place = last
    }
  }
}

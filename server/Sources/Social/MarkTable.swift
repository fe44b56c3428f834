public import Platform

/// What a viewer has marked: one row for each, the viewer first in the key. `id` sorts by time, so it is both
/// the order of the viewer's list and the place in it.
///
/// There is no reference to what is marked: that lies elsewhere when tables are distributed, and a list
/// leaves out what cannot be seen any more.
struct MarkTable: Sendable {
  static let likes = MarkTable(table: "likes", subject: "clip_id")
  static let bookmarks = MarkTable(table: "bookmarks", subject: "clip_id")
  static let follows = MarkTable(table: "follows", subject: "author_id")

  let table: String
  let subject: String

  /// NB: released; the tables of a later day are changed by migrations of their own.
  static func statements(_ table: String, of subject: String) -> [String] {
    [
      """
      CREATE TABLE \(table) (
          viewer_id TEXT NOT NULL, \(subject) TEXT NOT NULL, id TEXT NOT NULL, created_at_ms BIGINT NOT NULL,
          PRIMARY KEY (viewer_id, \(subject)))
      """,
      "CREATE UNIQUE INDEX \(table)_in_order ON \(table) (viewer_id, id)",
    ]
  }

  /// False: it was marked before.
  @discardableResult
  func add(
    _ id: String, of viewer: String, at time: any TimeSource, in transaction: any Transaction
  ) throws -> Bool {
    try transaction.execute(
      """
      INSERT INTO \(table) (viewer_id, \(subject), id, created_at_ms) VALUES (?, ?, ?, ?)
      ON CONFLICT (viewer_id, \(subject)) DO NOTHING
      """, [.text(viewer), .text(id), .text(Identifier.make(at: time)), .integer(time.nowMs)]) == 1
  }

  /// False: it was not marked.
  func remove(_ id: String, of viewer: String, in transaction: any Transaction) throws -> Bool {
    try transaction.execute(
      "DELETE FROM \(table) WHERE viewer_id = ? AND \(subject) = ?", [.text(viewer), .text(id)]) == 1
  }

  /// Newest first, below a place.
  func page(
    of viewer: String, below place: String?, limit: Int, in transaction: any Transaction
  ) throws -> [(subject: String, place: String)] {
    try transaction.query(
      """
      SELECT \(subject) AS subject, id FROM \(table) WHERE viewer_id = ? \(place == nil ? "" : "AND id < ?")
      ORDER BY id DESC LIMIT ?
      """, [.text(viewer)] + (place.map { [.text($0)] } ?? []) + [SQLValue(limit)]
    ).map { (try $0.text("subject"), try $0.text("id")) }
  }

  /// What was marked and is no more.
  func removeAll(of viewer: String, in transaction: any Transaction) throws -> [String] {
    try transaction.query(
      "DELETE FROM \(table) WHERE viewer_id = ? RETURNING \(subject) AS subject", [.text(viewer)]
    ).map { try $0.text("subject") }
  }

  /// The other's marks become the viewer's. Returns what both had marked, which is one mark less.
  func merge(
    _ other: String, into viewer: String, in transaction: any Transaction
  ) throws -> [String] {
    let new = try transaction.query(
      """
      INSERT INTO \(table) (viewer_id, \(subject), id, created_at_ms)
      SELECT CAST(? AS TEXT), \(subject), id, created_at_ms FROM \(table) WHERE viewer_id = ?
      ON CONFLICT (viewer_id, \(subject)) DO NOTHING RETURNING \(subject) AS subject
      """, [.text(viewer), .text(other)])
    let taken = Set(try new.map { try $0.text("subject") })
    return try removeAll(of: other, in: transaction).filter { !taken.contains($0) }
  }
}

/// What a viewer has to do with clips and their authors, for whoever shows clips.
public struct ViewerMarks: Sendable {
  public init() {}

  public func marks(
    of viewer: String, onClips clipIDs: [String], authors: [String], in transaction: any Transaction
  ) throws -> (liked: Set<String>, bookmarked: Set<String>, following: Set<String>) {
    guard !clipIDs.isEmpty, !authors.isEmpty else { return ([], [], []) }
    let (clips, people) = (SQLList(clipIDs), SQLList(authors))
    let rows = try transaction.query(
      """
      SELECT 'liked' AS kind, clip_id AS id FROM likes WHERE viewer_id = ? AND clip_id IN \(clips.marks)
      UNION ALL
      SELECT 'bookmarked', clip_id FROM bookmarks WHERE viewer_id = ? AND clip_id IN \(clips.marks)
      UNION ALL
      SELECT 'following', author_id FROM follows WHERE viewer_id = ? AND author_id IN \(people.marks)
      """,
      [.text(viewer)] + clips.values + [.text(viewer)] + clips.values + [.text(viewer)] + people.values)
    var found: [String: Set<String>] = [:]
    for row in rows { found[try row.text("kind"), default: []].insert(try row.text("id")) }
    return (found["liked"] ?? [], found["bookmarked"] ?? [], found["following"] ?? [])
  }

  /// Those of these authors that the viewer follows.
  public func followed(
    by viewer: String, among authors: [String], in transaction: any Transaction
  ) throws -> Set<String> {
    guard !authors.isEmpty else { return [] }
    let list = SQLList(authors)
    let rows = try transaction.query(
      "SELECT author_id FROM follows WHERE viewer_id = ? AND author_id IN \(list.marks)",
      [.text(viewer)] + list.values)
    return Set(try rows.map { try $0.text("author_id") })
  }
}

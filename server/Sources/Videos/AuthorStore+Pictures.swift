internal import Contract
public import Platform

/// The pictures of people, and which blobs they are made of.
///
/// What is replaced stays for an hour, since pages that are open name it. What its owner takes away, or goes
/// with the account, is closed at once; what moderators take away is closed too, and kept for as long as it
/// may have to be given back. Whatever nobody needs is swept.
extension AuthorStore {
  public static let pictureMigrations = [
    Migration(
      "0063_author_pictures",
      [
        "ALTER TABLE authors ADD COLUMN picture TEXT",
        // What moderators have taken away, in the same words.
        "ALTER TABLE authors ADD COLUMN withheld_picture TEXT",
        // `state`: shown, replaced or withheld.
        """
        CREATE TABLE author_blobs (
            author_id TEXT NOT NULL REFERENCES authors (id) ON DELETE CASCADE, name TEXT NOT NULL,
            state TEXT NOT NULL, changed_at_ms BIGINT NOT NULL, PRIMARY KEY (author_id, name))
        """,
        "CREATE INDEX author_blobs_name ON author_blobs (name)",
      ])
  ]

  /// `color`: six hexadecimal digits. Throws `author_not_found`.
  public func setPicture(
    of id: String, color: String, large: BlobName, small: BlobName, in transaction: any Transaction
  ) throws {
    try transaction.lock(id)
    try change(
      id, "picture = ?", [.text(PictureColumn.text(color: color, large: large, small: small))],
      in: transaction)
    let now = SQLValue.integer(time.nowMs)
    try transaction.execute(
      "UPDATE author_blobs SET state = 'replaced', changed_at_ms = ? WHERE author_id = ? AND state = 'shown'",
      [now, .text(id)])
    for name in [large, small] {
      try transaction.execute(
        """
        INSERT INTO author_blobs (author_id, name, state, changed_at_ms) VALUES (?, ?, 'shown', ?)
        ON CONFLICT (author_id, name) DO UPDATE SET state = 'shown'
        """, [.text(id), .text(name.description), now])
    }
  }

  /// Also what moderators withhold. Where there is none, nothing happens. Throws `author_not_found`.
  public func removePicture(of id: String, in transaction: any Transaction) throws {
    try transaction.lock(id)
    try change(id, "picture = NULL, withheld_picture = NULL", [], in: transaction)
    try transaction.execute("DELETE FROM author_blobs WHERE author_id = ?", [.text(id)])
  }

  private func change(
    _ id: String, _ assignment: String, _ values: [SQLValue], in transaction: any Transaction
  ) throws {
    let found = try changes.execute(
      "UPDATE authors SET \(assignment) WHERE id = ?", values + [.text(id)], in: transaction)
    guard found == 1 else { throw AppError(.authorNotFound) }
  }
}

/// For moderators.
extension AuthorStore {
  /// False: there is nobody of this id, or nobody with a picture. One that was withheld before is not given
  /// back any more.
  public func withholdPicture(of id: String, in transaction: any Transaction) throws -> Bool {
    try transaction.lock(id)
    let found = try changes.execute(
      "UPDATE authors SET picture = NULL, withheld_picture = picture WHERE id = ? AND picture IS NOT NULL",
      [.text(id)], in: transaction)
    guard found == 1 else { return false }
    try transaction.execute(
      "DELETE FROM author_blobs WHERE author_id = ? AND state <> 'shown'", [.text(id)])
    try transaction.execute(
      "UPDATE author_blobs SET state = 'withheld', changed_at_ms = ? WHERE author_id = ?",
      [.integer(time.nowMs), .text(id)])
    return true
  }

  /// Who has another one by now keeps that.
  public func giveBackPicture(of id: String, in transaction: any Transaction) throws {
    try transaction.lock(id)
    let found = try changes.execute(
      """
      UPDATE authors SET picture = withheld_picture
      WHERE id = ? AND picture IS NULL AND withheld_picture IS NOT NULL
      """, [.text(id)], in: transaction)
    try changes.execute(
      "UPDATE authors SET withheld_picture = NULL WHERE id = ?", [.text(id)], in: transaction)
    try transaction.execute(
      found == 1
        ? "UPDATE author_blobs SET state = 'shown' WHERE author_id = ? AND state = 'withheld'"
        : "DELETE FROM author_blobs WHERE author_id = ? AND state = 'withheld'", [.text(id)])
  }
}

/// For who reads blobs, and who sweeps them.
extension AuthorStore {
  /// Whether somebody shows it, or showed it a moment ago.
  static func isOpenPicture(_ name: BlobName, in transaction: any Transaction) throws -> Bool {
    try !transaction.query(
      "SELECT 1 AS n FROM author_blobs WHERE name = ? AND state <> 'withheld' LIMIT 1",
      [.text(name.description)]
    ).isEmpty
  }

  /// Those of these blobs that somebody's picture needs, or needed at that time or later.
  public static func pictures(
    among names: [BlobName], since sinceMs: Int64, in transaction: any Transaction
  ) throws -> Set<BlobName> {
    guard !names.isEmpty else { return [] }
    let list = SQLList(names.map(\.description))
    let rows = try transaction.query(
      """
      SELECT DISTINCT name FROM author_blobs
      WHERE name IN \(list.marks) AND (state <> 'replaced' OR changed_at_ms >= ?)
      """, list.values + [.integer(sinceMs)])
    return Set(try rows.compactMap { BlobName(try $0.text("name")) })
  }

  public static func forgetPictures(
    replacedBefore sinceMs: Int64, in transaction: any Transaction
  ) throws {
    try transaction.execute(
      "DELETE FROM author_blobs WHERE state = 'replaced' AND changed_at_ms < ?", [.integer(sinceMs)])
  }

  /// The large file of somebody's picture; nil: they have none.
  public static func picture(of id: String, in transaction: any Transaction) throws -> BlobName? {
    let rows = try transaction.query("SELECT picture FROM authors WHERE id = ?", [.text(id)])
    let parts = rows.first?.optionalText("picture")?.split(atByte: UInt8(ascii: " "))
    guard let parts, parts.count == 3 else { return nil }
    return BlobName(String(parts[1]))
  }
}

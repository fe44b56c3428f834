internal import Contract
public import Platform

/// Authors who have an account: the account's id is theirs, and it goes with all of their clips.
public struct AuthorStore: Sendable {
  let time: any TimeSource
  private let transcoding: any TranscodeRequesting
  let changes: FeedChanges
  private let indexing: (any ClipIndexing)?

  public init(
    time: any TimeSource, transcoding: any TranscodeRequesting, changes: FeedChanges,
    indexing: (any ClipIndexing)? = nil
  ) {
    self.changes = changes
    self.indexing = indexing
    self.time = time
    self.transcoding = transcoding
  }

  /// Throws `handle_taken`, also for a handle of somebody whose clips were imported.
  public func makeFace(id: String, handle: String, name: String, in transaction: any Transaction) throws {
    let made = try transaction.execute(
      "INSERT INTO authors (id, handle, name, created_at_ms) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
      [.text(id), .text(handle), .text(name), .integer(time.nowMs)])
    guard made == 1 else { throw AppError(.handleTaken, field: "handle") }
    try indexing?.authorChanged(id, in: transaction)
  }

  public func renameFace(id: String, name: String, in transaction: any Transaction) throws {
    try changes.execute(
      "UPDATE authors SET name = ? WHERE id = ?", [.text(name), .text(id)], in: transaction)
    try indexing?.authorChanged(id, in: transaction)
  }
}

extension AuthorStore: ViewerErasing {
  /// What others wrote under the clips goes with them. Their media are nobody's then, and swept.
  public func erase(_ viewer: String, in transaction: any Transaction) throws {
    let deletion = ClipDeletion(
      time: time, transcoding: transcoding, changes: changes, indexing: indexing)
    for row in try transaction.query("SELECT id FROM clips WHERE author_id = ?", [.text(viewer)]) {
      try deletion.delete(try row.text("id"), in: transaction)
    }
    try changes.execute("DELETE FROM authors WHERE id = ?", [.text(viewer)], in: transaction)
    try Counters.authors.forget(viewer, in: transaction)
    try indexing?.authorChanged(viewer, in: transaction)
  }
}

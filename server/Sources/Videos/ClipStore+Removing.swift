public import Contract
public import Platform

/// Clips that their owners delete: first seen by nobody, then gone.
extension ClipStore {
  /// Nobody but its owner sees the clip: it is private, and stays so until `restore` whatever is said about
  /// it. Once more changes nothing. What is being done to it goes on, so that nothing is lost if it comes
  /// back.
  public func remove(_ clipID: String, in transaction: any Transaction) throws {
    try transaction.lock(clipID)
    guard
      let row = try transaction.query(
        "SELECT COALESCE(withheld_visibility, visibility) AS visibility FROM clips WHERE id = ?",
        [.text(clipID)]
      ).first,
      try visibility(ofRemoved: clipID, in: transaction) == nil
    else { return }
    try describe(clipID, caption: nil, tags: nil, visibility: .private, in: transaction)
    // One that the operator hid comes back as what it was to its owner: hidden.
    try changes.execute(
      "UPDATE clips SET removed_visibility = ?, hidden_visibility = NULL WHERE id = ?",
      [.text(try row.text("visibility")), .text(clipID)], in: transaction)
  }

  /// The clip is seen by whom it was seen by before; in the feed it takes its old place.
  public func restore(_ clipID: String, in transaction: any Transaction) throws {
    try transaction.lock(clipID)
    guard let visibility = try visibility(ofRemoved: clipID, in: transaction) else { return }
    try changes.execute(
      "UPDATE clips SET removed_visibility = NULL WHERE id = ?", [.text(clipID)], in: transaction)
    try describe(clipID, caption: nil, tags: nil, visibility: visibility, in: transaction)
  }

  /// As it will be if it comes back; nil for one that is not removed.
  public func visibility(
    ofRemoved clipID: String, in transaction: any Transaction
  ) throws -> Visibility? {
    try transaction.query(
      "SELECT removed_visibility FROM clips WHERE id = ? AND removed_visibility IS NOT NULL", [.text(clipID)]
    ).first.map { Visibility(rawValue: try $0.text("removed_visibility")) ?? .private }
  }

  public func delete(_ clipID: String, in transaction: any Transaction) throws {
    try ClipDeletion(time: time, transcoding: transcoding, changes: changes, indexing: indexing).delete(
      clipID, in: transaction)
  }
}

/// The end of a clip: its row, what others wrote under it, and the work on it. Its media are nobody's then,
/// and swept; what other features keep of it goes with the second look (`ErasureLog`).
struct ClipDeletion: Sendable {
  let time: any TimeSource
  let transcoding: any TranscodeRequesting
  let changes: FeedChanges
  let indexing: (any ClipIndexing)?

  func delete(_ clipID: String, in transaction: any Transaction) throws {
    try transaction.lock(clipID)
    try transcoding.withdraw(clipID: clipID, in: transaction)
    try changes.execute("DELETE FROM clips WHERE id = ?", [.text(clipID)], in: transaction)
    try indexing?.clipChanged(clipID, in: transaction)
    try ErasureLog(time: time).note(.clip, clipID, in: transaction)
  }
}

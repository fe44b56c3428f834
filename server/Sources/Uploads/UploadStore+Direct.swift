internal import Platform

/// Uploads that go straight to the storage. Each change names the parts that it is about, so that of two
/// processes one changes them and the other is told.
extension UploadStore {
  /// Takes other parts in place of these, or none. False: somebody else was first, or joins them.
  func replace(
    _ old: DirectUpload, of id: String, by new: DirectUpload?, in transaction: any Transaction
  ) throws -> Bool {
    try transaction.execute(
      """
      UPDATE uploads SET direct_place = ?, direct_id = ?
      WHERE id = ? AND direct_id = ? AND direct_joined = 0 AND state = 'receiving'
      """, [SQLValue(new?.place), SQLValue(new?.id), .text(id), .text(old.id)]) == 1
  }

  /// Said before the storage is asked to join. False: these parts are none of the upload's any more.
  func join(
    _ direct: DirectUpload, of id: String, until expiresAtMs: Int64, in transaction: any Transaction
  ) throws -> Bool {
    try transaction.execute(
      """
      UPDATE uploads SET direct_joined = 1, expires_at_ms = ? WHERE id = ? AND direct_id = ? AND state = 'receiving'
      """, [.integer(expiresAtMs), .text(id), .text(direct.id)]) == 1
  }

  /// What was joined is gone.
  func part(_ direct: DirectUpload, of id: String, in transaction: any Transaction) throws {
    try transaction.execute(
      "UPDATE uploads SET direct_joined = 0 WHERE id = ? AND direct_id = ? AND state = 'receiving'",
      [.text(id), .text(direct.id)])
  }

  /// The storage holds nothing of it any more.
  func forget(_ direct: DirectUpload, of id: String, in transaction: any Transaction) throws {
    try transaction.execute(
      "UPDATE uploads SET direct_place = NULL, direct_id = NULL, direct_joined = 0 WHERE id = ? AND direct_id = ?",
      [.text(id), .text(direct.id)])
  }

  /// Those that ended, and of which the storage may still hold something.
  func endedDirect(in transaction: any Transaction) throws -> [Row] {
    try transaction.query(
      "SELECT * FROM uploads WHERE direct_id IS NOT NULL AND state <> 'receiving' ORDER BY id"
    ).map(Self.row)
  }

  /// Hashes of sources that lie in the storage already, or soon will, without a clip that needs them.
  func joinedHashes(in transaction: any Transaction) throws -> [String] {
    try transaction.query(
      "SELECT sha256 FROM uploads WHERE direct_id IS NOT NULL AND direct_joined = 1 AND state = 'receiving'"
    ).compactMap { $0.optionalText("sha256") }
  }
}

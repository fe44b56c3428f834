internal import Contract
public import Platform

extension Exports {
  /// The hashes of archives that can be had: what else lies beside the sources is swept.
  public func inUse() async throws -> Set<String> {
    let rows = try await database.read {
      try $0.query("SELECT blob FROM exports WHERE blob IS NOT NULL")
    }
    return Set(try rows.compactMap { BlobName(try $0.text("blob"))?.hash })
  }

  /// Removes archives whose time is over, and forgets what nobody asks for any more. What has not come about
  /// in a week never will.
  public func sweep() async throws {
    let now = time.nowMs
    let over = try await database.read {
      try $0.query(
        "SELECT id FROM exports WHERE expires_at_ms <= ? AND state <> 'gone' LIMIT 1000",
        [.integer(now)]
      ).map { try $0.text("id") }
    }
    for id in over {
      let blob = try await database.write { transaction -> BlobName? in
        try transaction.lock(id)
        let row = try find(id, in: transaction)
        try queue.remove(key: id, in: transaction)
        try transaction.execute("UPDATE exports SET state = 'gone', blob = NULL WHERE id = ?", [.text(id)])
        return row?.blob
      }
      if let blob { try await archives.remove(blob) }
    }
    // A day longer than its key may be said again with sense.
    try await database.write {
      try $0.execute(
        "DELETE FROM exports WHERE state = 'gone' AND expires_at_ms < ?", [.integer(now - Self.dayMs)])
    }
  }

  /// Tells those whose archive has become ready, each once.
  func tell() async throws {
    guard let telling else { return }
    let untold = try await database.read {
      try $0.query(
        "SELECT id FROM exports WHERE state = 'ready' AND told = 0 ORDER BY created_at_ms LIMIT 100"
      ).map { try $0.text("id") }
    }
    for id in untold {
      try await database.write { transaction in
        guard let account = try find(id, in: transaction)?.account else { return }
        // As whoever deletes the account does, who would have it told of what is gone.
        try transaction.lock(account)
        let changed = try transaction.execute(
          "UPDATE exports SET told = 1 WHERE id = ? AND state = 'ready' AND told = 0", [.text(id)])
        if changed == 1 { try telling.tellExportReady(account, in: transaction) }
      }
    }
  }
}

extension Exports: ViewerErasing {
  /// No address opens the archives any more; their bytes are nobody's then, and swept.
  public func erase(_ viewer: String, in transaction: any Transaction) throws {
    let ids = try transaction.query(
      "SELECT id FROM exports WHERE account_id = ? ORDER BY id", [.text(viewer)])
    for row in ids {
      let id = try row.text("id")
      // As the end of its job does, before anything of it is changed.
      try transaction.lock(id)
      try queue.remove(key: id, in: transaction)
    }
    try transaction.execute("DELETE FROM exports WHERE account_id = ?", [.text(viewer)])
  }
}

extension Exports: ViewerExporting {
  public var exported: [ExportedRecords] { [] }

  public var kept: [KeptColumns] {
    [KeptColumns("exports.account_id", because: "the archives themselves")]
  }
}

public import Platform

extension WebhookStore: ViewerErasing {
  /// What the operator's endpoints were to hear of the account goes as well.
  public func erase(_ viewer: String, in transaction: any Transaction) throws {
    let own = try transaction.query(
      "SELECT id FROM webhook_endpoints WHERE viewer_id = ? ORDER BY id", [.text(viewer)])
    for id in try own.map({ try $0.text("id") }) {
      try Self.lock(id, in: transaction)
      try Self.remove(id, in: transaction)
    }
    try transaction.execute("DELETE FROM webhook_deliveries WHERE author_id = ?", [.text(viewer)])
  }
}

extension WebhookStore: ViewerExporting {
  public var exported: [ExportedRecords] {
    [
      ExportedRecords(
        "webhooks", "Addresses that hear of what happens to the account, without their secrets.",
        of: ["webhook_endpoints.viewer_id"],
        fields: ["id", "address", "events", "enabled", "problem", "created_at_ms", "delivered_at_ms"],
        sql: """
          SELECT id AS place, id, address, events, enabled, problem, created_at_ms, delivered_at_ms FROM webhook_endpoints
          WHERE viewer_id = ?
          """)
    ]
  }

  public var kept: [KeptColumns] {
    [
      KeptColumns(
        "webhook_deliveries.author_id",
        because: "messages to addresses, about what is in `generations` and `clips`, gone within a month")
    ]
  }
}

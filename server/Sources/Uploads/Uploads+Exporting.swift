public import Platform

extension Uploads: ViewerExporting {
  public var exported: [ExportedRecords] {
    [
      ExportedRecords(
        "uploads", "Files that the account has sent, and what became of them.",
        of: ["uploads.owner"],
        fields: [
          "id", "clip_id", "state", "media_type", "size_bytes", "sha256", "failure_code", "created_at_ms",
        ],
        sql: """
          SELECT id AS place, id, clip_id, state, media_type, size_bytes, sha256, failure_code, created_at_ms FROM uploads
          WHERE owner = ?
          """)
    ]
  }

  public var kept: [KeptColumns] {
    [
      KeptColumns(
        "uploads.account",
        because: "the same uploads, once more by whose share they take")
    ]
  }
}

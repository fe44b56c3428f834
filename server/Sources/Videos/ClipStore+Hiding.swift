internal import Contract
internal import Platform

/// Clips that the operator hides with their author, and shows again.
extension ClipStore {
  /// So many in one transaction: others write as well.
  private static let hidingBatch = 50

  /// What only its owner sees is left as it is. Answers which were hidden.
  @discardableResult
  public func hideAll(of author: String) async throws -> [String] {
    try await inBatches(
      "SELECT id, visibility FROM clips WHERE author_id = ? AND visibility <> 'private'", of: author
    ) { id, visibility, transaction in
      try describe(id, caption: nil, tags: nil, visibility: .private, in: transaction)
      try changes.execute(
        "UPDATE clips SET hidden_visibility = ? WHERE id = ?", [.text(visibility.rawValue), .text(id)],
        in: transaction)
    }
  }

  /// Those that `hideAll` hid are seen by whom they were seen by before. Answers which.
  @discardableResult
  public func showAll(of author: String) async throws -> [String] {
    try await inBatches(
      """
      SELECT id, hidden_visibility AS visibility FROM clips
      WHERE author_id = ? AND hidden_visibility IS NOT NULL
      """, of: author
    ) { id, visibility, transaction in
      // What somebody has shown again meanwhile stays as that.
      let isHidden = try !transaction.query(
        "SELECT 1 AS n FROM clips WHERE id = ? AND visibility = 'private'", [.text(id)]
      ).isEmpty
      if isHidden { try describe(id, caption: nil, tags: nil, visibility: visibility, in: transaction) }
      try changes.execute(
        "UPDATE clips SET hidden_visibility = NULL WHERE id = ?", [.text(id)], in: transaction)
    }
  }

  /// `work` changes each so that the query does not find it again.
  private func inBatches(
    _ query: String, of author: String,
    _ work: @escaping @Sendable (String, Visibility, any Transaction) throws -> Void
  ) async throws -> [String] {
    var changed: [String] = []
    while true {
      let batch = try await database.write { transaction in
        try transaction.query(query + " LIMIT \(Self.hidingBatch)", [.text(author)]).map { row in
          let id = try row.text("id")
          try work(id, Visibility(rawValue: try row.text("visibility")) ?? .private, transaction)
          return id
        }
      }
      guard !batch.isEmpty else { return changed }
      changed += batch
    }
  }
}

public import Contract
public import Platform

/// What features tell of, in the transaction in which it happens.
extension RecommendationStore: ActionNoting {
  public func noted(
    _ action: ClipAction, on clipID: String, by viewer: String, in transaction: any Transaction
  ) throws {
    guard try isPersonalised(viewer, in: transaction) else { return }
    let kind: EventLog.Kind =
      switch action {
      case .like: .like
      case .unlike: .unlike
      case .bookmark: .bookmark
      case .share: .share
      case .comment: .comment
      }
    try log.append(EventLog.Entry(kind, of: clipID), by: viewer, in: transaction)
  }

  /// Counts for the last clip of the author that the viewer was shown: that one convinced.
  public func followed(_ author: String, by viewer: String, in transaction: any Transaction) throws {
    guard try isPersonalised(viewer, in: transaction) else { return }
    let shown = try transaction.query(
      """
      SELECT latest.clip_id FROM
          (SELECT clip_id, seen_at_ms FROM seen WHERE viewer_id = ? ORDER BY seen_at_ms DESC LIMIT 50) latest
      JOIN clips c ON c.id = latest.clip_id WHERE c.author_id = ? ORDER BY latest.seen_at_ms DESC LIMIT 1
      """, [.text(viewer), .text(author)])
    guard let clip = try shown.first?.text("clip_id") else { return }
    try log.append(EventLog.Entry(.follow, of: clip), by: viewer, in: transaction)
  }
}

extension RecommendationStore: WatchNoting {
  /// Visits that are over.
  public func watched(
    _ ends: [WatchEvent], by viewer: String, in transaction: any Transaction
  ) throws {
    guard !ends.isEmpty, try isPersonalised(viewer, in: transaction) else { return }
    try log.append(
      ends.map { end in
        EventLog.Entry(
          .watch, of: end.clipId, watchedMs: end.kind == .completion ? nil : end.watchedMs,
          source: end.source)
      }, by: viewer, in: transaction)
  }
}

public import Contract
public import Platform

extension NotificationStore {
  /// `viewer`: nil for somebody of whom nothing is known, who has what everybody has.
  public func settings(of viewer: String?) async throws -> NotificationSettings {
    guard let viewer else { return Switches(stored: "").settings }
    return try await database.read { try reader(viewer, in: $0).switches.settings }
  }

  public func change(
    _ change: NotificationSettingsChange, of viewer: String
  ) async throws -> NotificationSettings {
    try await database.write { transaction in
      // What is not in the change is read first.
      try transaction.lock("notifications of \(viewer)")
      var switches = try reader(viewer, in: transaction).switches
      switches.change(change)
      try transaction.execute(
        """
        INSERT INTO notification_readers (account, seen_ms, switches) VALUES (?, 0, ?)
        ON CONFLICT (account) DO UPDATE SET switches = excluded.switches
        """, [.text(viewer), .text(switches.stored)])
      return switches.settings
    }
  }

  /// As they were written down where they come from; what is not known here is passed over.
  public func take(_ stored: String, of viewer: String) async throws {
    let items = Switches(stored: stored).settings.items.map {
      NotificationSettingsChange.Item(kind: $0.kind, list: $0.list, push: $0.push)
    }
    _ = try await change(NotificationSettingsChange(items: items), of: viewer)
  }

  /// Whether a kind is told on devices.
  public func wantsPush(of kind: String, _ viewer: String, in transaction: any Transaction) throws -> Bool {
    try reader(viewer, in: transaction).switches.isOn(.push, kind)
  }
}

public import Features
internal import Platform

extension WebhookStore {
  /// Workers of one server: those of slow endpoints wait for them.
  private static let workers = [false, false, false, true, true]

  public var feature: Feature {
    Feature(
      endpoints: endpoints, jobs: [],
      periodicTasks: Self.workers.map { isSlow in
        PeriodicTask(.servers(every: .seconds(1)), failure: "webhooks cannot be sent now") {
          try await WebhookDelivering(store: self, isSlow: isSlow).run()
        }
      } + [
        PeriodicTask(.hourly, failure: "old webhooks cannot be removed now") { try await sweep() }
      ], merging: nil, erasing: self, exporting: self)
  }

  /// For how long it can be seen what became of a message.
  private static let memoryMs: Int64 = 30 * 86_400_000
  /// Rows of one transaction of the sweep: others wait for it.
  private static let sweptAtOnce = 1000

  func sweep() async throws {
    for (table, key, column, life) in [
      ("webhook_deliveries", "id", "created_at_ms", Self.memoryMs),
      ("heard_webhooks", "provider, id", "heard_at_ms", Self.heardMs),
    ] {
      let limit = time.nowMs - life
      while try await database.write({
        try $0.execute(
          """
          DELETE FROM \(table) WHERE (\(key)) IN
              (SELECT \(key) FROM \(table) WHERE \(column) < ? LIMIT \(Self.sweptAtOnce))
          """, [.integer(limit)])
      }) == Self.sweptAtOnce {}
    }
  }
}

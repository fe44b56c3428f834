public import Features
internal import Logging
internal import Platform

extension RecommendationStore {
  /// `telling`: shows the clips of lists.
  public func feature(telling: any RecommendedClips) -> Feature {
    Feature(
      endpoints: endpoints(telling), jobs: [],
      periodicTasks: [
        // Pages follow by themselves; without visitors there is a snapshot all the same.
        PeriodicTask(.servers(every: .seconds(2)), failure: "what people do cannot be learned now") {
          try await reader.follow()
        },
        PeriodicTask(.servers(every: .seconds(30)), failure: "what was learned cannot be refitted now") {
          try await refitIfDue()
          await engine.measureModel()
        },
        PeriodicTask(.servers(every: .seconds(60)), failure: "what was learned cannot be kept now") {
          _ = try await saveIfDue()
        },
        PeriodicTask(.servers(every: .seconds(3600)), failure: "clips cannot be read for ranking now") {
          try await reader.refresh()
        },
        PeriodicTask(.hourly, failure: "old events of ranking cannot be removed now") {
          _ = try await sweep()
        },
      ],
      merging: self, erasing: self, exporting: self)
  }

  /// Events after which vectors are worth making anew, and how long fewer of them wait, in milliseconds.
  static let eventsOfARefit = 20_000
  static let refitEveryMs: Int64 = 600_000

  /// Step by step, so that pages and events come in between.
  func refitIfDue() async throws {
    guard await engine.isRefitDue(nowMs: time.nowMs) else { return }
    while await engine.refit(nowMs: time.nowMs) {
      try Task.checkCancellation()
      await Task.yield()
    }
  }

  /// Keeps a snapshot, if something was learned and it is this process's turn.
  @discardableResult
  public func saveIfDue() async throws -> Bool {
    guard await reader.learned > 0, try await state.snapshots.takeTurn() else { return false }
    let takenMs = time.nowMs
    guard let saved = try await reader.state() else { return false }
    return try await state.snapshots.save(saved, takenMs: takenMs)
  }

  /// How long it is kept what everybody got of whom nothing is known: a day.
  static let frontRetentionMs: Int64 = 86_400_000
  /// Rows that one transaction of a sweep removes.
  private static let sweepBatch = 2000

  /// Removes what is too old. Counts it.
  @discardableResult
  public func sweep() async throws -> Int {
    let limitMs = time.nowMs - Self.retentionMs
    let frontLimitMs = time.nowMs - Self.frontRetentionMs
    var removed = 0
    while true {
      let some = try await database.write { transaction in
        let events = try transaction.execute(
          """
          DELETE FROM ranking_events WHERE id IN
              (SELECT id FROM ranking_events WHERE id < ? ORDER BY id LIMIT \(Self.sweepBatch))
          """, [.text(EventLog.firstID(at: limitMs))])
        let shown = try transaction.execute(
          """
          DELETE FROM shown_clips WHERE (walk, clip_id) IN
              (SELECT walk, clip_id FROM shown_clips WHERE at_ms < ? ORDER BY at_ms LIMIT \(Self.sweepBatch))
          """, [.integer(limitMs)])
        // Walks begin behind these for as long as somebody has the page open.
        let fronts = try transaction.execute(
          """
          DELETE FROM shown_clips WHERE (walk, clip_id) IN
              (SELECT walk, clip_id FROM shown_clips WHERE viewer_id = '' AND at_ms < ?
              ORDER BY at_ms LIMIT \(Self.sweepBatch))
          """, [.integer(frontLimitMs)])
        return max(events, shown, fronts)
      }
      removed += some
      if some < Self.sweepBatch { return removed }
    }
  }
}

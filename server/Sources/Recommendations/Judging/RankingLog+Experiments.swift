internal import Platform
internal import Ranking

extension RankingLog {
  /// Experiments of the last month, the latest first.
  public func experiments() async throws -> [String] {
    try await database.read { transaction in
      try transaction.query(
        """
        SELECT experiment, MAX(at_ms) AS last_ms FROM shown_clips WHERE experiment IS NOT NULL
        GROUP BY experiment ORDER BY last_ms DESC, experiment
        """
      ).map { try $0.text("experiment") }
    }
  }

  /// Viewers that are read at once.
  private static let batch = 50

  /// Nil: nobody was shown anything in it.
  ///
  /// What is not in the log counts for nothing: people who want nothing learned, and pages that were not
  /// ranked in time.
  public func figures(of experiment: String) async throws -> ExperimentFigures? {
    guard !experiment.utf8.contains(0) else { return nil }
    var (control, treatment, crossed) = (ArmSums(), ArmSums(), 0)
    var (firstMs, lastMs) = (Int64.max, Int64.min)
    var last = ""
    while true {
      let viewers = try await viewers(in: experiment, after: last)
      guard let end = viewers.last else { break }
      last = end
      let shown = try await shown(to: viewers, in: experiment)
      let events = try await events(of: viewers)
      for viewer in viewers {
        guard let rows = shown[viewer], let arm = rows.first?.arm else { continue }
        firstMs = min(firstMs, rows.map(\.atMs).min() ?? .max)
        lastMs = max(lastMs, rows.map(\.atMs).max() ?? .min)
        guard rows.allSatisfy({ $0.arm == arm }) else {
          crossed += 1
          continue
        }
        let tally = Self.tally(rows, events[viewer] ?? [])
        if arm == .treatment { treatment.add(tally) } else { control.add(tally) }
      }
    }
    guard firstMs <= lastMs else { return nil }
    return ExperimentFigures(
      name: experiment, firstMs: firstMs, lastMs: lastMs, controlViewers: control.viewers,
      treatmentViewers: treatment.viewers, crossedViewers: crossed,
      measures: ArmSums.measures(control: control, treatment: treatment))
  }

  private func viewers(in experiment: String, after last: String) async throws -> [String] {
    try await database.read {
      try $0.query(
        """
        SELECT DISTINCT viewer_id FROM shown_clips WHERE viewer_id > ? AND experiment = ?
        ORDER BY viewer_id LIMIT \(Self.batch)
        """, [.text(last), .text(experiment)]
      ).map { try $0.text("viewer_id") }
    }
  }

  // MARK: Rows

  private struct Shown: Sendable {
    let walk: String
    let clip: String
    let atMs: Int64
    let arm: ExperimentArm
  }

  private func shown(to viewers: [String], in experiment: String) async throws -> [String: [Shown]] {
    let list = SQLList(viewers)
    let rows = try await database.read {
      try $0.query(
        """
        SELECT viewer_id, walk, clip_id, at_ms, arm FROM shown_clips
        WHERE viewer_id IN \(list.marks) AND experiment = ? AND reason <> ''
        """, list.values + [.text(experiment)])
    }
    var shown: [String: [Shown]] = [:]
    for row in rows {
      guard let arm = row.optionalText("arm").flatMap(ExperimentArm.init) else { continue }
      shown[try row.text("viewer_id"), default: []].append(
        Shown(
          walk: try row.text("walk"), clip: try row.text("clip_id"), atMs: try row.integer("at_ms"), arm: arm)
      )
    }
    return shown
  }

  private struct Effect: Sendable {
    let clip: String
    let kind: EventLog.Kind
    let atMs: Int64
    let watchedMs: Int64?
    let durationMs: Int64
  }

  private func events(of viewers: [String]) async throws -> [String: [Effect]] {
    let list = SQLList(viewers)
    let rows = try await database.read {
      try $0.query(
        """
        SELECT e.id, e.viewer_id, e.clip_id, e.kind, e.watched_ms, c.duration_ms
        FROM ranking_events e JOIN clips c ON c.id = e.clip_id WHERE e.viewer_id IN \(list.marks)
        """, list.values)
    }
    var events: [String: [Effect]] = [:]
    for row in rows {
      guard let kind = EventLog.Kind(rawValue: try row.text("kind")) else { continue }
      events[try row.text("viewer_id"), default: []].append(
        Effect(
          clip: try row.text("clip_id"), kind: kind, atMs: EventLog.ms(of: try row.text("id")),
          watchedMs: row.optionalInteger("watched_ms"), durationMs: row.optionalInteger("duration_ms") ?? 0))
    }
    return events
  }

  // MARK: Sums

  private static func tally(_ shown: [Shown], _ effects: [Effect]) -> ViewerTally {
    var tally = ViewerTally()
    tally.shown = Double(shown.count)
    tally.visits = Double(Set(shown.map(\.walk)).count)
    let moments = Dictionary(grouping: shown, by: \.clip).mapValues { $0.map(\.atMs) }
    for effect in effects {
      let isOfIt = moments[effect.clip]?.contains { atMs in
        effect.atMs >= atMs && effect.atMs - atMs <= effectMs
      }
      guard isOfIt == true else { continue }
      switch effect.kind {
      case .watch:
        let duration = min(max(effect.durationMs, 0), effectMs)
        let watched = min(max(effect.watchedMs ?? duration, 0), effectMs)
        tally.watched += 1
        tally.seconds += Double(watched) / 1000
        tally.completions += effect.watchedMs == nil ? 1 : 0
        tally.skips += effect.watchedMs != nil && WatchLabels.isQuickSkip(watched, of: duration) ? 1 : 0
      case .like: tally.likes += 1
      case .unlike: tally.likes -= 1
      case .notInterested: tally.dismissals += 1
      case .bookmark, .share, .comment, .follow, .forget, .merge: break
      }
    }
    tally.likes = max(tally.likes, 0)
    return tally
  }
}

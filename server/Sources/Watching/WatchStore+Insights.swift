public import Contract
internal import Foundation
public import Platform

/// Whose clips are whose.
public protocol ClipOwning: Sendable {
  /// Whether the clip is the viewer's, an account's or a guest's, and not deleted.
  func owns(_ clipID: String, _ viewer: String, in transaction: any Transaction) throws -> Bool
}

/// How a clip does, as its owner is told. All is read off counts: what it costs does not depend on how often
/// the clip was watched.
extension WatchStore {
  /// Throws `clip_not_found`, also for a clip that others can see.
  public func insights(
    of clipID: String, for viewer: String?, _ owning: any ClipOwning
  ) async throws -> ClipInsights {
    let today = ClipDays.day(atMs: time.nowMs)
    let found = try await database.read { transaction -> ClipInsights? in
      guard let viewer, try owning.owns(clipID, viewer, in: transaction),
        let clip = try transaction.query(
          "SELECT created_at_ms, duration_ms FROM clips WHERE id = ? AND state = 'ready'", [.text(clipID)]
        ).first
      else { return nil }
      let days = (today - ClipDays.kept + 1)...today
      let figures = try Counters.figures(of: clipID, from: days.lowerBound, in: transaction)
      let durationMs = clip.optionalInteger("duration_ms") ?? 0
      let tally = try RetentionCurves.tally(of: clipID, durationMs: durationMs, in: transaction)
      let createdAtMs = try clip.integer("created_at_ms")
      return Self.insights(figures, tally, durationMs: Int(clamping: durationMs), createdAtMs, days)
    }
    guard let found else { throw AppError(.clipNotFound) }
    return found
  }

  private static func insights(
    _ figures: ClipFigures, _ tally: RetentionTally, durationMs: Int, _ createdAtMs: Int64,
    _ days: ClosedRange<Int64>
  ) -> ClipInsights {
    let counts = figures.counts
    let found = WatchEvent.Source.allCases.map { source in
      ClipInsights.Found(
        source: source, impressions: counts[.shown(source)] ?? 0, views: counts[.viewed(source)] ?? 0)
    }
    return ClipInsights(
      impressions: found.reduce(0) { $0 + $1.impressions }, views: counts[.views] ?? 0,
      viewers: counts[.viewers] ?? 0, likes: counts[.likes] ?? 0, bookmarks: counts[.bookmarks] ?? 0,
      shares: counts[.shares] ?? 0, comments: counts[.comments] ?? 0,
      countedSince: figures.sinceMs.flatMap { $0 > createdAtMs ? date(ms: $0) : nil },
      found: found.filter { $0.impressions > 0 || $0.views > 0 }.sorted {
        ($1.impressions, $1.views) < ($0.impressions, $0.views)
      },
      days: days.map { day($0, figures.days[$0] ?? [:]) }, durationMs: durationMs, starts: tally.starts,
      startsNeeded: RetentionTally.leastStarts, staying: tally.staying(durationMs: durationMs))
  }

  private static func day(_ day: Int64, _ counts: [ClipDays.Column: Int64]) -> ClipInsights.Day {
    func count(_ column: ClipDays.Column) -> Int { Int(clamping: counts[column] ?? 0) }
    return ClipInsights.Day(
      day: date(ms: ClipDays.startMs(of: day)), impressions: count(.impressions), views: count(.views),
      likes: count(.likes), bookmarks: count(.bookmarks), shares: count(.shares), comments: count(.comments))
  }

  private static func date(ms: Int64) -> Date { Date(timeIntervalSince1970: Double(ms) / 1000) }
}

extension RetentionTally {
  fileprivate func staying(durationMs: Int) -> ClipInsights.Staying? {
    guard let curve = shares(durationMs: durationMs) else { return nil }
    return ClipInsights.Staying(
      watchedShare: Self.millionths(watchedShare(durationMs: durationMs)),
      completionShare: Self.millionths(completionShare), retention: curve)
  }

  private static func millionths(_ share: Double) -> Int {
    Int(clamping: (share * 1000).rounded() * 1000, to: 0...1_000_000)
  }
}

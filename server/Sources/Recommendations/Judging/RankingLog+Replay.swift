internal import Contract
internal import Foundation
internal import Platform
public import Ranking

extension RankingLog {
  /// Places that are asked about at most: the latest.
  public static let mostPlaces = 20_000
  private static let batch = 500

  /// What these settings would have brought in the last days.
  ///
  /// The model learns from the log alone, from its beginning, and at each place knows what came before it and
  /// nothing else; so the last snapshot, which has learned what came of these places, is not used. Clips that
  /// are gone by now are in none of it. Follows and wishes count from when they were made.
  ///
  /// - Parameters:
  ///   - candidates: with their names; the first is what the others are compared with.
  ///   - days: 1 to 30.
  public func replay(
    _ candidates: [(name: String, settings: Ranker.PageSettings)], days: Int
  ) async throws -> ReplayFigures {
    let places = try await drawnPlaces(sinceMs: time.nowMs - Int64(clamping: days) * 86_400_000)
    let firstMs = time.nowMs - RecommendationStore.retentionMs
    var run = ReplayRun(candidates.map(\.settings), clips: try await clips(), fromMs: firstMs)
    let log = EventLog(time: time)
    var next = places.startIndex
    var position = ""
    while true {
      let events = try await database.read { [position] in
        try log.events(after: position, limit: Self.batch, in: $0)
      }
      for event in events {
        let atMs = EventLog.ms(of: event.id)
        while next < places.endIndex, places[next].atMs <= atMs {
          run.ask(places[next], try await context(of: places[next]))
          next += 1
        }
        run.learn(event)
      }
      guard let last = events.last, events.count == Self.batch else { break }
      position = last.id
    }
    return run.figures(candidates.map(\.name), places: places.count)
  }

  private func drawnPlaces(sinceMs: Int64) async throws -> [DrawnPlace] {
    let share = Ranker.Settings().uniformShare
    let rows = try await database.read {
      try $0.query(
        """
        SELECT viewer_id, walk, place, clip_id, at_ms, propensity, reason FROM shown_clips
        WHERE at_ms >= ? AND viewer_id <> '' AND reason LIKE '%drawn%'
        ORDER BY at_ms DESC, walk, place DESC LIMIT \(Self.mostPlaces)
        """, [.integer(sinceMs)])
    }
    return try rows.reversed().compactMap { row in
      let reason = Data(try row.text("reason").utf8)
      // A tag may have the word in it.
      guard let reason = try? WireCoding.decode(ClipReason.self, from: reason), reason.kind == .drawn else {
        return nil
      }
      return DrawnPlace(
        viewer: try row.text("viewer_id"), walk: try row.text("walk"), place: try row.integer("place"),
        clip: try row.text("clip_id"), atMs: try row.integer("at_ms"),
        propensity: min(Double(try row.integer("propensity")) / 1e12 / share, 1))
    }
  }

  private func clips() async throws -> [Ranking.Clip] {
    var clips: [Ranking.Clip] = []
    var last: Int64 = 0
    while true {
      let rows = try await database.read { [last] in try LogReader.shownClips(after: last, in: $0) }
      clips += rows.compactMap(\.clip)
      guard let end = rows.last, rows.count == LogReader.clipsOfARead else { return clips }
      last = end.number
    }
  }

  private func context(of place: DrawnPlace) async throws -> PlaceContext {
    try await database.read { transaction in
      var context = PlaceContext()
      let seen = try transaction.query(
        "SELECT clip_id FROM seen WHERE viewer_id = ? AND seen_at_ms < ?",
        [.text(place.viewer), .integer(place.atMs)])
      let handedOut = try transaction.query(
        "SELECT clip_id FROM shown_clips WHERE walk = ? AND place < ?",
        [.text(place.walk), .integer(place.place)])
      for row in seen + handedOut {
        if let id = EntityID(uuid: try row.text("clip_id")) { context.gone.insert(id) }
      }
      context.followed = try transaction.query(
        "SELECT author_id FROM follows WHERE viewer_id = ? AND id < ? ORDER BY id DESC LIMIT 1000",
        [.text(place.viewer), .text(EventLog.firstID(at: place.atMs))]
      ).map { EntityID(of: try $0.text("author_id")) }
      for row in try transaction.query(
        "SELECT kind, subject FROM dismissals WHERE viewer_id = ? AND at_ms < ?",
        [.text(place.viewer), .integer(place.atMs)])
      {
        let subject = try row.text("subject")
        switch Dismissal.Kind(rawValue: try row.text("kind")) {
        case .clip?: if let id = EntityID(uuid: subject) { context.gone.insert(id) }
        case .author?: context.authors.insert(EntityID(of: subject))
        case .tag?: context.tags.insert(StableHash.of(subject))
        case .sound?: context.sounds.insert(StableHash.of(subject))
        case nil: break
        }
      }
      return context
    }
  }
}

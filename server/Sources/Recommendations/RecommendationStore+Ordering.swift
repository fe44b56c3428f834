public import Contract
internal import Foundation
internal import Platform
internal import Ranking

/// A place in "For you".
public struct RecommendedClip: Sendable {
  public let id: String
  public let reason: ClipReason
  /// How likely it was to come to its place, given those before (`RankedClip.propensity`).
  let propensity: Double
  let score: Float
  let sources: UInt8
}

/// The order of "For you".
extension RecommendationStore {
  /// Clips that come next in a walk, none that it has handed out. Nil: there is no order now, and the feed
  /// goes on without one. Empty: nothing is left that is new to the viewer.
  ///
  /// - Parameters:
  ///   - walks: the walk, and the one that it goes on from, if any.
  ///   - language: what the viewer reads, the first part of a tag of BCP 47 in lower case; nil: it is not
  ///     known.
  public func order(
    _ count: Int, of walks: [String], for viewer: String?, language: String? = nil
  ) async -> [RecommendedClip]? {
    let began = ContinuousClock.now
    let found = await Deadline.within(engine.patience) {
      do {
        let clips = try await page(count, of: walks, for: viewer, language: language)
        return Result<[RecommendedClip]?, any Error>.success(clips)
      } catch { return .failure(error) }
    }
    let outcome =
      switch found {
      // It is cancelled when nobody waits for it any more, which is no failure.
      case nil, .failure(is CancellationError)?: "slow"
      case .failure?: "failed"
      case .success(nil)?: "unloaded"
      case .success?: "ranked"
      }
    engine.metrics.page(outcome, took: .now - began)
    return try? found?.get()
  }

  /// Whether those who read this language have an order of their own while nothing is known of them: as long
  /// as there is something to choose from.
  public func hasFront(in language: String) -> Bool { engine.hasFront(in: language) }

  /// How many languages have one, at most, and how many clips are enough where none is liked.
  static let mostFronts = 32
  static let clipsOfAFront = 20

  func page(
    _ count: Int, of walks: [String], for viewer: String?, language: String? = nil
  ) async throws -> [RecommendedClip]? {
    try await reader.follow(for: viewer)
    // What was read is there for others; the rest is for whoever waits.
    try Task.checkCancellation()
    var question = PageQuestion(viewer: viewer, nowMs: time.nowMs)
    question.language = language.map { StableHash.of($0) }
    if let viewer {
      question.settings = state.experiment?.settings(for: viewer)
      try await read(&question, about: viewer)
    }
    if !walks.isEmpty { question.handedOut = try await handedOut(walks) }
    var page: [RankedClip] = []
    let began = ContinuousClock.now
    for look in 0..<Self.mostLooks {
      try Task.checkCancellation()
      guard let found = await ranked(question, count: count, since: began, isFirst: look == 0) else {
        return nil
      }
      page = found
      guard let viewer else { break }
      let strangers = try await blocked(from: viewer, among: found.map(\.clip))
      if strangers.isEmpty { break }
      question.authors.formUnion(strangers)
      page = []
    }
    return try await explained(page, to: viewer)
  }

  /// How often a page is made anew without authors who turn out to be blocked.
  private static let mostLooks = 5
  /// Of whom anything can come before others.
  private static let mostFollowed = 1_000

  private func read(_ question: inout PageQuestion, about viewer: String) async throws {
    let from = await engine.viewer(viewer) { $0.place }
    let mostFollowed = Self.mostFollowed
    let facts = try await database.read { transaction in
      (
        seen: try transaction.query(
          """
          SELECT clip_id, seen_at_ms FROM seen WHERE viewer_id = ? AND (seen_at_ms, clip_id) > (?, ?)
          ORDER BY seen_at_ms, clip_id LIMIT \(RecentViewers.mostSeen)
          """, [.text(viewer), .integer(from.atMs), .text(from.clipID)]
        ).map { (clipID: try $0.text("clip_id"), atMs: try $0.integer("seen_at_ms")) },
        followed: try transaction.query(
          "SELECT author_id FROM follows WHERE viewer_id = ? ORDER BY id DESC LIMIT \(mostFollowed)",
          [.text(viewer)]
        ).map { EntityID(of: try $0.text("author_id")) },
        dismissed: try dismissals(of: viewer, in: transaction)
      )
    }
    if !facts.seen.isEmpty { await engine.viewer(viewer) { $0.saw(facts.seen, behind: from) } }
    question.followed = facts.followed
    // One's own clips are no news.
    question.authors.insert(EntityID(of: viewer))
    for one in facts.dismissed {
      switch one.kind {
      case .clip: if let id = EntityID(uuid: one.subject) { question.dismissed.insert(id) }
      case .author: question.authors.insert(EntityID(of: one.subject))
      case .tag: question.tags.insert(StableHash.of(one.subject))
      case .sound: question.sounds.insert(StableHash.of(one.subject))
      }
    }
  }

  private func handedOut(_ walks: [String]) async throws -> Set<EntityID> {
    Set(try await shown(in: walks).compactMap { EntityID(uuid: $0) })
  }

  /// What these walks have handed out.
  public func shown(in walks: [String]) async throws -> [String] {
    let list = SQLList(walks)
    return try await database.read {
      try $0.query("SELECT clip_id FROM shown_clips WHERE walk IN \(list.marks)", list.values)
        .map { try $0.text("clip_id") }
    }
  }

  private func blocked(from viewer: String, among clips: [EntityID]) async throws -> Set<EntityID> {
    guard !clips.isEmpty else { return [] }
    let list = SQLList(clips.map(\.uuid))
    let strangers = try await database.read { [blocking] transaction -> Set<String> in
      guard try blocking.hasAnyBlock(viewer, in: transaction) else { return [] }
      let authors = try transaction.query(
        "SELECT DISTINCT author_id FROM clips WHERE id IN \(list.marks)", list.values
      ).map { try $0.text("author_id") }
      return try blocking.blocked(from: viewer, among: authors.sorted(), in: transaction)
    }
    return Set(strangers.map { EntityID(of: $0) })
  }

  /// Those of these authors from whom the viewer is kept apart.
  func blockedAuthors(
    from viewer: String, among authors: [String], in transaction: any Transaction
  ) throws -> Set<String> {
    guard try blocking.hasAnyBlock(viewer, in: transaction) else { return [] }
    return try blocking.blocked(from: viewer, among: Set(authors).sorted(), in: transaction)
  }

  // MARK: Reasons

  private func explained(_ page: [RankedClip], to viewer: String?) async throws -> [RecommendedClip] {
    let (authors, tags) = try await names(for: page, to: viewer)
    return page.map { place in
      RecommendedClip(
        id: place.clip.uuid, reason: Self.reason(place, authors, tags[place.clip] ?? []),
        propensity: place.propensity, score: place.score, sources: place.sources.rawValue)
    }
  }

  /// The authors of clips that reasons name, and the tags of clips that are shown for one; nothing of clips
  /// that are not public any more or that the viewer is too young to be shown, and nobody from whom the
  /// viewer is kept apart.
  private func names(
    for page: [RankedClip], to viewer: String?
  ) async throws -> (authors: [EntityID: Author], tags: [EntityID: [String]]) {
    var liked: [String] = []
    var tagged: [String] = []
    for place in page {
      if case .likedClip(let id) = place.reason { liked.append(id.uuid) }
      if case .likedTag = place.reason { tagged.append(place.clip.uuid) }
    }
    guard !liked.isEmpty || !tagged.isEmpty else { return ([:], [:]) }
    let list = SQLList(liked + tagged)
    let shown = ages.condition(for: viewer)
    let (rows, blocked) = try await database.read { transaction -> ([Row], Set<String>) in
      let rows = try transaction.query(
        """
        SELECT c.id, c.tags, a.id AS author_id, a.handle, a.name FROM clips c JOIN authors a ON a.id = c.author_id
        WHERE c.id IN \(list.marks) AND c.visibility = 'public' AND \(shown.sql)
        """, list.values + shown.values)
      guard let viewer else { return (rows, []) }
      let authors = try rows.map { try $0.text("author_id") }
      return (rows, try blockedAuthors(from: viewer, among: authors, in: transaction))
    }
    var authors: [EntityID: Author] = [:]
    var tags: [EntityID: [String]] = [:]
    for row in rows {
      guard let id = EntityID(uuid: try row.text("id")) else { continue }
      tags[id] = try row.text("tags").split(atByte: UInt8(ascii: " ")).map(String.init)
      let author = try row.text("author_id")
      guard !blocked.contains(author) else { continue }
      // A reason is a line of words: no picture goes with it.
      authors[id] = Author(id: author, handle: try row.text("handle"), name: try row.text("name"))
    }
    return (authors, tags)
  }

  private static func reason(
    _ place: RankedClip, _ authors: [EntityID: Author], _ tags: [String]
  ) -> ClipReason {
    switch place.reason {
    case .followedAuthor: return ClipReason(.followedAuthor)
    case .likedClip(let id):
      guard let author = authors[id] else { return ClipReason(.resembling) }
      return ClipReason(.likedClip, clipID: id.uuid, author: author)
    case .likedAuthor(_, let count): return ClipReason(.likedAuthor, count: count)
    case .likedTag(let hash):
      guard let tag = tags.first(where: { StableHash.of($0) == hash }) else { return ClipReason(.resembling) }
      return ClipReason(.likedTag, tag: tag)
    case .resembling: return ClipReason(.resembling)
    case .new: return ClipReason(.new)
    case .trending: return ClipReason(.trending)
    case .latest: return ClipReason(.latest)
    case .drawn: return ClipReason(.drawn)
    }
  }

  // MARK: What was shown

  /// Writes down what a walk is done with: it does not come again, and changes are judged by what was shown.
  ///
  /// - Parameters:
  ///   - placed: how many there were before.
  ///   - viewer: nil: everybody of whom nothing is known.
  public func write(
    _ clips: [(clip: RecommendedClip, isShown: Bool)], in walk: String, behind placed: Int,
    for viewer: String?
  ) async throws {
    guard !clips.isEmpty else { return }
    let nowMs = time.nowMs
    let experiment = state.experiment
    let arm = viewer.flatMap { experiment?.arm(of: $0) }
    let values = try clips.enumerated().flatMap { index, one -> [SQLValue] in
      let clip = one.clip
      let reason = one.isShown ? String(decoding: try WireCoding.encode(clip.reason), as: UTF8.self) : ""
      return [
        .text(walk), .text(clip.id), .text(viewer ?? ""), .integer(Int64(placed + index)),
        .integer(nowMs), .text(reason), .integer(Int64(clip.sources)),
        .integer(Int64(clamping: (clip.propensity * 1e12).rounded())),
        .integer(Int64(clamping: (Double(clip.score) * 1e6).rounded())),
        SQLValue(arm == nil ? nil : experiment?.name), SQLValue(arm?.rawValue),
      ]
    }
    try await database.write { transaction in
      if placed == 0, let viewer { try dropOldest(of: viewer, in: transaction) }
      try transaction.execute(
        """
        INSERT INTO shown_clips
            (walk, clip_id, viewer_id, place, at_ms, reason, sources, propensity, score, experiment, arm)
        VALUES \(clips.map { _ in "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)" }.joined(separator: ", "))
        ON CONFLICT (walk, clip_id) DO NOTHING
        """, values)
    }
  }

  /// Places that are kept of one viewer, however often they begin anew.
  static let mostShown = 5_000

  private func dropOldest(of viewer: String, in transaction: any Transaction) throws {
    try transaction.execute(
      """
      DELETE FROM shown_clips WHERE viewer_id = ? AND at_ms < (
          SELECT at_ms FROM shown_clips WHERE viewer_id = ? ORDER BY at_ms DESC LIMIT 1 OFFSET \(Self.mostShown))
      """, [.text(viewer), .text(viewer)])
  }

  /// What was written down behind so many places, in its order; without a reason: the feed passed it over.
  public func noted(
    in walk: String, behind placed: Int
  ) async throws -> [(id: String, reason: ClipReason?)] {
    try await database.read { transaction in
      try transaction.query(
        "SELECT clip_id, reason FROM shown_clips WHERE walk = ? AND place >= ? ORDER BY place LIMIT 100",
        [.text(walk), SQLValue(placed)]
      ).map { row in
        let reason = Array(try row.text("reason").utf8)
        return (try row.text("clip_id"), try? WireCoding.decode(from: Data(reason)))
      }
    }
  }
}

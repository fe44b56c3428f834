public import Contract
internal import Foundation
public import Platform

/// What the feed needs to know of what people mark.
public protocol MarkReading: Sendable {
  /// Which of these clips the viewer likes and keeps, and which of these authors the viewer follows.
  func marks(
    of viewer: String, onClips clipIDs: [String], authors: [String], in transaction: any Transaction
  ) throws -> (liked: Set<String>, bookmarked: Set<String>, following: Set<String>)
}

/// The feed: visible clips, newest first, for a viewer without those that the viewer has seen (`FeedPlace`).
///
/// Order is the number a clip gets when it is published. New clips get higher numbers and pages go downwards
/// from the cursor's number, so whatever arrives in between can neither repeat nor hide an item.
public struct FeedStore: Sendable {
  public static let migrations = SeenRanges.migrations

  let database: any Database
  let time: any TimeSource
  let cursorKeys: TokenKeys
  private let cursors: CursorCodec
  let forYouCursors: CursorCodec
  let followingCursors: CursorCodec
  private let comments: Commenting
  let seen: any SeenReading
  private let marks: any MarkReading
  let blocking: any BlockChecking
  let ages: AgeRule
  /// Orders "For you"; nil: nobody does.
  let ordering: (any ClipOrdering)?
  let fronts = KeptFronts()

  /// `comments` says whether clips take comments now.
  public init(
    database: any Database, time: any TimeSource, cursorKeys: TokenKeys, comments: Commenting,
    seen: any SeenReading, marks: any MarkReading, blocking: any BlockChecking, ages: AgeRule = AgeRule(),
    ordering: (any ClipOrdering)? = nil
  ) {
    self.database = database
    self.time = time
    self.cursorKeys = cursorKeys
    self.cursors = CursorCodec(keys: cursorKeys)
    forYouCursors = CursorCodec(keys: cursorKeys, list: "for you")
    followingCursors = CursorCodec(keys: cursorKeys, list: "following")
    self.comments = comments
    self.seen = seen
    self.marks = marks
    self.blocking = blocking
    self.ages = ages
    self.ordering = ordering
  }

  /// `viewer` is the id of who asks, nil for somebody of whom nothing is known. Throws `invalid_cursor` for a
  /// cursor that this instance did not make.
  public func page(cursor: String?, limit: Int, for viewer: String? = nil) async throws -> FeedPage {
    let page = try await page(of: Clip.self, own(cursor, cursors), limit, for: viewer)
    return FeedPage(items: page.items, nextCursor: page.next?.cursor(cursors))
  }

  /// The same page as the bytes that go out.
  public func text(cursor: String?, limit: Int, for viewer: String? = nil) async throws -> EncodedFeedPage {
    let page = try await page(of: EncodedClip.self, own(cursor, cursors), limit, for: viewer)
    return EncodedFeedPage(items: page.items, nextCursor: page.next?.cursor(cursors))
  }

  private func page<Item: FeedItem>(
    of item: Item.Type, _ cursor: String?, _ limit: Int, for viewer: String?
  ) async throws -> Part<Item> {
    let part: Part<Item> = try await part(
      at: FeedPlace(cursor, cursors, nowMs: time.nowMs), limit, for: viewer)
    return part
  }

  /// All public clips from a place on.
  func part<Item: FeedItem>(
    at place: FeedPlace, _ limit: Int, for viewer: String?
  ) async throws -> Part<Item> {
    let nowMs = time.nowMs
    guard let viewer else { return try await newest(place, limit) }
    let (page, learned): (Part<Item>, SeenRanges?) = try await database.read {
      try self.page(place, limit, for: viewer, nowMs, in: $0)
    }
    if let learned {
      // Without it the next page is as right, only slower.
      try? await database.write { try learned.save(of: viewer, in: $0) }
    }
    return page
  }

  /// Throws `clip_not_found` also for a clip that is not visible yet, for another's private one, and to whom
  /// its author has blocked; `author_blocked` to who has blocked the author; `clip_for_adults` to who is in
  /// restricted mode.
  public func clip(id: String, forOwner isOwner: Bool, for viewer: String? = nil) async throws -> Clip {
    let found: [(item: Clip, number: Int64)] = try await database.read { transaction in
      let found: [(item: Clip, number: Int64)] = try clips(
        where: "c.id = ?", [.text(id)], of: .whoeverOwns, for: viewer, in: transaction)
      guard let clip = found.first?.item, clip.visibility != .private, !isOwner else { return found }
      if let viewer {
        try blocking.requireNotBlocked(viewer, clip.author.id, else: .clipNotFound, in: transaction)
      }
      if clip.forAdults == true { try ages.requireShown(id, to: viewer, in: transaction) }
      return found
    }
    guard let clip = found.first?.item, isOwner || clip.visibility != .private else {
      throw AppError(.clipNotFound)
    }
    return clip
  }

  /// Those of these clips that the viewer can see, being not their owner. Nil: somebody of whom nothing is
  /// known.
  public func clips(
    _ ids: [String], for viewer: String?, in transaction: any Transaction
  ) throws -> [String: Clip] { try visible(ids, for: viewer, in: transaction) }

  /// The same as they go out.
  public func encoded(
    _ ids: [String], for viewer: String?, in transaction: any Transaction
  ) throws -> [String: EncodedClip] { try visible(ids, for: viewer, in: transaction) }

  private func visible<Item: FeedItem>(
    _ ids: [String], for viewer: String?, in transaction: any Transaction
  ) throws -> [String: Item] {
    let ids = try viewer.map { try BlockFilter($0, blocking, in: transaction).allowed(ids) { $0 } } ?? ids
    guard !ids.isEmpty else { return [:] }
    let list = SQLList(ids)
    let found: [(item: Item, number: Int64)] = try clips(
      where: "c.visibility <> 'private' AND c.id IN \(list.marks)", list.values, of: .anybody(viewer),
      for: viewer, in: transaction)
    return found.reduce(into: [:]) { $0[$1.item.id] = $1.item }
  }

  /// Those of these clips, which somebody likes, that the viewer is shown there: public ones that are not
  /// limited in their reach, of nobody from whom one of the two is kept apart.
  public func encoded(
    _ ids: [String], likedBy person: String, for viewer: String?, in transaction: any Transaction
  ) throws -> [String: EncodedClip] {
    let ids = try BlockFilter(person, blocking, in: transaction).allowed(ids) { $0 }
    let shown: [EncodedClip] = try allowed(ids, for: viewer, in: transaction)
    return Dictionary(shown.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Those of these clips that the viewer can watch: as others see them, and their own whatever the
  /// visibility, unless they have removed it.
  public func clips(
    _ ids: [String], seenBy viewer: String, in transaction: any Transaction
  ) throws -> [String: Clip] {
    let ids = try BlockFilter(viewer, blocking, in: transaction).allowed(ids) { $0 }
    guard !ids.isEmpty else { return [:] }
    let list = SQLList(ids)
    let found: [(item: Clip, number: Int64)] = try clips(
      where:
        "(c.visibility <> 'private' OR c.author_id = ? AND c.removed_visibility IS NULL) AND c.id IN \(list.marks)",
      [.text(viewer)] + list.values, of: .anybody(viewer), for: nil, in: transaction)
    return found.reduce(into: [:]) { $0[$1.item.id] = $1.item }
  }

  /// Those of these clips that can be watched, whatever their visibility, as their owners see them.
  public func clips(forOwner ids: [String]) async throws -> [String: Clip] {
    guard !ids.isEmpty else { return [:] }
    let list = SQLList(ids)
    let found: [(item: Clip, number: Int64)] = try await database.read {
      try clips(where: "c.id IN \(list.marks)", list.values, of: .whoeverOwns, for: nil, in: $0)
    }
    return found.reduce(into: [:]) { $0[$1.item.id] = $1.item }
  }

  /// Those of these clips that may be put before the viewer, of nobody from whom the viewer is kept apart, in
  /// this order.
  public func listed(_ ids: [String], for viewer: String?) async throws -> [EncodedClip] {
    try await database.read { try allowed(ids, for: viewer, in: $0) }
  }

  func allowed<Item: FeedItem>(
    _ ids: [String], where condition: String = Self.isPutForward, for viewer: String?,
    in transaction: any Transaction
  ) throws -> [Item] {
    guard let viewer else { return try inOrder(ids, where: condition, for: nil, in: transaction) }
    let company = try BlockFilter(viewer, blocking, in: transaction)
    return try inOrder(company.allowed(ids) { $0 }, where: condition, for: viewer, in: transaction)
  }

  // MARK: Pages

  /// The cursor, unless it is one of another tab: that starts this one.
  func own(_ cursor: String?, _ codec: CursorCodec) -> String? {
    func isKnown(_ cursor: String, to codec: CursorCodec) -> Bool { (try? codec.place(of: cursor)) != nil }
    guard let cursor, !isKnown(cursor, to: codec) else { return cursor }
    let others = [cursors, forYouCursors, followingCursors]
    return others.contains { isKnown(cursor, to: $0) } ? nil : cursor
  }

  /// Where people go to a clip: to its author, by a link, by what they search for.
  static let isPublic = "c.visibility = 'public'"
  /// Where a clip is put before people who did not go to it. What moderators limit in its reach is not.
  static let isPutForward = "c.visibility = 'public' AND c.reach_limited = 0"

  struct Part<Item: FeedItem>: Sendable {
    var items: [Item]
    let next: FeedPlace?
  }

  private func newest<Item: FeedItem>(_ place: FeedPlace, _ limit: Int) async throws -> Part<Item> {
    guard case .new(let below, let sinceMs) = place else {
      // What this walk would go on with is not known any more, nor by whom it was seen.
      return Part(items: [], next: nil)
    }
    // One more than asked tells whether there is a next page.
    //
    // NB: how many is said in the statement, or PostgreSQL would plan it each time anew.
    let found: [(item: Item, number: Int64)] = try await database.readOnce {
      try clips(
        where:
          "\(Self.isPutForward) AND c.published_number < ? ORDER BY c.published_number DESC LIMIT \(limit + 1)",
        [.integer(below)], of: .anybody(nil), for: nil, in: $0)
    }.sorted { $0.number > $1.number }
    let shown = found.prefix(limit)
    let next =
      found.count > limit ? shown.last.map { FeedPlace.new(below: $0.number, sinceMs: sinceMs) } : nil
    return Part(items: shown.map(\.item), next: next)
  }

  private func page<Item: FeedItem>(
    _ place: FeedPlace, _ limit: Int, for viewer: String, _ nowMs: Int64, in transaction: any Transaction
  ) throws -> (Part<Item>, SeenRanges?) {
    var items: [Item] = []
    var learned: SeenRanges?
    var again: (atMs: Int64, clipID: String)
    let sinceMs: Int64
    let company = try BlockFilter(viewer, blocking, in: transaction)
    switch place {
    case .new(let below, let start):
      let walk = UnseenScan(viewer: viewer, seen: seen, transaction: transaction, nowMs: nowMs)
      let found: Unseen<Item> = try unseen(limit, below: below, by: walk, company, in: transaction)
      (items, learned) = (found.items, found.learned)
      if let rest = found.rest {
        let next = FeedPlace.new(below: rest, sinceMs: start)
        return (Part(items: items, next: next), learned)
      }
      guard let start else { return (Part(items: items, next: nil), learned) }
      (again, sinceMs) = ((.min, ""), start)
    case .again(let afterMs, let clipID, let start): (again, sinceMs) = ((afterMs, clipID), start)
    }
    // What is left of the page, and one more that tells whether there is a next.
    let room = limit - items.count
    var old: [(item: Item, atMs: Int64)] = []
    var width = room + 8
    while old.count <= room {
      let some = try seen.seen(
        by: viewer, before: sinceMs, after: again, limit: width, in: transaction)
      // Many that are gone are passed in few steps.
      width = min(width * 2, UnseenScan.widest)
      guard let last = some.last else { break }
      let shown: [Item] = try inOrder(
        company.allowed(some.map(\.clipID)) { $0 }, for: viewer, in: transaction)
      let times = Dictionary(some.map { ($0.clipID, $0.atMs) }, uniquingKeysWith: { first, _ in first })
      old += shown.map { ($0, times[$0.id] ?? 0) }
      again = (last.atMs, last.clipID)
    }
    for (item, _) in old.prefix(room) {
      var item = item
      item.viewer = item.viewer ?? ClipViewer()
      item.viewer?.seen = true
      items.append(item)
    }
    guard old.count > room else { return (Part(items: items, next: nil), learned) }
    let last = room > 0 ? old[room - 1] : nil
    let next = FeedPlace.again(afterMs: last?.atMs ?? .min, clipID: last?.item.id ?? "", sinceMs: sinceMs)
    return (Part(items: items, next: next), learned)
  }

  private struct Unseen<Item: FeedItem> {
    var items: [Item] = []
    var learned: SeenRanges?
    /// Where the walk goes on; nil: nothing is left that the viewer has not seen.
    var rest: Int64?
  }

  /// Clips of the walk that the viewer is shown. What is not for everybody leaves room, which the next ones
  /// take; a page that is short then says where to go on.
  private func unseen<Item: FeedItem>(
    _ limit: Int, below start: Int64, by walk: UnseenScan, _ company: BlockFilter,
    in transaction: any Transaction
  ) throws -> Unseen<Item> {
    var unseen = Unseen<Item>(rest: start)
    var (width, looked) = (limit, 0)
    while let place = unseen.rest, unseen.items.count < limit, looked < BlockFilter.looked {
      let found = try company.find(width, below: place, by: walk)
      unseen.learned = found.learned ?? unseen.learned
      let shown: [Item] = try inOrder(found.steps.map(\.clipID), for: walk.viewer, in: transaction)
      let taken = shown.prefix(limit - unseen.items.count)
      unseen.items += taken
      unseen.rest = found.rest
      if taken.count < shown.count, let last = taken.last {
        unseen.rest = found.steps.first { $0.clipID == last.id }?.number
      }
      looked += found.steps.count
      // The walk itself has looked at as much as it does for one page.
      if found.steps.count < width { break }
      width = min(width * 2, UnseenScan.widest)
    }
    return unseen
  }

  /// Those of them that the viewer is shown.
  func inOrder<Item: FeedItem>(
    _ ids: [String], where condition: String = Self.isPutForward, for viewer: String?,
    in transaction: any Transaction
  ) throws -> [Item] {
    guard !ids.isEmpty else { return [] }
    let list = SQLList(ids)
    let found: [(item: Item, number: Int64)] = try clips(
      where: "\(condition) AND c.id IN \(list.marks)", list.values, of: .anybody(viewer), for: viewer,
      in: transaction)
    let byID = Dictionary(found.map { ($0.item.id, $0.item) }, uniquingKeysWith: { first, _ in first })
    return ids.compactMap { byID[$0] }
  }

  // MARK: Clips

  /// Whose eyes clips are read for.
  enum Audience {
    /// What is for adults alone is left out unless they may see it. Nil: nobody of whom something is known.
    case anybody(String?)
    /// Everything: whoever asks is its owner or a moderator, or is looked at afterwards.
    case whoeverOwns
  }

  /// Clips with their counts, in no order, and with what the viewer has to do with them.
  ///
  /// NB: `audience` has no default, so that no list forgets it.
  func clips<Item: FeedItem>(
    where condition: String, _ values: [SQLValue], of audience: Audience, for viewer: String?,
    in transaction: any Transaction
  ) throws -> [(item: Item, number: Int64)] {
    var (condition, values) = (condition, values)
    if case .anybody(let eyes) = audience {
      let shown = ages.condition(for: eyes)
      (condition, values) = ("\(shown.sql) AND \(condition)", shown.values + values)
    }
    var clips: [(item: Item, number: Int64)] = []
    var authors: [String] = []
    var changes: [(id: String, counter: Counted, by: Int)] = []
    let (sql, all) = FeedRow.select(where: condition, values, on: transaction.engine)
    try transaction.query(sql, all) { row in
      let shown = FeedRow(row: row, comments: comments)
      if let counter = shown.optionalText(.counter) {
        let change = Int(try shown.integer(.change))
        changes.append((try shown.text(.id), Counted(rawValue: counter), change))
      } else {
        clips.append((try Item(shown), row.integer(FeedRow.Column.number.rawValue) ?? 0))
        if viewer != nil { authors.append(try shown.text(.authorID)) }
      }
    }
    guard !clips.isEmpty else { return [] }
    if !changes.isEmpty {
      let places = Dictionary(
        clips.enumerated().map { ($1.item.id, $0) }, uniquingKeysWith: { first, _ in first })
      for (id, counter, change) in changes {
        if let place = places[id] { clips[place].item.counts.add(change, to: counter) }
      }
    }
    guard let viewer else { return clips }
    let marks = try marks.marks(
      of: viewer, onClips: clips.map(\.item.id), authors: Array(Set(authors)).sorted(), in: transaction)
    for (index, author) in authors.enumerated() {
      let id = clips[index].item.id
      let state = ClipViewer(
        liked: marks.liked.contains(id), bookmarked: marks.bookmarked.contains(id),
        following: marks.following.contains(author))
      clips[index].item.viewer = state == ClipViewer() ? nil : state
    }
    return clips
  }
}

extension Counts {
  fileprivate mutating func add(_ amount: Int, to counter: Counted) {
    switch counter {
    case .likes: likes += amount
    case .comments: comments += amount
    case .shares: shares += amount
    case .views: views += amount
    default:
      // What this program does not know is nobody's to show.
      guard Counted.reactions.contains(counter) else { return }
      reactions[counter.rawValue, default: 0] += amount
    }
  }
}

extension FeedStore: ViewerMerging {
  /// What either saw in the feed, both have seen now.
  public func merge(_ guest: String, into account: String, in transaction: any Transaction) throws {
    let theirs = try SeenRanges.load(of: guest, in: transaction)
    var spans = try SeenRanges.load(of: account, in: transaction)
    guard !theirs.isEmpty else { return }
    spans.asOfMs = spans.isEmpty ? theirs.asOfMs : min(spans.asOfMs, theirs.asOfMs)
    for span in theirs.spans { spans.insert(span) }
    try spans.save(of: account, in: transaction)
    try erase(guest, in: transaction)
  }
}

extension FeedStore: ViewerErasing {
  public func erase(_ viewer: String, in transaction: any Transaction) throws {
    try transaction.execute("DELETE FROM feed_spans WHERE viewer_id = ?", [.text(viewer)])
  }
}

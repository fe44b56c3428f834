public import Contract
internal import Foundation
public import Platform

extension NotificationStore {
  /// People whose names are content.
  private static let shownPeople = 3
  /// Rows that are looked at with one statement, at most.
  private static let widest = 256

  /// What happened last first. Clips that are not public have sealed pictures. Throws `invalid_cursor`.
  public func page(
    of account: String, cursor: String?, limit: Int, sealing: any ClipSealing
  ) async throws -> NotificationPage {
    let made = try await page(of: account, cursor: cursor, limit: limit)
    var page = made.page
    for (index, clip) in made.closed {
      page.items[index].clip = NotificationClip(
        try await sealing.sealed(clip, forOwner: clip.author.id.hasSameBytes(as: account)))
    }
    return page
  }

  /// `closed`: clips that are not public, by the place of their entry.
  func page(
    of account: String, cursor: String?, limit: Int
  ) async throws -> (page: NotificationPage, closed: [(Int, Clip)]) {
    let codec = CursorCodec(keys: cursorKeys, list: "notifications/\(account)")
    let start = try cursor.map { try Self.place(of: $0, codec) }
    let isFirst = start == nil
    return try await database.read { transaction in
      let reader = try reader(account, in: transaction)
      var found: [Shown] = []
      var place = start
      var width = limit + 1
      // What is gone leaves room, which the next ones take.
      while found.count <= limit {
        let rows = try self.rows(of: account, below: place, limit: width, in: transaction)
        guard let last = rows.last else { break }
        found += try entries(rows, of: account, reader, in: transaction)
        place = Place(atMs: try last.integer("at_ms"), id: try last.text("id"))
        if rows.count < width { break }
        width = min(width * 2, Self.widest)
      }
      let shown = found.prefix(limit)
      let next = found.count > limit ? shown.last.map { codec.token($0.place.words) } : nil
      // A later page says nothing of what came before it.
      let newest = isFirst ? shown.map(\.newestMs).max() ?? 0 : 0
      let page = NotificationPage(
        items: shown.map(\.entry), nextCursor: next, mark: "\(max(newest, reader.seenMs))")
      let closed = shown.enumerated().compactMap { index, one in
        one.clip.flatMap { $0.visibility == nil ? nil : (index, $0) }
      }
      return (page, closed)
    }
  }

  struct Place: Sendable {
    var atMs: Int64
    var id: String

    var words: String { "\(atMs) \(id)" }
  }

  private static func place(of cursor: String, _ codec: CursorCodec) throws -> Place {
    guard case .words(let words) = try codec.place(of: cursor) else { throw AppError(.invalidCursor) }
    let parts = words.split(atByte: UInt8(ascii: " ")).map(String.init)
    guard parts.count == 2, let atMs = SafeInteger.read(parts[0]) else { throw AppError(.invalidCursor) }
    return Place(atMs: Int64(atMs), id: parts[1])
  }

  private func rows(
    of account: String, below place: Place?, limit: Int, in transaction: any Transaction
  ) throws -> [Row] {
    let below = place == nil ? "" : "AND (at_ms, id) < (?, ?)"
    return try transaction.query(
      "SELECT * FROM notifications WHERE account = ? \(below) ORDER BY at_ms DESC, id DESC LIMIT ?",
      [.text(account)] + (place.map { [.integer($0.atMs), .text($0.id)] } ?? []) + [SQLValue(limit)])
  }

  struct Shown: Sendable {
    var entry: NotificationEntry
    var place: Place
    /// When the newest happened that is told here.
    var newestMs: Int64
    /// The one that can be watched.
    var clip: Clip?
  }

  /// Those of these rows that are to be told, in their order.
  func entries(
    _ rows: [Row], of account: String, _ reader: Reader, in transaction: any Transaction
  ) throws -> [Shown] {
    let wanted = try rows.filter { reader.switches.isOn(.list, try $0.text("kind")) }
    var announced: [String: [String]] = [:]
    for group in try wanted.compactMap({ Entry.group(of: try $0.text("about")) }) {
      announced[group] = try self.announced(in: group, in: transaction)
    }
    let ids = Set(wanted.compactMap { $0.optionalText("clip_id") } + announced.values.joined()).sorted()
    let look = Look(
      account: account, announced: announced,
      clips: try ids.isEmpty ? [:] : things.clips(ids, seenBy: account, in: transaction),
      failures: try ids.isEmpty ? [:] : things.failures(ids, of: account, in: transaction),
      isPicky: try !wanted.isEmpty && blocking.hasAnyBlock(account, in: transaction))
    return try wanted.compactMap { row in
      let place = Place(atMs: try row.integer("at_ms"), id: try row.text("id"))
      guard let content = try content(of: row, look, in: transaction) else { return nil }
      // NB: who joined a group may have left it again, and those who are there were seen.
      let newestMs = content.people.map(\.atMs).max() ?? place.atMs
      let entry = NotificationEntry(
        id: try Self.id(of: row), kind: try row.text("kind"),
        createdAt: Date(timeIntervalSince1970: Double(newestMs) / 1000), isNew: newestMs > reader.seenMs,
        people: content.people.prefix(Self.shownPeople).map(\.author),
        count: content.count ?? min(content.people.count, Limits.notificationPeople), clip: content.clip,
        comment: content.comment, decision: content.decision,
        generationId: Entry.generation(of: try row.text("about")))
      return Shown(
        entry: entry, place: place, newestMs: max(newestMs, place.atMs),
        clip: content.clip.flatMap { look.clips[$0.id] })
    }
  }

  /// It stays where the row moves.
  private static func id(of row: Row) throws -> String {
    let about = try row.text("about")
    return about.replacing(byte: UInt8(ascii: "/"), with: "-")
  }

  // MARK: One row

  private struct Look {
    let account: String
    /// Ids of clips by the first of what is told as one, newest first.
    let announced: [String: [String]]
    let clips: [String: Clip]
    let failures: [String: String]
    /// Somebody is kept apart from the account.
    let isPicky: Bool
  }

  private struct Content {
    var people: [NotifiedPerson] = []
    /// Where it is not the number of people.
    var count: Int?
    var clip: NotificationClip?
    var comment: NotificationComment?
    var decision: NotificationDecision?
  }

  private func content(of row: Row, _ look: Look, in transaction: any Transaction) throws -> Content? {
    let kind = try row.text("kind")
    let clip = row.optionalText("clip_id").flatMap { look.clips[$0] }.map(NotificationClip.init)
    let most = Limits.notificationPeople
    switch kind {
    case NotificationKind.like:
      guard let clip else { return nil }
      let people = try unblocked(
        look, things.likers(ofClip: clip.id, except: look.account, limit: most, in: transaction), transaction)
      return people.isEmpty ? nil : Content(people: people, clip: clip)
    case NotificationKind.commentLike:
      guard let clip, let id = row.optionalText("comment_id"),
        let comment = try things.comment(id, for: look.account, in: transaction)
      else { return nil }
      let people = try unblocked(
        look,
        things.likers(ofComment: id, except: look.account, limit: most, in: transaction),
        transaction)
      return people.isEmpty
        ? nil : Content(people: people, clip: clip, comment: NotificationComment(id, comment))
    case NotificationKind.comment, NotificationKind.reply, NotificationKind.mention:
      guard let clip, let id = row.optionalText("comment_id"),
        let comment = try things.comment(id, for: look.account, in: transaction), !comment.isOwn
      else { return nil }
      let people = try comment.author.map { [NotifiedPerson($0, atMs: try row.integer("at_ms"))] } ?? []
      return Content(people: people, count: 1, clip: clip, comment: NotificationComment(id, comment))
    case NotificationKind.follow:
      guard let day = Entry.day(of: try row.text("about")) else { return nil }
      let people = try unblocked(
        look, things.followers(of: look.account, since: day, limit: most, in: transaction), transaction)
      return people.isEmpty ? nil : Content(people: people)
    case NotificationKind.published, NotificationKind.generated:
      return clip.map { Content(clip: $0) }
    case NotificationKind.generationFailed: return Content()
    case NotificationKind.webhookOff:
      guard let id = Entry.webhook(of: try row.text("about")),
        try things.isSwitchedOff(webhook: id, of: look.account, in: transaction)
      else { return nil }
      return Content()
    case NotificationKind.newClip:
      // Who knows its address may watch a clip that is unlisted: the list does not say it.
      let clips = Entry.group(of: try row.text("about")).flatMap { look.announced[$0] } ?? []
      let shown = clips.compactMap { look.clips[$0] }.filter { $0.visibility == nil }
      guard let newest = shown.first else { return nil }
      let author = NotifiedPerson(newest.author, atMs: try row.integer("at_ms"))
      let people = try unblocked(look, [author], transaction)
      return people.isEmpty
        ? nil : Content(people: people, count: shown.count, clip: NotificationClip(newest))
    case NotificationKind.failed:
      guard let id = row.optionalText("clip_id"), let caption = look.failures[id] else { return nil }
      return Content(clip: NotificationClip(id: id, caption: caption))
    case NotificationKind.decision:
      guard let (id, isAnswer) = Entry.decision(of: try row.text("about")),
        var decision = try things.decision(id, of: look.account, in: transaction)
      else { return nil }
      // Each of the two rows says its own: that it was decided, and what was answered.
      if !isAnswer { decision.outcome = nil }
      return Content(clip: clip, decision: decision)
    // Of a newer version, which tells of it.
    default: return nil
    }
  }

  /// Without those who are kept apart from the account.
  private func unblocked(
    _ look: Look, _ people: [NotifiedPerson], _ transaction: any Transaction
  ) throws -> [NotifiedPerson] {
    guard look.isPicky, !people.isEmpty else { return people }
    let strangers = try blocking.blocked(from: look.account, among: people.map(\.author.id), in: transaction)
    return people.filter { !strangers.contains($0.author.id) }
  }
}

extension NotificationClip {
  fileprivate init(_ clip: Clip) {
    self.init(
      id: clip.id, caption: clip.caption,
      picture: clip.cover
        ?? Cover(
          url: clip.poster.url, width: clip.poster.width, height: clip.poster.height,
          placeholder: clip.poster.placeholder))
  }
}

extension NotificationComment {
  fileprivate init(_ id: String, _ comment: NotifiedComment) {
    self.init(id: id, text: comment.text, parentId: comment.parentID)
  }
}

internal import Contract
internal import Platform

/// What is learned, as rows.
///
/// Ids are made before their transactions end, so one may become visible after a later one. `LogReader` reads
/// on behind the last id at once, and looks back for those that came late.
struct EventLog: Sendable {
  enum Kind: String, Sendable {
    /// The clip was on the screen, and that is over.
    case watch
    case like, bookmark, share, comment, follow
    /// A like is taken back.
    case unlike
    case notInterested = "not_interested"
    /// The viewer takes all of it back.
    case forget
    /// `subject`, a guest, is this viewer.
    case merge
  }

  struct Event: Sendable, Equatable {
    let id: String
    let viewer: String
    /// Empty for `forget` and `merge`.
    let clip: String
    let kind: Kind
    /// Milliseconds; nil for `watch`: to the end.
    let watchedMs: Int64?
    let source: WatchEvent.Source?
    let subject: String?
    /// When the viewer's account was made; nil: a guest's.
    let accountSinceMs: Int64?
  }

  let time: any TimeSource

  /// What is written of an event.
  struct Entry {
    let kind: Kind
    let clip: String
    let watchedMs: Int64?
    let source: WatchEvent.Source?
    let subject: String?

    init(
      _ kind: Kind, of clip: String = "", watchedMs: Int64? = nil, source: WatchEvent.Source? = nil,
      subject: String? = nil
    ) {
      self.kind = kind
      self.clip = clip
      self.watchedMs = watchedMs
      self.source = source
      self.subject = subject
    }
  }

  func append(_ entry: Entry, by viewer: String, in transaction: any Transaction) throws {
    try append([entry], by: viewer, in: transaction)
  }

  /// In one statement. At least one.
  func append(_ entries: [Entry], by viewer: String, in transaction: any Transaction) throws {
    try transaction.execute(
      """
      INSERT INTO ranking_events (id, viewer_id, clip_id, kind, watched_ms, source, subject)
      VALUES \(entries.map { _ in "(?, ?, ?, ?, ?, ?, ?)" }.joined(separator: ", "))
      """,
      entries.flatMap { entry -> [SQLValue] in
        [
          .text(Identifier.make(at: time)), .text(viewer), .text(entry.clip), .text(entry.kind.rawValue),
          SQLValue(entry.watchedMs), SQLValue(entry.source?.rawValue), SQLValue(entry.subject),
        ]
      })
  }

  /// Behind an id, in their order.
  func events(after id: String, limit: Int, in transaction: any Transaction) throws -> [Event] {
    try transaction.query(
      "\(Self.select) WHERE e.id > ? ORDER BY e.id LIMIT \(limit)", [.text(id)]
    ).compactMap(Self.event)
  }

  func ids(after id: String, upTo last: String, in transaction: any Transaction) throws -> [String] {
    try transaction.query(
      "SELECT id FROM ranking_events WHERE id > ? AND id <= ? ORDER BY id", [.text(id), .text(last)]
    ).map { try $0.text("id") }
  }

  /// Those of a viewer. They are looked for among all of that time, which are fewer than all of a viewer may
  /// be: so no index of viewers is used.
  func ids(
    after id: String, upTo last: String, of viewer: String, in transaction: any Transaction
  ) throws -> [String] {
    try transaction.query(
      "SELECT id FROM ranking_events WHERE id > ? AND id <= ? AND viewer_id || '' = ? ORDER BY id",
      [.text(id), .text(last), .text(viewer)]
    ).map { try $0.text("id") }
  }

  func events(_ ids: [String], in transaction: any Transaction) throws -> [Event] {
    guard !ids.isEmpty else { return [] }
    let list = SQLList(ids)
    return try transaction.query("\(Self.select) WHERE e.id IN \(list.marks) ORDER BY e.id", list.values)
      .compactMap(Self.event)
  }

  /// Below every id that is made from this instant on.
  static func firstID(at ms: Int64) -> String {
    let digits = String(max(0, ms), radix: 16)
    let padded = String(repeating: "0", count: max(0, 12 - digits.utf8.count)) + digits
    return "\(padded.prefix(8))-\(padded.dropFirst(8))"
  }

  /// When an id was made; 0 for what is none.
  static func ms(of id: String) -> Int64 {
    var ms: Int64 = 0
    for byte in id.utf8.prefix(13) where byte != UInt8(ascii: "-") {
      guard let digit = Int64(String(UnicodeScalar(byte)), radix: 16) else { return 0 }
      ms = ms << 4 | digit
    }
    return ms
  }

  private static let select = """
    SELECT e.id, e.viewer_id, e.clip_id, e.kind, e.watched_ms, e.source, e.subject, a.created_at_ms
    FROM ranking_events e LEFT JOIN authors a ON a.id = e.viewer_id
    """

  /// Nil: of a kind that a later version knows.
  private static func event(_ row: Row) throws -> Event? {
    guard let kind = Kind(rawValue: try row.text("kind")) else { return nil }
    return Event(
      id: try row.text("id"), viewer: try row.text("viewer_id"), clip: try row.text("clip_id"), kind: kind,
      watchedMs: row.optionalInteger("watched_ms"),
      source: row.optionalText("source").flatMap(WatchEvent.Source.init),
      subject: row.optionalText("subject"), accountSinceMs: row.optionalInteger("created_at_ms"))
  }
}

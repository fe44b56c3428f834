internal import Platform

/// Stretches of the feed in which a viewer has seen every clip, so that a walk leaps over them however long
/// they are.
///
/// It is a statement about a time: every clip that was in the feed at `asOfMs` with a number in one of the
/// stretches was seen by the viewer. It stays true for ever, since what was seen stays seen. So it may be
/// forgotten, or be replaced by another that somebody else made meanwhile, and only costs the work of finding
/// out again. What comes back to the feed after that time is not covered, and is looked at by itself.
struct SeenRanges: Equatable, Sendable {
  static let migrations = [
    Migration(
      "0016_feed_spans",
      [
        """
        CREATE TABLE feed_spans (
            viewer_id TEXT PRIMARY KEY, spans TEXT NOT NULL, as_of_ms BIGINT NOT NULL)
        """
      ])
  ]

  /// The widest are kept. A viewer has one or two; more only where clips in between never count as seen.
  private static let limit = 64

  /// Highest first; they neither overlap nor touch.
  private(set) var spans: [ClosedRange<Int64>] = []
  var asOfMs: Int64 = 0

  var isEmpty: Bool { spans.isEmpty }

  func span(with number: Int64) -> ClosedRange<Int64>? { spans.first { $0.contains(number) } }

  /// The next one that lies below this number altogether.
  func next(below number: Int64) -> ClosedRange<Int64>? { spans.first { $0.upperBound < number } }

  mutating func insert(_ new: ClosedRange<Int64>) {
    var new = new
    spans.removeAll { old in
      guard old.upperBound >= new.lowerBound - 1, old.lowerBound <= new.upperBound + 1 else { return false }
      new = min(old.lowerBound, new.lowerBound)...max(old.upperBound, new.upperBound)
      return true
    }
    spans.insert(new, at: spans.firstIndex { $0.upperBound < new.lowerBound } ?? spans.count)
  }

  /// There is something at this number that was not seen.
  mutating func exclude(_ number: Int64) {
    guard let index = spans.firstIndex(where: { $0.contains(number) }) else { return }
    let old = spans.remove(at: index)
    if old.lowerBound < number { spans.insert(old.lowerBound...number - 1, at: index) }
    if old.upperBound > number { spans.insert(number + 1...old.upperBound, at: index) }
  }

  init() {}

  /// What is not understood is as good as nothing.
  init(text: String, asOfMs: Int64) {
    self.asOfMs = asOfMs
    for part in text.split(atByte: UInt8(ascii: ",")) {
      let ends = part.split(atByte: UInt8(ascii: "-")).compactMap { Int64($0, radix: 10) }
      if ends.count == 2, 0 < ends[0], ends[0] <= ends[1], ends[1] < .max { insert(ends[0]...ends[1]) }
    }
  }

  var text: String {
    let widest = spans.sorted { $0.upperBound - $0.lowerBound > $1.upperBound - $1.lowerBound }
    return widest.prefix(Self.limit).map { "\($0.lowerBound)-\($0.upperBound)" }.joined(separator: ",")
  }

  static func load(of viewer: String, in transaction: any Transaction) throws -> SeenRanges {
    let row = try transaction.query(
      "SELECT spans, as_of_ms FROM feed_spans WHERE viewer_id = ?", [.text(viewer)]
    ).first
    return try row.map { SeenRanges(text: try $0.text("spans"), asOfMs: try $0.integer("as_of_ms")) }
      ?? .init()
  }

  func save(of viewer: String, in transaction: any Transaction) throws {
    try transaction.execute(
      """
      INSERT INTO feed_spans (viewer_id, spans, as_of_ms) VALUES (?, ?, ?)
      ON CONFLICT (viewer_id) DO UPDATE SET spans = excluded.spans, as_of_ms = excluded.as_of_ms
      """, [.text(viewer), .text(text), .integer(asOfMs)])
  }
}

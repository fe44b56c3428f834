public import Platform

/// What the feed needs to know of what was watched. All of it is about clips that the viewer was shown at
/// some time, and what is seen stays seen.
public protocol SeenReading: Sendable {
  func seen(among clipIDs: [String], by viewer: String, in transaction: any Transaction) throws -> Set<String>
  /// What was last shown to the viewer before that time, longest ago first, from behind a place on.
  func seen(
    by viewer: String, before endMs: Int64, after place: (atMs: Int64, clipID: String), limit: Int,
    in transaction: any Transaction
  ) throws -> [(clipID: String, atMs: Int64)]
}

/// Finds the clips of the feed that a viewer has not seen, from a number downwards.
struct UnseenScan {
  struct Step: Equatable {
    let number: Int64
    let clipID: String
  }

  /// Seen clips that are passed one by one before they become a stretch of `SeenRanges`, which is a write.
  static let worthKeeping = 64
  /// A clip that comes back is in nobody's view before its transaction ends, and that is shorter than this.
  static let marginMs: Int64 = 60_000
  /// Clips that are looked at with one statement, at most.
  static let widest = 256

  /// Seen clips that are passed one by one for one page. Whoever has seen more since stretches were last
  /// learned gets a page with what there is, and the next one goes on below.
  static let passedOfAPage = 4096

  let viewer: String
  let seen: any SeenReading
  let transaction: any Transaction
  let nowMs: Int64

  struct Find {
    /// At most as many as were wanted.
    var found: [Step]
    /// On the way, if it is worth keeping.
    var learned: SeenRanges?
    /// Below which number nobody has looked yet; nil unless the way was too long.
    var resumeBelow: Int64?
  }

  func find(_ count: Int, below start: Int64) throws -> Find {
    var spans = try SeenRanges.load(of: viewer, in: transaction)
    var passed = try excludeReturned(from: &spans)
    var learned = spans
    var found: [Step] = []
    var place = start
    var width = count + 8
    // The highest number of a stretch of seen clips that reaches down to `place`.
    var top: Int64?
    var resumeBelow: Int64?
    scan: while found.count < count {
      if let span = spans.span(with: place - 1) {
        top = top ?? span.upperBound
        place = span.lowerBound
        continue
      }
      let next = spans.next(below: place)
      let steps = try steps(below: place, above: next?.upperBound ?? 0, limit: width)
      let known = try seen.seen(among: steps.map(\.clipID), by: viewer, in: transaction)
      for step in steps {
        if known.contains(step.clipID) {
          passed += 1
          top = top ?? step.number
          place = step.number
          continue
        }
        if let top { learned.insert(step.number + 1...top) }
        top = nil
        place = step.number
        found.append(step)
        if found.count == count { break scan }
      }
      if steps.count < width {
        guard let next else { break }
        // Nothing is left between here and the next stretch.
        place = next.upperBound + 1
      }
      width = min(width * 2, Self.widest)
      if passed >= Self.passedOfAPage {
        resumeBelow = place
        break
      }
    }
    if let top { learned.insert(place...top) }
    learned.asOfMs = nowMs - Self.marginMs
    return Find(found: found, learned: passed >= Self.worthKeeping ? learned : nil, resumeBelow: resumeBelow)
  }

  /// Clips that came back to their old places since. Counts those that were looked at.
  private func excludeReturned(from spans: inout SeenRanges) throws -> Int {
    guard !spans.isEmpty else { return 0 }
    let rows = try transaction.query(
      """
      SELECT id, published_number FROM clips
      WHERE returned_at_ms >= ? AND state = 'ready' AND visibility = 'public' AND reach_limited = 0
      """, [.integer(spans.asOfMs)])
    let steps = try rows.map(Self.step).filter { spans.span(with: $0.number) != nil }
    for start in stride(from: 0, to: steps.count, by: Self.widest) {
      let some = steps[start..<min(start + Self.widest, steps.count)]
      let known = try seen.seen(among: some.map(\.clipID), by: viewer, in: transaction)
      for step in some where !known.contains(step.clipID) { spans.exclude(step.number) }
    }
    return rows.count
  }

  private func steps(below high: Int64, above low: Int64, limit: Int) throws -> [Step] {
    // NB: these words are those of the index `clips_in_feed`, which is all that is read here.
    try transaction.query(
      """
      SELECT id, published_number FROM clips
      WHERE state = 'ready' AND visibility = 'public' AND reach_limited = 0
          AND published_number < ? AND published_number > ?
      ORDER BY published_number DESC LIMIT \(limit)
      """, [.integer(high), .integer(low)]
    ).map(Self.step)
  }

  private static func step(_ row: Row) throws -> Step {
    Step(number: try row.integer("published_number"), clipID: try row.text("id"))
  }
}

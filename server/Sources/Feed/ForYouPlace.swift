internal import Contract
internal import Platform

/// Where a walk through "For you" goes on.
///
/// A walk has a name, under which is written down what it handed out, so it never hands out anything twice.
/// It first takes the order of the ranking, and when that has nothing more, or is not there, it is a walk
/// through the latest clips, without those that it has handed out already.
struct ForYouPlace: Equatable {
  let walk: String
  /// The walk from which this one goes on: that of the page that everybody gets of whom nothing is known.
  var front: String?
  let sinceMs: Int64
  /// Places that the walk is done with: what was written down behind them was handed out by an answer that
  /// got lost, and comes again.
  var placed = 0
  /// Nil: the order goes on.
  var rest: FeedPlace?
  /// The walk through the latest clips has come to its end.
  var isOver = false

  /// A walk that begins.
  init(nowMs: Int64) {
    walk = String(UInt64.random(in: 0...UInt64.max), radix: 36)
    sinceMs = nowMs
  }

  /// Nobody's walk ends with its page, since everybody gets that; whoever goes on begins one of their own.
  /// Throws `invalid_cursor`.
  init(_ cursor: String, _ codec: CursorCodec) throws {
    guard case .words(let words) = try codec.place(of: cursor) else { throw AppError(.invalidCursor) }
    let parts = words.split(atByte: UInt8(ascii: " "), omittingEmpty: false).map(String.init)
    guard parts.count >= 3, let sinceMs = Int64(parts[1], radix: 10) else { throw AppError(.invalidCursor) }
    switch parts[0] {
    case "front" where parts.count == 3:
      var place = ForYouPlace(nowMs: sinceMs)
      place.front = parts[2]
      self = place
    case "walk" where parts.count >= 5:
      self.sinceMs = sinceMs
      placed = SafeInteger.read(parts[4]) ?? 0
      walk = parts[2]
      front = parts[3] == "-" ? nil : parts[3]
      rest = parts.count > 5 ? try FeedPlace(words: parts[5...]) : nil
    default: throw AppError(.invalidCursor)
    }
  }

  func cursor(_ codec: CursorCodec) -> String {
    let rest = rest?.words.map { " \($0)" } ?? ""
    return codec.token("walk \(sinceMs) \(walk) \(front ?? "-") \(placed)\(rest)")
  }

  /// Of the page that everybody gets of whom nothing is known.
  func frontCursor(_ codec: CursorCodec) -> String { codec.token("front \(sinceMs) \(walk)") }

  /// Of the walk through the latest clips.
  var beginning: FeedPlace { .new(below: .max, sinceMs: sinceMs) }

  var walks: [String] { [walk] + (front.map { [$0] } ?? []) }
}

internal import Contract
internal import Platform

/// Where somebody's walk through the feed goes on.
///
/// A walk goes down from the newest clip. What arrives meanwhile has a higher number, so it can neither
/// repeat nor hide anything; it is there at the next walk. Within a walk the number says what was handed out,
/// seen or not; before it, what was seen says what is left out. At the end of what is new to the viewer, what
/// was seen before this walk began comes again, longest ago first.
enum FeedPlace: Equatable {
  /// `sinceMs`: when the walk began; nil for one that began before walks had a beginning, which just ends.
  case new(below: Int64, sinceMs: Int64?)
  case again(afterMs: Int64, clipID: String, sinceMs: Int64)

  /// Nil starts a walk. Throws `invalid_cursor`.
  init(_ cursor: String?, _ codec: CursorCodec, nowMs: Int64) throws {
    guard let cursor else {
      self = .new(below: .max, sinceMs: nowMs)
      return
    }
    switch try codec.place(of: cursor) {
    case .number(let number): self = .new(below: number, sinceMs: nil)
    case .words(let words):
      let parts = words.split(atByte: UInt8(ascii: " "), omittingEmpty: false).map(String.init)
      // All of 64 bits: a walk begins below the largest number. The codec has vouched for the text.
      let numbers = parts.dropFirst().prefix(2).compactMap { Int64($0, radix: 10) }
      switch (parts.first, parts.count, numbers.count) {
      case ("new", 3, 2): self = .new(below: numbers[0], sinceMs: numbers[1])
      case ("again", 4, 2): self = .again(afterMs: numbers[0], clipID: parts[3], sinceMs: numbers[1])
      // The codec has vouched for it: another version of ours made it.
      default: throw AppError(.invalidCursor)
      }
    }
  }

  func cursor(_ codec: CursorCodec) -> String {
    switch self {
    case .new(let below, let sinceMs?): codec.token("new \(below) \(sinceMs)")
    case .new(let below, nil): codec.token(number: below)
    case .again(let afterMs, let clipID, let sinceMs): codec.token("again \(afterMs) \(sinceMs) \(clipID)")
    }
  }
}

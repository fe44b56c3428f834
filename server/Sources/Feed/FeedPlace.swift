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
      try self.init(words: words.split(atByte: UInt8(ascii: " "), omittingEmpty: false).map(String.init)[...])
    }
  }

  /// Of what a codec has vouched for. Throws `invalid_cursor` for what another version of ours made.
  init(words: ArraySlice<String>) throws {
    let words = Array(words)
    // All of 64 bits: a walk begins below the largest number.
    let numbers = words.dropFirst().prefix(2).compactMap { Int64($0, radix: 10) }
    switch (words.first, words.count, numbers.count) {
    case ("new", 3, 2): self = .new(below: numbers[0], sinceMs: numbers[1])
    case ("again", 4, 2): self = .again(afterMs: numbers[0], clipID: words[3], sinceMs: numbers[1])
    default: throw AppError(.invalidCursor)
    }
  }

  /// Nil for a walk of the time before walks had a beginning.
  var words: String? {
    switch self {
    case .new(let below, let sinceMs?): "new \(below) \(sinceMs)"
    case .new(_, nil): nil
    case .again(let afterMs, let clipID, let sinceMs): "again \(afterMs) \(sinceMs) \(clipID)"
    }
  }

  func cursor(_ codec: CursorCodec) -> String {
    if let words { return codec.token(words) }
    guard case .new(let below, _) = self else { return "" }
    return codec.token(number: below)
  }
}

internal import Contract
internal import Platform

/// A list whose places are words, such as ids.
struct WordsList: Sendable {
  /// Behind every id, which begins with a digit or a letter.
  static let behindAll = "~"

  private let codec: CursorCodec

  init(keys: TokenKeys, name: String) {
    codec = CursorCodec(keys: keys, list: name)
  }

  /// Nil: its start. Throws `invalid_cursor`.
  func place(of cursor: String?) throws -> String? {
    try cursor.map {
      guard case .words(let words) = try codec.place(of: $0) else { throw AppError(.invalidCursor) }
      return words
    }
  }

  /// Of as many rows as asked for, and one more where there is a next page.
  func page<Item>(
    of rows: [Row], limit: Int, place: (Row) throws -> String, _ item: (Row) throws -> Item
  ) throws -> Page<Item> {
    let shown = rows.prefix(limit)
    let next = rows.count > limit ? try shown.last.map { codec.token(try place($0)) } : nil
    return Page(items: try shown.map(item), nextCursor: next)
  }
}

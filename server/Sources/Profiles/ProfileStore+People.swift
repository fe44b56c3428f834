public import Contract
internal import Platform

/// Who follows somebody, and whom they follow.
extension ProfileStore {
  /// Follows that are looked at for one page, however few of them are of people whose name is asked for. A
  /// page that is short then says where to go on.
  private static let looked = 2048
  /// Follows that are looked at with one statement while a name is looked for.
  private static let width = 256

  public enum Side: String, Sendable {
    case followers, following

    /// Of `follows`: whose list it is, who is in it, and in which order an index has it. Followers stand in
    /// that of their ids, which is that of who came here last: a second index that begins with the author
    /// would be taken by PostgreSQL to look whether one viewer follows them, and all followers be read for
    /// that.
    fileprivate var columns: (owner: String, person: String, place: String) {
      switch self {
      case .followers: ("author_id", "viewer_id", "viewer_id")
      case .following: ("viewer_id", "author_id", "id")
      }
    }
  }

  /// Followers by when they came here, the newest first; who is followed by when that began. Those alone in
  /// whose handle or name `text` stands. Guests are left out, and who is kept apart from the viewer. Throws
  /// `author_not_found`, `author_blocked` and `invalid_cursor`.
  public func people(
    _ side: Side, of handle: String, matching text: String = "", cursor: String?, limit: Int,
    for viewer: String?
  ) async throws -> FoundPersonPage {
    let words = PersonWords(text)
    return try await database.read { transaction in
      let owner = try visibleAuthor(handle, to: viewer, in: transaction)
      let cursors = CursorCodec(keys: cursorKeys, list: "\(side.rawValue)/\(owner)")
      let start: String? = try cursor.map {
        guard case .words(let place) = try cursors.place(of: $0) else { throw AppError(.invalidCursor) }
        return place
      }
      let found = try find(limit, side, of: owner, words, below: start, for: viewer, in: transaction)
      return Page(items: found.people, nextCursor: found.rest.map { cursors.token($0) })
    }
  }

  /// `rest`: the place below which the next page starts; nil: nothing is left.
  private func find(
    _ limit: Int, _ side: Side, of owner: String, _ words: PersonWords, below start: String?,
    for viewer: String?, in transaction: any Transaction
  ) throws -> (people: [FoundPerson], rest: String?) {
    var found: [(person: FoundPerson, place: String)] = []
    var place = start
    var looked = 0
    while found.count <= limit, looked < Self.looked {
      let width = words.isEmpty ? limit + 1 : Self.width
      let some = try follows(side, of: owner, below: place, width, in: transaction)
      let byID = try people.people(some.map(\.person), for: viewer, in: transaction)
      found += some.compactMap { follow in
        byID[follow.person].flatMap { words.match($0.author) ? ($0, follow.place) : nil }
      }
      place = some.last?.place
      looked += some.count
      // Fewer than asked for: that was the end.
      if some.count < width {
        place = nil
        break
      }
    }
    let rest = found.count > limit ? found[limit - 1].place : place
    return (found.prefix(limit).map(\.person), rest)
  }

  private func follows(
    _ side: Side, of owner: String, below place: String?, _ width: Int, in transaction: any Transaction
  ) throws -> [(person: String, place: String)] {
    let columns = side.columns
    return try transaction.query(
      """
      SELECT \(columns.person) AS person, \(columns.place) AS place FROM follows
      WHERE \(columns.owner) = ? \(place == nil ? "" : "AND \(columns.place) < ?")
      ORDER BY \(columns.place) DESC LIMIT \(width)
      """, [.text(owner)] + (place.map { [.text($0)] } ?? [])
    ).map { (try $0.text("person"), try $0.text("place")) }
  }
}

/// What somebody looks for in a list of people.
struct PersonWords {
  private let bytes: [UInt8]

  /// A handle may have its `@`.
  init(_ text: String) {
    let line = PlainText.line(text)
    bytes = Array((line.rest(behind: "@").map(String.init) ?? line).lowercased().utf8)
  }

  var isEmpty: Bool { bytes.isEmpty }

  func match(_ author: Author) -> Bool {
    isEmpty
      || [author.handle, author.name].contains { !Array($0.lowercased().utf8).ranges(of: bytes).isEmpty }
  }
}

public import Contract
public import Platform

/// Tells of clips as they are shown to a viewer.
public protocol FoundClipTelling: Sendable {
  /// Those of these clips that the viewer may see, by id. `viewer`: nil for somebody of whom nothing is
  /// known.
  func clips(
    _ ids: [String], for viewer: String?, in transaction: any Transaction
  ) throws -> [String: Clip]
  /// The same as they go out.
  func encoded(
    _ ids: [String], for viewer: String?, in transaction: any Transaction
  ) throws -> [String: EncodedClip]
}

/// Answers what people look for. Whoever is kept apart from somebody finds neither them nor their clips, nor
/// a sound whose first clip is theirs, and is not told why.
///
/// A cursor belongs to what was asked, by anybody. What is said about a clip between two pages can move it to
/// where the walk has been already, or is still to come; and of a word that becomes common meanwhile no
/// misspellings are looked for any more (`SearchPlan.common`). Nothing else is repeated or missed.
public struct SearchStore: Sendable {
  let index = SearchIndex()
  let database: any Database
  private let cursorKeys: TokenKeys
  let telling: any FoundClipTelling
  private let personReading: PersonReading

  public init(
    database: any Database, cursorKeys: TokenKeys, telling: any FoundClipTelling,
    people: PersonReading
  ) {
    self.database = database
    self.cursorKeys = cursorKeys
    self.telling = telling
    self.personReading = people
  }

  /// Throws `invalid_cursor`.
  public func clips(
    _ text: String, cursor: String?, limit: Int, for viewer: String?
  ) async throws -> EncodedFeedPage {
    let found = try await found(text, .clip, cursor, limit) { [telling] in
      try telling.encoded($0, for: viewer, in: $1)
    }
    return EncodedFeedPage(items: found.items, nextCursor: found.cursor)
  }

  /// First whoever has exactly this handle. Throws `invalid_cursor`.
  public func people(
    _ text: String, cursor: String?, limit: Int, for viewer: String?
  ) async throws -> FoundPersonPage {
    let handle = Self.handle(text)
    let named = cursor == nil ? try await person(handle, for: viewer) : nil
    let page = try await page(of: text, .person, cursor, limit - (named == nil ? 0 : 1)) { ids, transaction in
      try personReading.people(ids, for: viewer, in: transaction).filter { $0.value.author.handle != handle }
    }
    return FoundPersonPage(items: (named.map { [$0] } ?? []) + page.items, nextCursor: page.nextCursor)
  }

  /// Throws `invalid_cursor`.
  public func tags(_ text: String, cursor: String?, limit: Int) async throws -> FoundTagPage {
    try await page(of: text, .tag, cursor, limit, tags)
  }

  // MARK: Suggestions

  /// What somebody may be about to ask who has typed this far: tags, people, and the last word in full. At
  /// most so many of each; fewer of what there is less of.
  public func suggestions(_ text: String, for viewer: String?) async throws -> SearchSuggestions {
    try await database.read { transaction in
      var items = try first(4, of: text, .tag, in: transaction, tags).map(SearchSuggestion.init)
      items += try first(3, of: text, .person, in: transaction) {
        try personReading.people($0, for: viewer, in: $1)
      }.map(SearchSuggestion.init)
      items += try sentences(text, in: transaction).map(SearchSuggestion.init)
      return SearchSuggestions(items: items)
    }
  }

  /// What was typed with its last word in full, as clips have it; or as it may have been meant.
  private func sentences(_ text: String, in transaction: any Transaction) throws -> [String] {
    guard let last = SearchText.terms(asked: text, atMost: SearchPlan.terms).last else { return [] }
    var words = try index.completions(of: last, .clip, limit: 4, in: transaction)
    if words.isEmpty, try index.uses(of: [last], .clip, in: transaction).isEmpty {
      words = try index.meanings(of: [last], .clip, in: transaction)[last].map { Array($0.prefix(3)) } ?? []
    }
    let before = PlainText.line(text).split(atByte: UInt8(ascii: " ")).dropLast()
    return words.map { (before.map(String.init) + [$0.spelling]).joined(separator: " ") }
  }

  // MARK: Pages

  func page<Item: Codable & Sendable & Equatable>(
    of text: String, _ kind: SearchIndex.Kind, _ cursor: String?, _ limit: Int,
    _ items: @escaping @Sendable ([String], any Transaction) throws -> [String: Item]
  ) async throws -> Page<Item> {
    let found = try await found(text, kind, cursor, limit, items)
    return Page(items: found.items, nextCursor: found.cursor)
  }

  private func found<Item: Sendable>(
    _ text: String, _ kind: SearchIndex.Kind, _ cursor: String?, _ limit: Int,
    _ items: @escaping @Sendable ([String], any Transaction) throws -> [String: Item]
  ) async throws -> (items: [Item], cursor: String?) {
    let terms = SearchText.terms(asked: text, atMost: SearchPlan.terms).joined(separator: " ")
    let cursors = CursorCodec(keys: cursorKeys, list: "search/\(kind.rawValue)/\(terms)")
    let start: SearchPlace? = try cursor.map {
      guard case .words(let words) = try cursors.place(of: $0), let place = SearchPlace(words) else {
        throw AppError(.invalidCursor)
      }
      return place
    }
    let found = try await database.read {
      try find(limit, of: text, kind, from: start, in: $0, items)
    }
    return (found.items, found.rest.map { cursors.token("\($0)") })
  }

  private func first<Item>(
    _ count: Int, of text: String, _ kind: SearchIndex.Kind, in transaction: any Transaction,
    _ items: ([String], any Transaction) throws -> [String: Item]
  ) throws -> [Item] { try find(count, of: text, kind, from: nil, in: transaction, items).items }

  /// `rest`: where the next page starts; nil: nothing is left.
  private func find<Item>(
    _ limit: Int, of text: String, _ kind: SearchIndex.Kind, from start: SearchPlace?,
    in transaction: any Transaction, _ items: ([String], any Transaction) throws -> [String: Item]
  ) throws -> (items: [Item], rest: SearchPlace?) {
    guard let plan = SearchPlan(text, kind, index) else { return ([], nil) }
    guard limit > 0 else { return ([], start ?? .top(of: 0)) }
    var walk = SearchWalk(plan, from: start, in: transaction)
    var found: [(item: Item, place: SearchPlace)] = []
    // One more than asked tells whether there is a next page.
    while found.count <= limit, var places = try walk.next()?[...] {
      while !places.isEmpty, found.count <= limit {
        let some = places.prefix(limit + 1 - found.count)
        places = places.dropFirst(some.count)
        let byID = try items(some.map(\.id), transaction)
        found += some.compactMap { place in byID[place.id].map { ($0, place) } }
      }
    }
    let rest = found.count > limit ? found[limit - 1].place : walk.place
    return (found.prefix(limit).map(\.item), rest)
  }

  // MARK: People and tags

  private func person(_ handle: String, for viewer: String?) async throws -> FoundPerson? {
    try await database.read { transaction in
      guard let id = try personReading.id(ofHandle: handle, in: transaction) else { return nil }
      return try personReading.people([id], for: viewer, in: transaction)[id]
    }
  }

  /// As it would have to be spelled; empty: it can be none.
  private static func handle(_ text: String) -> String {
    let text = PlainText.line(text).lowercased()
    let handle = text.rest(behind: "@").map(String.init) ?? text
    return handle.utf8.count <= Limits.handleLength.upperBound ? handle : ""
  }

  @Sendable private func tags(
    _ tags: [String], in transaction: any Transaction
  ) throws -> [String: FoundTag] {
    guard !tags.isEmpty else { return [:] }
    let list = SQLList(tags)
    let rows = try transaction.query(
      "SELECT tag, clips FROM search_tags WHERE tag IN \(list.marks)", list.values)
    return try rows.reduce(into: [:]) { tags, row in
      let tag = try row.text("tag")
      tags[tag] = FoundTag(tag: tag, clips: Int(try row.integer("clips")))
    }
  }
}

public import Contract
public import Observation

/// A list that comes in pages, each once.
@MainActor @Observable public final class PagedList<Item>
where Item: Codable & Sendable & Equatable {
  public static var usualSize: Int { 24 }
  /// Pages of nothing that are passed for one that is asked for: a server that sends no end of them has one.
  static var emptyPages: Int { 32 }

  public private(set) var items: [Item] = []
  public private(set) var isLoading = false
  public private(set) var failure: Sentence?
  /// There are no more.
  public private(set) var isWhole = false

  @ObservationIgnored private let page: (_ cursor: String?, _ limit: Int) async throws -> Page<Item>
  @ObservationIgnored private let size: Int
  @ObservationIgnored private var cursor: String?
  /// Where the last page that came begins, and how much was there before it.
  @ObservationIgnored private var last: (cursor: String?, start: Int) = (nil, 0)
  /// What did not come.
  @ObservationIgnored private var failed: (cursor: String?, start: Int)?
  /// Answers for a list that was begun anew meanwhile are none.
  @ObservationIgnored private(set) var beginning = 0

  /// `size`: of a page.
  public init(
    size: Int = usualSize, _ page: @escaping (_ cursor: String?, _ limit: Int) async throws -> Page<Item>
  ) {
    self.size = size
    self.page = page
  }

  /// It came, whole, and nothing is in it.
  public var isEmpty: Bool { items.isEmpty && isWhole }

  /// The first page, if it is not there yet.
  public func begin() async {
    if items.isEmpty, !isWhole { await more() }
  }

  /// Whoever comes to the last rows gets the next page.
  public func came(to item: Item) async {
    if failure == nil, items.suffix(size / 3).contains(item) { await more() }
  }

  public func more() async {
    guard !isLoading, !isWhole else { return }
    await load(at: (cursor, items.count))
  }

  /// What failed, once more.
  public func again() async {
    guard !isLoading else { return }
    if let failed { await load(at: failed) } else { await more() }
  }

  /// At the end there may be more by now: the last page once more. Nobody asked for it, so nobody hears if
  /// it fails.
  func lookAtEnd() async {
    guard !isLoading, isWhole, !items.isEmpty else { return }
    await load(at: last)
    (failure, failed) = (nil, nil)
  }

  /// From the top. What is shown stays until the new first page is there.
  public func reload() async {
    beginning += 1
    await load(at: (nil, 0))
  }

  /// As it is now, unless somebody has come further than the first page: they would lose their place.
  public func renew() async {
    if items.count > size { await begin() } else { await reload() }
  }

  /// In the place of all that there is from `start` on.
  private func load(at place: (cursor: String?, start: Int)) async {
    let begun = beginning
    isLoading = true
    (failure, failed) = (nil, nil)
    do {
      var next = try await page(place.cursor, size)
      var passed = 0
      // Nobody scrolls past a page of nothing, behind which there is more.
      while next.items.isEmpty, let further = next.nextCursor, passed < Self.emptyPages, begun == beginning {
        next = try await page(further, size)
        passed += 1
      }
      guard begun == beginning else { return }
      items = items.prefix(place.start) + next.items
      last = (place.cursor, min(place.start, items.count - next.items.count))
      cursor = next.nextCursor
      isWhole = next.nextCursor == nil
    } catch {
      guard begun == beginning else { return }
      if !Sentence.isSilent(error) { (failure, failed) = (Sentence(for: error), place) }
    }
    isLoading = false
  }

  /// Somebody else's list begins.
  func clear() {
    beginning += 1
    items = []
    cursor = nil
    last = (nil, 0)
    isLoading = false
    isWhole = false
    (failure, failed) = (nil, nil)
  }

  func change(_ change: (inout Item) -> Void) {
    for index in items.indices { change(&items[index]) }
  }

  func insert(_ item: Item, at index: Int) {
    let place = min(max(index, 0), items.count)
    if place < last.start { last.start += 1 }
    items.insert(item, at: place)
  }

  func remove(_ isGone: (Item) -> Bool) {
    last.start -= items.prefix(last.start).count(where: isGone)
    items.removeAll(where: isGone)
  }
}

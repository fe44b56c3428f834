public import Contract
public import Observation

/// A list that comes in pages, each once.
@MainActor @Observable public final class PagedList<Item>
where Item: Codable & Sendable & Equatable {
  private static var pageSize: Int { 24 }

  public private(set) var items: [Item] = []
  public private(set) var isLoading = false
  public private(set) var failure: Sentence?
  /// There are no more.
  public private(set) var isWhole = false

  @ObservationIgnored private let page: (_ cursor: String?, _ limit: Int) async throws -> Page<Item>
  @ObservationIgnored private var cursor: String?
  /// Answers for a list that was begun anew meanwhile are none.
  @ObservationIgnored private(set) var beginning = 0

  public init(_ page: @escaping (_ cursor: String?, _ limit: Int) async throws -> Page<Item>) {
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
    if failure == nil, items.suffix(Self.pageSize / 3).contains(item) { await more() }
  }

  public func more() async {
    guard !isLoading, !isWhole else { return }
    isLoading = true
    failure = nil
    let begun = beginning
    do {
      let next = try await page(cursor, Self.pageSize)
      guard begun == beginning else { return }
      items += next.items
      cursor = next.nextCursor
      isWhole = next.nextCursor == nil
    } catch {
      guard begun == beginning else { return }
      if !Sentence.isSilent(error) { failure = Sentence(for: error) }
    }
    isLoading = false
  }

  /// From the top. What is shown stays until the new first page is there.
  public func reload() async {
    beginning += 1
    let begun = beginning
    isLoading = true
    failure = nil
    do {
      let first = try await page(nil, Self.pageSize)
      guard begun == beginning else { return }
      items = first.items
      cursor = first.nextCursor
      isWhole = first.nextCursor == nil
    } catch {
      guard begun == beginning else { return }
      if !Sentence.isSilent(error) { failure = Sentence(for: error) }
    }
    isLoading = false
  }

  /// Somebody else's list begins.
  func clear() {
    beginning += 1
    items = []
    cursor = nil
    isLoading = false
    isWhole = false
    failure = nil
  }

  func change(_ change: (inout Item) -> Void) {
    for index in items.indices { change(&items[index]) }
  }

  func remove(_ isGone: (Item) -> Bool) { items.removeAll(where: isGone) }
}

import Contract
import Testing

@testable import AppModel

@MainActor @Suite struct PagedListTests {
  private struct Trouble: Error {}

  /// What a server says of each page, in order.
  @MainActor private final class Pages {
    var left: [Page<Author>]
    private(set) var asked: [String?] = []

    init(_ pages: [Page<Author>]) { left = pages }

    func next(_ cursor: String?) -> Page<Author> {
      asked.append(cursor)
      return left.isEmpty ? Page(items: [], nextCursor: "on") : left.removeFirst()
    }
  }

  private static func author(_ id: String) -> Author { Author(id: id, handle: id, name: id) }

  @Test func eachPageComesOnceAndAFailedOneAgain() async {
    var asked: [String?] = []
    var fails = true
    let list = PagedList<Author> { cursor, _ in
      asked.append(cursor)
      if cursor == nil {
        return AuthorPage(items: [Author(id: "1", handle: "a", name: "A")], nextCursor: "next")
      }
      if fails { throw Trouble() }
      return AuthorPage(items: [Author(id: "2", handle: "b", name: "B")], nextCursor: nil)
    }
    await list.begin()
    await list.came(to: list.items[0])
    #expect(list.failure != nil)
    #expect(list.items.count == 1)
    // A row that is seen again asks for nothing: the person does.
    await list.came(to: list.items[0])
    fails = false
    await list.more()
    await list.more()
    #expect(list.items.map(\.id) == ["1", "2"])
    #expect(list.isWhole)
    #expect(asked == [nil, "next", "next"])
  }

  @Test func pagesOfNothingArePassed() async {
    let pages = Pages([
      Page(items: [], nextCursor: "1"), Page(items: [], nextCursor: "2"),
      Page(items: [Self.author("a")], nextCursor: "3"), Page(items: [], nextCursor: nil),
    ])
    let list = PagedList<Author> { cursor, _ in pages.next(cursor) }
    await list.begin()
    #expect(list.items.map(\.id) == ["a"] && !list.isWhole && pages.asked == [nil, "1", "2"])
    await list.more()
    #expect(list.items.map(\.id) == ["a"] && list.isWhole && pages.asked == [nil, "1", "2", "3"])
  }

  @Test func noServerIsAskedForEver() async {
    let pages = Pages([])
    let list = PagedList<Author> { cursor, _ in pages.next(cursor) }
    await list.begin()
    #expect(list.items.isEmpty && !list.isLoading)
    #expect(pages.asked.count == PagedList<Author>.emptyPages + 1)
  }
}

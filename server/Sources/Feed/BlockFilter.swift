internal import Platform

/// Leaves out of a walk the clips of authors from whom the viewer is kept apart. Unlike what was seen they
/// are no stretch to leap over, since who was blocked may be unblocked.
struct BlockFilter {
  /// Steps of the feed that are looked at for one page, however many clips a blocked author has on top of it;
  /// a page that is short then says where to go on.
  static let looked = 2048

  let viewer: String
  let blocking: any BlockChecking
  let transaction: any Transaction
  /// Of nearly nobody, and then the walk is as it was.
  private let isActive: Bool

  init(_ viewer: String, _ blocking: any BlockChecking, in transaction: any Transaction) throws {
    self.viewer = viewer
    self.blocking = blocking
    self.transaction = transaction
    isActive = try blocking.hasAnyBlock(viewer, in: transaction)
  }

  struct Found {
    var steps: [UnseenScan.Step]
    /// Where the walk goes on; nil: nothing is left that the viewer has not seen.
    var rest: Int64?
    var learned: SeenRanges?
  }

  /// At most so many steps.
  func find(_ count: Int, below start: Int64, by walk: UnseenScan) throws -> Found {
    var found = Found(steps: [], rest: start, learned: nil)
    var looked = 0
    var width = count + 1
    while let place = found.rest, found.steps.count < count, looked < Self.looked {
      let find = try walk.find(width, below: place)
      let isFull = find.found.count == width
      // The last one only tells that there is more, unless room is left.
      looked += find.found.count
      found.learned = find.learned ?? found.learned
      found.steps += try allowed(find.found.dropLast(isFull ? 1 : 0), \.clipID)
      found.rest = isFull ? find.found[width - 2].number : find.resumeBelow
      if find.resumeBelow != nil { break }
      width = min(width * 2, UnseenScan.widest)
    }
    if found.steps.count > count {
      found.steps.removeLast(found.steps.count - count)
      found.rest = found.steps.last?.number
    }
    return found
  }

  /// Those whose clips are of authors with whom the viewer has to do.
  func allowed<Item>(_ items: some Collection<Item>, _ id: (Item) -> String) throws -> [Item] {
    guard isActive, !items.isEmpty else { return Array(items) }
    let list = SQLList(items.map(id))
    let rows = try transaction.query(
      "SELECT id, author_id FROM clips WHERE id IN \(list.marks)", list.values)
    let authors = try rows.reduce(into: [String: String]()) {
      $0[try $1.text("id")] = try $1.text("author_id")
    }
    let strangers = try blocking.blocked(from: viewer, among: Set(authors.values).sorted(), in: transaction)
    return items.filter { item in authors[id(item)].map { !strangers.contains($0) } ?? true }
  }
}

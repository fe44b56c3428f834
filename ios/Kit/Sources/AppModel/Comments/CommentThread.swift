public import Contract
public import Observation

/// The replies to one comment: oldest first, page by page once they are opened, and those that came by
/// themselves.
///
/// It refuses to know who wrote them and what may be seen of them.
@MainActor @Observable public final class CommentThread {
  static let pageSize = 10

  public let list: PagedList<ClipComment>
  public private(set) var isOpen = false
  /// Written here, told of, or led to by a link: shown also where its page has not come.
  private var extra: [ClipComment] = []

  init(of parent: String, client: Client) {
    list = PagedList(size: Self.pageSize) {
      try await client.replies(to: parent, cursor: $0, limit: $1)
    }
  }

  /// Oldest first, each once.
  var replies: [ClipComment] {
    let listed = isOpen ? list.items : []
    let known = Set(listed.map(\.id))
    let all = listed + extra.filter { !known.contains($0.id) }
    // What came by itself stands behind those of its second.
    return all.enumerated().sorted {
      ($0.element.createdAt, $0.offset) < ($1.element.createdAt, $1.offset)
    }.map(\.element)
  }

  /// What came while it was closed is there as well.
  func open() async {
    isOpen = true
    if !list.isWhole {
      await list.begin()
    } else if list.isEmpty {
      await list.reload()
    } else {
      await list.lookAtEnd()
    }
  }

  func close() {
    isOpen = false
    extra = []
  }

  func add(_ reply: ClipComment) {
    if !extra.contains(where: { $0.id == reply.id }) { extra.append(reply) }
  }

  /// There may be more by now.
  func look() async {
    if isOpen { await list.lookAtEnd() }
  }

  func change(_ change: (inout ClipComment) -> Void) {
    list.change(change)
    for index in extra.indices { change(&extra[index]) }
  }

  func remove(_ id: String) {
    list.remove { $0.id == id }
    extra.removeAll { $0.id == id }
  }
}

public import Contract
public import Observation

/// One conversation: what the two have written, newest first, page by page, and what is on its way.
///
/// It refuses to know how one comes here.
@MainActor @Observable public final class ConversationModel {
  /// A clip that a message is about.
  public enum Subject: Equatable, Sendable {
    case coming
    case known(Clip)
    case gone
  }

  public private(set) var peer: Author
  public let list: PagedList<Message>
  public let field: WrittenField
  /// While it is on the screen, what comes is read.
  public private(set) var isShown = false
  public private(set) var subjects: [String: Subject] = [:]

  /// Came since the first page, newest first.
  private var fresh: [Message] = []

  @ObservationIgnored private let client: Client
  @ObservationIgnored private let outbox: Outbox<Message>
  @ObservationIgnored private let inbox: Inbox
  @ObservationIgnored public let blocking: Blocking
  /// The newest message that the server knows as read.
  @ObservationIgnored private var read: String?
  /// Counts those who have used the app: what was asked for as one of them is not another's to see.
  @ObservationIgnored private var changes = 0

  init(peer: Author, workshop: TalkModels) {
    self.peer = peer
    client = workshop.client
    outbox = workshop.messages
    inbox = workshop.inbox
    blocking = workshop.blocking
    field = WrittenField(place: peer.id, drafts: workshop.conversationDrafts, clock: workshop.clock)
    list = PagedList { [client, id = peer.id] in
      try await client.messages(with: id, cursor: $0, limit: $1)
    }
  }

  /// Newest first, each once.
  public var messages: [Message] {
    var known: Set<String> = []
    return (fresh + list.items).filter { known.insert($0.id).inserted }
  }

  /// Written here and not arrived yet, the oldest first.
  public var pending: [Outbox<Message>.Entry] { outbox.entries(of: peer.id) }

  public var isEmpty: Bool { list.isWhole && messages.isEmpty && pending.isEmpty }

  /// The screen is there.
  public func appeared() async {
    isShown = true
    await list.begin()
    await look()
    if peer.name.isEmpty { await findName() }
  }

  public func left() {
    isShown = false
    field.store()
  }

  /// Something new may be there.
  public func look() async {
    let begun = changes
    guard let page = try? await client.messages(with: peer.id), begun == changes else { return }
    arrived(page.items)
    await markRead()
  }

  /// Somebody else uses the app now, and has written other messages with them, or none.
  func viewerChanged() {
    changes += 1
    list.clear()
    (fresh, subjects, read) = ([], [:], nil)
    if isShown { Task { await appeared() } }
  }

  /// Newest first.
  func arrived(_ messages: [Message]) {
    let known = Set(fresh.map(\.id) + list.items.map(\.id))
    fresh = messages.filter { !known.contains($0.id) } + fresh
  }

  public func send() {
    guard field.canSend else { return }
    outbox.send(peer.id)
    field.reload()
  }

  public func retry(_ key: String) { outbox.retry(key) }

  public func discard(_ key: String) { outbox.discard(peer.id, key: key) }

  /// True if they are blocked: the screen is left.
  public func block() async -> Bool {
    guard await blocking.block(peer) else { return false }
    await inbox.look()
    return true
  }

  /// Asks for the clip that a message is about, once.
  public func wantSubject(_ id: String) async {
    guard subjects[id] == nil else { return }
    subjects[id] = .coming
    let begun = changes
    do {
      let clip = try await client.clip(id)
      if begun == changes { subjects[id] = .known(clip) }
    } catch {
      guard begun == changes else { return }
      // What could not be asked may be asked again.
      subjects[id] = RequestFailure(error).reason == .refused ? .gone : nil
    }
  }

  private func markRead() async {
    guard isShown, let newest = messages.first, newest.id != read,
      messages.contains(where: { !$0.isOwn })
    else { return }
    let begun = changes
    guard (try? await client.markRead(with: peer.id, upTo: newest.id)) != nil, begun == changes
    else { return }
    read = newest.id
    await inbox.count()
  }

  /// Whoever comes by a link has not met them in the list.
  private func findName() async {
    if inbox.peer(peer.id) == nil { await inbox.list.reload() }
    if let found = inbox.peer(peer.id) { peer = found }
  }
}

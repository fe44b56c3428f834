public import Contract
public import Observation
internal import Persistence

/// The conversations of whoever uses the app, the last written to first, and how many messages nobody has
/// read.
@MainActor @Observable public final class Inbox {
  public private(set) var unread = 0
  public let list: PagedList<Conversation>
  /// While the list is on the screen it says by itself what comes.
  public var isShown = false

  @ObservationIgnored private let client: Client
  @ObservationIgnored private let viewer: any ViewerPort
  @ObservationIgnored private let file: WriteBehind<Bool>
  @ObservationIgnored private var hasWritten: Bool
  /// Of counts that are asked for at the same time the last one is right.
  @ObservationIgnored private var counting = 0
  /// Counts that have not come yet.
  @ObservationIgnored private var underWay = 0

  init(client: Client, viewer: any ViewerPort, hasWritten file: WriteBehind<Bool>) {
    self.client = client
    self.viewer = viewer
    self.file = file
    hasWritten = file.load() ?? false
    list = PagedList { try await client.conversations(cursor: $0, limit: $1) }
  }

  /// There is something to hear: of an account, or of a guest who has written and may be answered.
  public var isInUse: Bool { viewer.viewerID != nil || hasWritten }

  func noteWritten() {
    guard !hasWritten else { return }
    hasWritten = true
    file.save(true)
  }

  func settled() async { await file.settled() }

  /// Asks how many there are now. What cannot be asked stays as it was.
  public func count() async {
    counting += 1
    let mine = counting
    guard isInUse else { return unread = 0 }
    underWay += 1
    defer { underWay -= 1 }
    guard let now = try? await client.unreadMessages().unread, mine == counting else { return }
    unread = max(0, now)
  }

  /// The list is looked at: from the top, as it is now.
  public func look() async {
    await list.reload()
    await count()
  }

  /// A message came to a conversation that is not open. True if the list shows it.
  func arrived() -> Bool {
    unread = min(unread + 1, 1_000_000)
    if isShown {
      Task { await look() }
    } else if underWay > 0 {
      // That count may be of before it.
      Task { await count() }
    }
    return isShown
  }

  func viewerChanged() {
    list.clear()
    unread = 0
    Task { await count() }
  }

  /// Whoever was met in the list.
  func peer(_ id: String) -> Author? { list.items.first { $0.peer.id == id }?.peer }
}

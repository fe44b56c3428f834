public import Contract
public import Observation

/// What happened around somebody's clips and comments, the newest first, and how much of it they have not
/// seen. Guests have no list.
///
/// It refuses to know what is told as one, and what a row leads to looks like: the server groups, `onOpen`
/// goes there.
///
/// Wiring, in the composition root:
///
///     let notifications = NotificationsModel(client: client, viewer: signIn, clock: SystemPauseClock())
///     talk.live.onEvent { notifications.heard($0) }
///     talk.onLookAgain = { notifications.lookAgain() }
///     signIn.onChanged { _ in notifications.viewerChanged() }
@MainActor @Observable public final class NotificationsModel {
  /// Events that come together are one look.
  static let gathering = Duration.milliseconds(800)

  /// New entries; `Limits.unseenNotifications` stands for as many and more.
  public private(set) var unseen = 0
  public let list: PagedList<NotificationEntry>
  /// While the list is on the screen it says by itself what comes.
  public private(set) var isShown = false
  /// Something came while somebody reads further down.
  public private(set) var hasNewer = false
  /// They were new when this visit met them.
  private var fresh: Set<String> = []

  @ObservationIgnored public var onOpen: ((NotificationPlace) -> Void)?
  @ObservationIgnored private let client: Client
  @ObservationIgnored private let viewer: any ViewerPort
  @ObservationIgnored private let clock: any PauseClock
  @ObservationIgnored private let newest: Mark
  /// What the server knows as seen.
  @ObservationIgnored private var seen: String?
  /// Of counts that are asked for at the same time the last one is right.
  @ObservationIgnored private var counting = 0
  @ObservationIgnored private var waiting: Task<Void, Never>?

  /// Of the first page, as it came last.
  @MainActor private final class Mark { var text: String? }

  public init(client: Client, viewer: any ViewerPort, clock: any PauseClock) {
    self.client = client
    self.viewer = viewer
    self.clock = clock
    let newest = Mark()
    self.newest = newest
    list = PagedList { cursor, limit in
      let whose = viewer.viewerID
      let page = try await client.notifications(cursor: cursor, limit: limit)
      // An answer to whoever was here before is none.
      guard whose == viewer.viewerID else { throw CancellationError() }
      if cursor == nil { newest.text = page.mark }
      return Page(items: page.items, nextCursor: page.nextCursor)
    }
  }

  /// Of an account.
  public var isInUse: Bool { viewer.viewerID != nil }

  /// Those of which this app can say what they are.
  public var entries: [NotificationEntry] { list.items.filter { $0.sentence != nil } }

  public var isEmpty: Bool { list.isWhole && entries.isEmpty }

  /// It stays so while somebody looks, although the server knows it as seen by then.
  public func isNew(_ entry: NotificationEntry) -> Bool { entry.isNew || fresh.contains(entry.id) }

  // MARK: The screen

  public func appeared() async {
    isShown = true
    await look()
  }

  public func left() {
    isShown = false
    hasNewer = false
    fresh = []
  }

  /// From the top, as it is now. What is looked at is seen.
  public func look() async {
    guard isInUse else { return }
    hasNewer = false
    await list.reload()
    // NB: a page may be of a newer server's kinds alone.
    while entries.isEmpty, !list.isWhole, list.failure == nil, !list.isLoading {
      let before = list.items.count
      await list.more()
      // NB: without a page that came it would go round for ever.
      guard list.items.count > before else { break }
    }
    guard isShown, list.failure == nil else { return }
    fresh.formUnion(list.items.filter(\.isNew).map(\.id))
    await markSeen()
  }

  public func open(_ entry: NotificationEntry) {
    if let place = entry.place { onOpen?(place) }
  }

  /// What could not be said is said with the next look.
  private func markSeen() async {
    guard let mark = newest.text, mark != seen else { return }
    counting += 1
    let (mine, whose) = (counting, viewer.viewerID)
    guard let answer = try? await client.markNotificationsSeen(upTo: mark), whose == viewer.viewerID
    else { return }
    seen = mark
    if mine == counting { show(answer) }
  }

  // MARK: What happens

  /// Asks how many are new. What cannot be asked stays as it was.
  public func count() async {
    counting += 1
    let mine = counting
    guard isInUse else { return unseen = 0 }
    guard let answer = try? await client.unseenNotifications(), mine == counting else { return }
    show(answer)
  }

  private func show(_ count: UnseenCount) { unseen = min(max(0, count.unseen), Limits.unseenNotifications) }

  /// Told live. True if the list shows it.
  public func heard(_ event: LiveEvent) -> Bool {
    guard isInUse, Self.kinds.contains(event.kind) else { return false }
    guard waiting == nil else { return isShown }
    waiting = Task {
      guard (try? await clock.pause(Self.gathering)) != nil else { return }
      waiting = nil
      await renew()
    }
    return isShown
  }

  /// Events of which the list tells too.
  private static let kinds =
    [LiveEvent.like, LiveEvent.follow, LiveEvent.notification] + LiveEvent.ofComments

  /// Something may have happened of which nobody told.
  public func lookAgain() { Task { await renew() } }

  private func renew() async {
    guard isShown else { return await count() }
    // Whoever reads further down keeps their place.
    if list.items.count > PagedList<NotificationEntry>.usualSize {
      let before = unseen
      await count()
      if unseen > before { hasNewer = true }
    } else {
      await look()
    }
  }

  /// Somebody signed in or out.
  public func viewerChanged() {
    waiting?.cancel()
    waiting = nil
    list.clear()
    newest.text = nil
    seen = nil
    fresh = []
    hasNewer = false
    unseen = 0
    Task { await renew() }
  }
}

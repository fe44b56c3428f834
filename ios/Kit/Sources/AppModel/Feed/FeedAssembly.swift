internal import Activity
public import Contract
public import Device
public import Foundation
public import MediaStore
internal import Persistence
public import Playback
public import Session

/// The screen that plays, put together of its ports: the session's host, the model, what people do and what
/// is watched. The app makes one of it, and the program without a screen may.
@MainActor public final class FeedAssembly {
  @MainActor public struct Parts {
    public var client: Client
    /// Ranges of media.
    public var transport: any SegmentTransport
    public var players: [any PlayerPort]
    public var controls: (any PlayerControls)?
    public var addressing: any MediaAddressing
    public var memory: SegmentMemory
    public var disk: (store: DiskStore, budget: Int)?
    /// The instance; media addresses of the feed are relative to it.
    public var base: URL
    public var files: FeedFiles
    public var device: any DevicePort
    public var announcements: Announcements
    /// The screens over the feed: a grid's clips lead back to theirs.
    public var router: Router
    public var preferences: PlaybackPreferences
    public var canPlay: (String) -> Bool
    /// Of the account; `nil`: nobody is signed in.
    public var viewerID: () -> String?
    public var makeClock: () -> any HostClock
    public var pauses: any PauseClock

    public init(
      client: Client, transport: any SegmentTransport, players: [any PlayerPort],
      controls: (any PlayerControls)?, addressing: any MediaAddressing, memory: SegmentMemory,
      disk: (store: DiskStore, budget: Int)?, base: URL, files: FeedFiles, device: any DevicePort,
      announcements: Announcements, router: Router = Router(),
      preferences: PlaybackPreferences = PlaybackPreferences(),
      canPlay: @escaping (String) -> Bool = { _ in true }, viewerID: @escaping () -> String? = { nil },
      makeClock: @escaping () -> any HostClock = { SystemClock() },
      pauses: any PauseClock = SystemPauseClock()
    ) {
      self.client = client
      self.transport = transport
      self.players = players
      self.controls = controls
      self.addressing = addressing
      self.memory = memory
      self.disk = disk
      self.base = base
      self.files = files
      self.device = device
      self.announcements = announcements
      self.router = router
      self.preferences = preferences
      self.canPlay = canPlay
      self.viewerID = viewerID
      self.makeClock = makeClock
      self.pauses = pauses
    }
  }

  public let host: SessionHost
  public let model: FeedModel
  public let tabs: FeedTabs
  public let dismissals: ClipDismissals
  public let download: ClipDownload
  public let activity: ActivityHost
  public let actions: ClipActions
  public let pictures: PictureStore
  /// Tells the core of the device; its `preferences` are those of the settings screen.
  public let device: DeviceWatch
  /// What has to be there before the core hears that the app is back: players ask for bytes at once then.
  public var beforeReturn: (@MainActor () async -> Void)?
  private var returning: Task<Void, Never>?
  private var isLeft = false
  private let files: FeedFiles
  private let port: any DevicePort
  private let controls: (any PlayerControls)?
  private let viewerID: () -> String?
  /// Of the account that the feed is told to; `nil`: nobody is signed in.
  private var viewer: String?
  /// Told to an account that has left, though it may still be on the screen.
  private weak var others: FeedList?

  public init(_ parts: Parts) {
    files = parts.files
    viewerID = parts.viewerID
    viewer = parts.viewerID()
    port = parts.device
    controls = parts.controls
    let tab = parts.files.tab.load() ?? .forYou
    let left = parts.files.lastFeed.load()?.clips(returns: true, of: tab, at: Date()) ?? []
    let client = parts.client
    activity = ActivityHost(
      client: client, clock: parts.makeClock(), file: parts.files.events, toggles: parts.files.toggles)
    activity.viewerID = parts.viewerID
    actions = ClipActions(activity: activity, client: client, left: left, viewerID: parts.viewerID)
    pictures = PictureStore(folder: parts.files.pictures) { try await client.media($0) }
    model = FeedModel(
      client: client, clock: parts.makeClock(), actions: actions, activity: activity, pictures: pictures,
      posters: PosterPolicy(clock: parts.makeClock()), announcements: parts.announcements,
      controls: parts.controls, files: parts.files)
    tabs = FeedTabs(model, client: client, router: parts.router, clock: parts.pauses, chosen: tab)
    dismissals = ClipDismissals(model, tabs, client: client)
    download = ClipDownload(
      client: client, transport: parts.transport, base: parts.base, folder: parts.files.download,
      announcements: parts.announcements)
    let host = SessionHost(
      SessionHost.Ports(
        players: parts.players, transport: parts.transport,
        source: FeedServer(client: client, ownership: actions.ownership), screen: model,
        clock: parts.makeClock(), addressing: parts.addressing, memory: parts.memory, disk: parts.disk,
        base: parts.base, tab: tab, left: left, canPlay: parts.canPlay))
    self.host = host
    model.host = host
    host.onLargest = { [controls = parts.controls] in controls?.setLargest(shortEdge: $0) }
    (model.tabs, model.dismissals, model.download) = (tabs, dismissals, download)
    model.isMotionReduced = { [port] in port.state.reducedMotion }
    tabs.begin()
    let hook = BackgroundHook()
    device = DeviceWatch(parts.device, preferences: parts.preferences) { [weak host] event in
      if hook.assembly?.holds(event) == true { return }
      host?.report(event)
      hook.heard(event)
    }
    hook.assembly = self
    tabs.onArrived = { [weak self] in self?.save() }
  }

  /// What the app's being left and come back to means here, once the device tells.
  @MainActor private final class BackgroundHook {
    weak var assembly: FeedAssembly?
    func heard(_ event: FeedSession.Event) {
      switch event {
      case .memoryWarned: assembly?.pictures.drop()
      case .cameraOpened: assembly?.model.posters.playersWillGo()
      case .networkChanged(let isOnline): if isOnline { assembly?.model.posters.networkReturned() }
      default: break
      }
    }
  }

  /// Whether the core hears of this otherwise: once, or later.
  private func holds(_ event: FeedSession.Event) -> Bool {
    switch event {
    case .backgrounded:
      leave()
      return true
    case .foregrounded:
      isLeft = false
      model.posters.returned()
      guard let beforeReturn else { return false }
      returning?.cancel()
      returning = Task { [host] in
        await beforeReturn()
        // NB: left again meanwhile.
        if !Task.isCancelled { host.report(event) }
      }
      return true
    default: break
    }
    return false
  }

  /// Begins: the feed of last time is there when this returns.
  public func start(_ configuration: FeedSession.Configuration) {
    host.start(configuration)
    model.tellSize()
    host.report(
      .soundSet(
        isOn: FeedModel.startsHeard(
          remembered: files.sound.load(), othersAreHeard: controls?.othersAreHeard ?? false)))
    device.start()
    activity.start()
  }

  /// The app is in the background and may not come back: what is watched goes out, and the feed stays for the
  /// next time, with the poster of its first clip, for which nobody waits. Once, whoever says it first: the
  /// scene or the device.
  public func leave() {
    guard !isLeft else { return }
    isLeft = true
    returning?.cancel()
    returning = nil
    // NB: before the page is hidden, or what was watched until now stays behind.
    host.report(.backgrounded)
    activity.report(.pageHidden)
    save()
    model.posters.playersWillGo()
  }

  /// Keeps the clip on the screen and those behind it for the next start, unless they were told to an account
  /// that has left.
  public func save() {
    guard let (list, item) = tabs.place, list !== others,
      let feed = LastFeed(
        host.feed.upcoming(in: list, from: item, most: LastFeed.most), of: list.tab, at: Date())
    else { return }
    files.lastFeed.save(feed)
  }

  /// Somebody signed in or out.
  public func viewerChanged() {
    // A guest's goes along into their account.
    if viewer != nil {
      files.lastFeed.remove()
      others = host.feed.list
    }
    viewer = viewerID()
    // It may be of what only its owner sees.
    download.cancel()
    actions.viewerChanged(size: host.feed.size)
    tabs.viewerChanged()
    if let item = model.state.current, let clip = model.clip(of: item) {
      actions.renew(clip, item)
      actions.learnOwner(of: clip)
    }
  }

  /// Lets go of everything that runs. It is of no use afterwards.
  public func stop() async {
    device.stop()
    returning?.cancel()
    model.posters.stop()
    await host.stop()
    actions.stop()
    tabs.stop()
    dismissals.stop()
    download.cancel()
    pictures.want(only: [])
    await actions.settled()
    await tabs.settled()
    await dismissals.settled()
    await pictures.settled()
  }
}

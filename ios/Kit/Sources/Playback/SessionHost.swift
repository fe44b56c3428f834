public import Contract
public import CoreTypes
public import Foundation
internal import MediaCache
public import MediaStore
internal import Prefetch
public import Session

/// Hosts one person's feed on this device: hands events to the core and carries out what it commands.
///
/// It decides nothing. What is fetched, in which rendition, what plays, what is kept and what is shown are
/// the core's to say; here each command has one line, each report one way back. It refuses to know what
/// players, screens and sockets are made of: they are ports.
@MainActor public final class SessionHost {
  /// What the host works with.
  public struct Ports {
    public var players: [any PlayerPort]
    public var transport: any SegmentTransport
    public var source: any FeedSource
    public var screen: any FeedScreen
    public var clock: any HostClock
    public var addressing: any MediaAddressing
    public var memory: SegmentMemory
    /// `nil`: there is no disk level.
    public var disk: (store: DiskStore, budget: Int)?
    /// The instance; media addresses of the feed are relative to it.
    public var base: URL
    /// In which order the feed begins.
    public var tab: FeedTab
    /// What the last visit left.
    public var left: [Clip]
    public var canPlay: (String) -> Bool

    public init(
      players: [any PlayerPort], transport: any SegmentTransport, source: any FeedSource,
      screen: any FeedScreen, clock: any HostClock, addressing: any MediaAddressing,
      memory: SegmentMemory, disk: (store: DiskStore, budget: Int)?, base: URL,
      tab: FeedTab = .latest, left: [Clip] = [], canPlay: @escaping (String) -> Bool = { _ in true }
    ) {
      self.players = players
      self.transport = transport
      self.source = source
      self.screen = screen
      self.clock = clock
      self.addressing = addressing
      self.memory = memory
      self.disk = disk
      self.base = base
      self.tab = tab
      self.left = left
      self.canPlay = canPlay
    }
  }

  public let feed: Feed
  /// The instance's own address.
  public var base: URL { ports.base }
  let ports: Ports
  let downloads: Downloads
  let disk: DiskLevel?
  /// By player: what is attached there.
  var attached: [Int32: Attached] = [:]
  private var session: FeedSession
  private let inbox: Inbox
  var isMuted = true
  /// Beside this one no other is heard.
  var heard: PlayerID?
  /// Sees each event with the commands that it caused, before they are carried out. For tests and logs.
  public var observer: ((FeedSession.Event, Instant, [FeedSession.Command]) -> Void)?
  /// Why the last page of the feed did not come, until one does: what `Sentence(for:)` has words for. Known
  /// before the core says `showNetworkTrouble`.
  public var trouble: (any Error)? { feed.trouble }
  /// Hears each change of `trouble` (`nil`: over), and a `DiskError` where a clip that a person keeps finds
  /// no room.
  public var onTrouble: (((any Error)?) -> Void)?
  /// Hears the largest short edge that the core allows, in px, whenever it is another one.
  public var onLargest: ((Int32) -> Void)?
  private var largest = Int32.max

  /// A clip at a player.
  struct Attached {
    let item: ItemID
    var load: MediaLoad
    var isPlaying = false
    var position = Milliseconds.zero
    /// The player has a picture of this load.
    var hasPicture = false
  }

  /// Events that wait until the commands of the one before have run.
  @MainActor private final class Inbox {
    var events: [FeedSession.Event] = []
    var deliver: (() -> Void)?
    func put(_ event: FeedSession.Event) {
      events.append(event)
      deliver?()
    }
  }
  private var isDelivering = false

  /// `session`: a fresh one.
  public init(_ ports: Ports, session: FeedSession = FeedSession()) {
    self.ports = ports
    self.session = session
    let inbox = Inbox()
    self.inbox = inbox
    let feed = Feed(
      source: ports.source, tab: ports.tab, left: ports.left, canPlay: ports.canPlay,
      report: { inbox.put($0) })
    self.feed = feed
    downloads = Downloads(
      feed: feed, base: ports.base, memory: ports.memory, transport: ports.transport, clock: ports.clock,
      report: { inbox.put($0) })
    disk = ports.disk.map {
      DiskLevel(
        store: $0.store, budget: $0.budget, memory: ports.memory, feed: feed, clock: ports.clock,
        report: { inbox.put($0) })
    }
    inbox.deliver = { [weak self] in self?.deliver() }
    feed.onAppended = { [weak self] in self?.disk?.announce($0) }
    feed.onTrouble = { [weak self] in self?.onTrouble?(self?.trouble) }
    disk?.onFull = { [weak self] in self?.onTrouble?($0) }
    ports.addressing.onStale = { [weak self] in self?.loadAgain($0) }
    for (number, player) in ports.players.enumerated() {
      player.report = { [weak self] in self?.playerReported($0, PlayerID(Int32(number))) }
      player.setMuted(true)
    }
  }

  /// Begins the session. The disk comes right behind, so that clips of the last visit play without a network.
  public func start(_ configuration: FeedSession.Configuration) {
    // NB: before the clips of the last visit, which come with `started`: without a disk the core takes no
    // word of what it holds. What this asks for is reported behind it all the same.
    disk?.start()
    report(.started(configuration))
  }

  /// Reports an event. One that arises while commands run waits until they all have run.
  public func report(_ event: FeedSession.Event) { inbox.put(event) }

  /// The player at which a clip is attached.
  public func player(of item: ItemID) -> PlayerID? {
    attached.first { $0.value.item == item }.map { PlayerID($0.key) }
  }

  /// Whether the clip's player was told to play.
  public func isPlaying(_ item: ItemID) -> Bool {
    attached.values.contains { $0.item == item && $0.isPlaying }
  }

  /// Whether a player has a picture of the clip.
  public func hasPicture(_ item: ItemID) -> Bool {
    attached.values.contains { $0.item == item && $0.hasPicture }
  }

  /// Whether a clip's first segment is here, in memory or on disk, or comes in time to be played.
  public func hasStart(_ item: ItemID) async -> Bool {
    if ports.memory.best(item.rawValue, 0) != nil || downloads.bringsStart(of: item) { return true }
    guard let disk, let clip = feed.clip(item) else { return false }
    return await disk.hasStart(of: clip)
  }

  /// The person keeps a clip for times without a network, or no longer.
  public func setSaved(_ item: ItemID, _ isSaved: Bool) {
    disk?.setSaved(item, isSaved)
    report(.storage(.savedForOffline(item, isSaved)))
  }

  /// The disk has more of a clip than the core knows: somebody else has fetched it.
  public func diskChanged(_ item: ItemID) {
    if let clip = feed.clip(item) { disk?.announce(clip) }
  }

  /// Returns when all that was asked of the disk so far is done.
  public func settled() async { await disk?.settled() }

  /// Lets go of everything that runs. The host is of no use afterwards.
  public func stop() async {
    inbox.deliver = nil
    downloads.cancelAll()
    for player in ports.players {
      player.report = nil
      player.release()
    }
    ports.addressing.onStale = nil
    for place in attached.values { ports.addressing.close(place.load) }
    attached = [:]
    await disk?.settled()
    disk?.stop()
  }

  private func deliver() {
    guard !isDelivering else { return }
    isDelivering = true
    defer { isDelivering = false }
    while !inbox.events.isEmpty {
      let event = inbox.events.removeFirst()
      let now = ports.clock.now
      var commands: [FeedSession.Command] = []
      session.handle(event, at: now) { commands.append($0) }
      observer?(event, now, commands)
      for command in commands { carryOut(command) }
      tellLargest()
    }
  }

  private func tellLargest() {
    let next = session.limits.maxShortEdge
    guard next != largest else { return }
    largest = next
    onLargest?(next)
  }
}

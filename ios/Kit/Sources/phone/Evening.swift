import Contract
import CoreTypes
import Device
import Foundation
import MediaProxy
import MediaStore
import Persistence
import Playback
import Session

/// A person with a phone over one kind of link, for so many swipes.
@MainActor final class Evening {
  struct Options {
    var server = URL(string: "http://127.0.0.1:8080")!
    var data = FileManager.default.temporaryDirectory.appending(path: "phone")
    var swipes = 40
    var seed: UInt64 = 1
    /// How long the person stays, against what they would.
    var pace = 1.0
    var memoryBudget = 24 * 1_048_576
    var diskBudget = 96 * 1_048_576
  }

  /// The phone itself.
  private final class ScriptedDevice: DevicePort {
    var state = DeviceState()
    var onChange: (() -> Void)?
    var onNotice: ((DeviceNotice) -> Void)?
  }

  private let options: Options
  private let profile: Link.Profile
  private let link: Link
  private let clock = SystemClock()
  private let memory = SegmentMemory()
  private let ledger = Ledger()
  private let inspector: Inspector
  private let library: Library
  private let device = ScriptedDevice()
  private let transport: HTTPTransport
  private let pageBytes = PageBytes()
  private var generator: SeededGenerator
  private var residentAtHundred = 0

  init(_ options: Options, _ profile: Link.Profile) {
    self.options = options
    self.profile = profile
    link = Link(profile)
    library = Library(root: options.data)
    inspector = Inspector(memory: memory, memoryBudget: options.memoryBudget, clock: clock)
    generator = SeededGenerator(seed: options.seed)
    transport = HTTPTransport(base: options.server)
  }

  func run() async throws -> Figures {
    let inspector = inspector
    let proxy = LoopbackServer(
      memory: memory, port: library.port.load() ?? 0, served: { inspector.note($0) })
    try await proxy.start()
    library.port.save(proxy.port)
    let store = try DiskStore(root: options.data.appending(path: "media"))
    let players = (0..<3).map { _ in DecodingPlayer(clock: clock) }
    let screen = PhoneScreen()
    let left = library.lastFeed.load()?.clips(returns: true, at: Date()) ?? []
    let host = SessionHost(
      SessionHost.Ports(
        players: players, transport: ShapedTransport(base: transport, link: link, ledger: ledger),
        source: EndlessFeed(client: Client(transport: transport), link: link, bytes: pageBytes),
        screen: screen, clock: clock, addressing: proxy, memory: memory,
        disk: (store, options.diskBudget), base: options.server, left: left))
    var restored = 0
    host.observer = { [weak host] event, now, commands in
      if case .segmentStored(RequestID(0), _, _, _) = event { restored += 1 }
      if let host { inspector.observe(event, now, commands, host) }
    }
    let ticker = Task {
      while !Task.isCancelled {
        for player in players { player.tick() }
        inspector.tick()
        try? await Task.sleep(for: .milliseconds(12))
      }
    }
    let watch = DeviceWatch(device) { [weak host] in host?.report($0) }
    host.start(FeedSession.Configuration(memoryBudget: Bytes(Int64(options.memoryBudget))))
    host.report(.viewportResized(height: 844, shortEdge: 1_170))
    watch.start()
    for swipe in 0..<options.swipes {
      try await dwell()
      if inspector.current != nil { gesture(host) }
      if swipe % 25 == 24 { device.onNotice?(.memoryWarned) }
      if swipe % 40 == 39 { try await leave(host, proxy) }
      if profile.dies, swipe % 6 == 5 { try await die() }
      if let current = inspector.current {
        let upcoming = host.feed.upcoming(from: current, most: LastFeed.most)
        if let feed = LastFeed(upcoming, at: Date()) { library.lastFeed.save(feed) }
      }
      if await store.used > options.diskBudget { inspector.violated("disk over its budget") }
      if swipe == 99 { residentAtHundred = Figures.residentBytes }
    }
    try await dwell()
    ticker.cancel()
    watch.stop()
    await host.stop()
    for player in players { player.release() }
    await ledger.settled()
    inspector.audit(ledger, linkBytes: await link.bytes - pageBytes.count)
    if await store.verify() > 0 { inspector.violated("wrong bytes on disk") }
    let usage = proxy.usage
    await proxy.stop()
    transport.invalidate()
    return Figures(
      link: profile.name, swipes: options.swipes, waits: inspector.waits, left: inspector.left,
      stalls: inspector.stalls, lateDecoders: inspector.lateDecoders, requests: ledger.all.count,
      bytes: await link.bytes,
      unseen: max(0, ledger.all.reduce(0) { $0 + $1.bytes } - inspector.shownBytes), usage: usage,
      restored: restored, skipped: screen.notices, largestMemory: inspector.largestMemory,
      disk: await store.size, residentAtHundred: residentAtHundred,
      violations: inspector.violations)
  }

  /// Two in five clips are left within a second; the others are watched for a while.
  private func dwell() async throws {
    let isQuick = generator.next(below: 5) < 2
    let milliseconds = isQuick ? 250 + generator.next(below: 750) : 1_000 + generator.next(below: 5_000)
    try await Task.sleep(for: .milliseconds(Int64(Double(milliseconds) * options.pace)))
  }

  /// A flick up, now and then one down.
  private func gesture(_ host: SessionHost) {
    let direction: Int64 = generator.next(below: 8) == 0 ? 1 : -1
    host.report(.dragBegan)
    for step in 1...4 as ClosedRange<Int64> { host.report(.dragMoved(translation: direction * step * 60)) }
    host.report(.dragEnded(translation: direction * 260, velocity: direction * 1_400))
  }

  /// The app sleeps, and its sockets with it.
  private func leave(_ host: SessionHost, _ proxy: LoopbackServer) async throws {
    device.onNotice?(.backgrounded)
    try await Task.sleep(for: .milliseconds(400))
    await proxy.stop()
    try await Task.sleep(for: .milliseconds(400))
    try await proxy.start()
    device.onNotice?(.foregrounded)
  }

  private func die() async throws {
    await link.cut(true)
    let lasts = 2_000 + generator.next(below: 4_000)
    // Half of the time the system notices.
    let isNoticed = generator.next(below: 2) == 0
    if isNoticed { setOnline(false) }
    Task { [link] in
      try? await Task.sleep(for: .milliseconds(lasts))
      await link.cut(false)
      if isNoticed { self.setOnline(true) }
    }
  }

  private func setOnline(_ isOnline: Bool) {
    device.state.path.isOnline = isOnline
    device.onChange?()
  }
}

import CoreTypes
import Device
import Foundation
import MediaProxy
import MediaStore
import Persistence
import Playback
import Session

/// The app's parts as its composition root puts them together, with decoding programs for players and
/// nobody's eyes for a screen.
@MainActor final class Handset {
  struct Options {
    var server = URL(string: "http://127.0.0.1:8080")!
    var data = FileManager.default.temporaryDirectory.appending(path: "phone")
    var memoryBudget = 24 * 1_048_576
    var diskBudget = 96 * 1_048_576
  }

  /// The phone itself.
  final class ScriptedDevice: DevicePort {
    var state = DeviceState()
    var onChange: (() -> Void)?
    var onNotice: ((DeviceNotice) -> Void)?
  }

  let library: Library
  let store: DiskStore
  let proxy: LoopbackServer
  let players: [DecodingPlayer]
  let screen = PhoneScreen()
  let device = ScriptedDevice()
  let inspector: Inspector
  let host: SessionHost
  /// Segments that came from disk.
  private(set) var restored = 0
  private let options: Options
  private let watch: DeviceWatch
  private var ticker: Task<Void, Never>?

  init(_ options: Options, transport: any SegmentTransport, source: any FeedSource) throws {
    self.options = options
    let clock = SystemClock()
    let memory = SegmentMemory()
    let inspector = Inspector(memory: memory, memoryBudget: options.memoryBudget, clock: clock)
    self.inspector = inspector
    library = Library(root: options.data)
    store = try DiskStore(root: options.data.appending(path: "media"))
    proxy = LoopbackServer(
      memory: memory, port: library.port.load() ?? 0, served: { inspector.note($0) })
    try proxy.start()
    library.port.save(proxy.port)
    players = (0..<3).map { _ in DecodingPlayer(clock: clock) }
    let left = library.lastFeed.load()?.clips(returns: true, at: Date()) ?? []
    let host = SessionHost(
      SessionHost.Ports(
        players: players, transport: transport, source: source, screen: screen, clock: clock,
        addressing: proxy, memory: memory, disk: (store, options.diskBudget), base: options.server,
        left: left))
    self.host = host
    watch = DeviceWatch(device) { [weak host] in host?.report($0) }
  }

  func start() {
    host.observer = { [weak self] event, now, commands in
      guard let self else { return }
      if case .segmentStored(RequestID(0), _, _, _) = event { restored += 1 }
      inspector.observe(event, now, commands, host)
    }
    ticker = Task { [players, inspector] in
      while !Task.isCancelled {
        for player in players { player.tick() }
        inspector.tick()
        try? await Task.sleep(for: .milliseconds(12))
      }
    }
    host.start(FeedSession.Configuration(memoryBudget: Bytes(Int64(options.memoryBudget))))
    host.report(.viewportResized(height: 844, shortEdge: 1_170))
    watch.start()
  }

  func flick(up: Bool) {
    inspector.flicked()
    Person.flick(up: up, on: host)
  }

  /// The app sleeps, and its sockets with it; then it comes back.
  func leave() async throws {
    device.onNotice?(.backgrounded)
    try await Task.sleep(for: .milliseconds(400))
    await proxy.stop()
    try await Task.sleep(for: .milliseconds(400))
    try proxy.start()
    device.onNotice?(.foregrounded)
  }

  func setOnline(_ isOnline: Bool) {
    device.state.path.isOnline = isOnline
    device.onChange?()
  }

  /// Nothing of it runs any more; `proxy.usage` still tells.
  func stop() async {
    ticker?.cancel()
    watch.stop()
    await host.stop()
    for player in players { player.release() }
    await proxy.stop()
  }
}

import Contract
import CoreTypes
import Device
import Foundation
import MediaStore
import Persistence
import Playback
import PlaybackTesting
import Session
import Testing

@testable import AppModel

@MainActor final class FakeControls: PlayerControls {
  var hasWindows = true
  var othersAreHeard = false
  var onStopped: (() -> Void)?
  var onWindowRefused: (() -> Void)?
  var calls: [String] = []
  func toggleWindow(of player: PlayerID) -> Bool {
    calls.append("window \(player.rawValue)")
    return true
  }
  func setSpeed(_ rate: Double) { calls.append("speed \(rate)") }
  func setCaptions(_ language: String?, on player: PlayerID) {
    calls.append("captions \(language ?? "none") \(player.rawValue)")
  }
  func setHeard(_ isHeard: Bool) { calls.append(isHeard ? "heard" : "silent") }
  private(set) var largest: [Int32] = []
  func setLargest(shortEdge: Int32) { largest.append(shortEdge) }
}

@MainActor final class FakeDisplay: FeedDisplay {
  var calls: [String] = []
  func pagesChanged() { calls.append("pages") }
  func motionChanged() { calls.append("motion") }
  func signsChanged() { calls.append("signs") }
  func clipChanged(_ id: String?) { calls.append("clip \(id ?? "all")") }
  func scrubberChanged() { calls.append("scrubber") }
  func showHeart(x: Double, y: Double) { calls.append("heart \(x) \(y)") }
  func fade(_ duration: Milliseconds) { calls.append("fade") }
  func posterChanged(_ item: ItemID) { calls.append("poster \(item.rawValue)") }
  func uncovered() { calls.append("uncovered") }
}

/// Writes down what it is told, in its order.
@MainActor final class FakeListener: MediaListening {
  var log: [String] = []
  /// What `start` and `revive` meet.
  var trouble: (any Error)?
  /// Keeps `revive` waiting, while there is one.
  var gate: Gate?
  private(set) var port: UInt16 = 0
  private let addressing = FakeAddressing()

  var onStale: ((MediaLoad) -> Void)? {
    get { addressing.onStale }
    set { addressing.onStale = newValue }
  }
  func open(_ clip: FeedClip) -> MediaLoad {
    log.append("open")
    return addressing.open(clip)
  }
  func close(_ load: MediaLoad) { addressing.close(load) }
  func start() throws {
    log.append("start")
    if let trouble { throw trouble }
    port = 4_711
  }
  func revive() async throws {
    log.append("revive")
    await gate?.pass()
    if let trouble { throw trouble }
  }
  func stop() async { log.append("stop") }
}

@MainActor final class StillDevice: DevicePort {
  var state = DeviceState()
  var onChange: (() -> Void)?
  var onNotice: ((DeviceNotice) -> Void)?
}

/// The whole screen that plays, over fake players, with a server that answers as a test says.
@MainActor final class FeedBench {
  let folder = TemporaryFolder.path()
  let controls = FakeControls()
  let display = FakeDisplay()
  let device = StillDevice()
  let announcements = Announcements()
  let router = Router()
  let pauses = ManualPause()
  let listener = FakeListener()
  let players = (0..<3).map { _ in FakePlayer() }
  let memory = SegmentMemory()
  let transport: ScriptedTransport
  let files: FeedFiles
  var clocks: [ManualClock] = []
  /// Of the account; `nil`: nobody is signed in.
  var viewer: String?
  lazy var assembly = make()

  init(
    left: [Clip] = [], of tab: FeedTab? = nil,
    _ answer: @escaping @Sendable (WireRequest) async throws -> WireResponse?
  ) {
    transport = ScriptedTransport(answer)
    files = FeedFiles(root: folder, caches: folder)
    if let feed = LastFeed(left, of: tab, at: Date()) { files.lastFeed.save(feed) }
  }

  private func make() -> FeedAssembly {
    let assembly = FeedAssembly(
      FeedAssembly.Parts(
        client: Client(transport: transport), transport: FakeTransport(), players: players,
        controls: controls, addressing: listener, memory: memory, disk: nil,
        base: URL(string: "https://clips.test/")!, files: files, device: device,
        announcements: announcements, router: router, viewerID: { [weak self] in self?.viewer },
        makeClock: { [weak self] in
          let clock = ManualClock()
          self?.clocks.append(clock)
          return clock
        }, pauses: pauses))
    assembly.model.display = display
    return assembly
  }

  var model: FeedModel { assembly.model }
  var notices: [Sentence] { announcements.waiting.map(\.text) }

  func start() { assembly.start(FeedSession.Configuration()) }

  func advance(by milliseconds: Int64) { for clock in clocks { clock.advance(by: milliseconds) } }

  func report(_ event: PlayerReport.Event) {
    guard let current = model.state.current, let player = assembly.host.player(of: current) else {
      Issue.record("no player for the current clip")
      return
    }
    players[Int(player.rawValue)].report?(PlayerReport(item: current, event: event))
  }

  func end() async {
    await assembly.stop()
    try? FileManager.default.removeItem(at: folder)
  }
}

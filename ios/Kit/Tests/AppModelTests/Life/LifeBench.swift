import Contract
import Foundation
import Persistence
import PlaybackTesting
import Session
import Synchronization
import Transfer

@testable import AppModel

/// Fetches until it is told not to.
final class WaitingKeeper: ClipKeeping {
  private let state = Mutex((begun: 0, ended: 0))
  var begun: Int { state.withLock { $0.begun } }
  var ended: Int { state.withLock { $0.ended } }

  func held(of clip: Clip) async -> (bytes: Int, isWhole: Bool) { (0, false) }
  func fetch(_ clip: Clip, progress: @escaping @Sendable (Int, Int) -> Void) async throws {
    state.withLock { $0.begun += 1 }
    defer { state.withLock { $0.ended += 1 } }
    try await Task.sleep(for: .seconds(600))
  }
  func drop(_ clip: Clip) async {}
}

/// One server's parts over fake players and a server that answers as a test says.
@MainActor final class LifeBench {
  /// Writes down what it is told.
  @MainActor final class Talk: TalkLife {
    var log: [String] = []
    func foregrounded() { log.append("in front") }
    func backgrounded() { log.append("away") }
    func settled() async { log.append("settled") }
    func stop() { log.append("stopped") }
  }

  /// Lends time until a test wants it back.
  @MainActor final class LentTime: BackgroundTime {
    var log: [String] = []
    private var expired: (@MainActor @Sendable () -> Void)?
    private var count = 0

    func begin(_ name: String, expired: @escaping @MainActor @Sendable () -> Void) -> Int? {
      count += 1
      log.append("\(name) \(count)")
      self.expired = expired
      return count
    }
    func end(_ lease: Int) { log.append("end \(lease)") }
    func wantBack() { expired?() }
  }

  @MainActor final class Pushes: PushPort {
    var state = PushPermission.given
    func permission() async -> PushPermission { state }
    func ask() async -> Bool { false }
    func requestToken() {}
    func showBadge(_ count: Int) {}
  }

  let feed: FeedBench
  let talk = Talk()
  let time = LentTime()
  let desk = UploadModelTests.Desk()
  let push: PushModel
  let life: ServerLife
  let kept: KeptClips
  let keeper = WaitingKeeper()
  /// What was cut, and how many requests there had been then.
  @MainActor final class Connections {
    var log: [String] = []
  }
  let connections = Connections()

  init(
    left: [Clip] = [],
    _ answer: @escaping @Sendable (WireRequest) async throws -> WireResponse? = { _ in nil }
  ) {
    feed = FeedBench(left: left, answer)
    push = PushModel(
      client: Client(transport: feed.transport), port: Pushes(), router: feed.router, environment: .sandbox,
      topic: "org.example.clipfeed", locale: nil, account: nil, announcements: feed.announcements)
    kept = KeptClips(
      file: StoredFile(feed.folder.appending(path: "kept")), keeper: keeper,
      announcements: feed.announcements)
    let (connections, transport) = (connections, feed.transport)
    life = ServerLife(
      ServerLife.Parts(
        assembly: feed.assembly, listener: feed.listener,
        port: StoredFile(feed.folder.appending(path: "port")), talk: talk, queue: desk.queue, kept: kept,
        push: push, announcements: feed.announcements, time: time,
        hangUp: { connections.log.append("hung up") },
        close: { connections.log.append("closed after \(transport.calls.last ?? "nothing")") }))
  }

  func begin() { life.begin(FeedSession.Configuration()) }

  func end() async {
    await life.settled()
    await feed.end()
  }
}

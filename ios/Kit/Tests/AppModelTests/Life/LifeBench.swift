import Contract
import Foundation
import Persistence
import PlaybackTesting
import Session
import Transfer

@testable import AppModel

/// One server's parts over fake players and a server that answers as a test says.
@MainActor final class LifeBench {
  /// Writes down what it is told.
  @MainActor final class Talk: TalkLife {
    var log: [String] = []
    func foregrounded() { log.append("in front") }
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
  let desk = UploadModelTests.Desk()
  let push: PushModel
  let life: ServerLife

  init(
    left: [Clip] = [],
    _ answer: @escaping @Sendable (WireRequest) async throws -> WireResponse? = { _ in nil }
  ) {
    feed = FeedBench(left: left, answer)
    push = PushModel(
      client: Client(transport: feed.transport), port: Pushes(), router: feed.router, environment: .sandbox,
      topic: "org.example.clipfeed", locale: nil, account: nil)
    life = ServerLife(
      ServerLife.Parts(
        assembly: feed.assembly, listener: feed.listener,
        port: StoredFile(feed.folder.appending(path: "port")), talk: talk, queue: desk.queue, kept: nil,
        push: push, announcements: feed.announcements))
  }

  func begin() { life.begin(FeedSession.Configuration()) }

  func end() async {
    await life.settled()
    await feed.end()
  }
}

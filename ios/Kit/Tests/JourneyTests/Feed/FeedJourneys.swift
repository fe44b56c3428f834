import AppModel
import Contract
import CoreTypes
import Device
import Foundation
import MediaStore
import Playback
import PlaybackTesting
import Session
import Testing

/// A device of which nothing limits anything.
@MainActor private final class QuietDevice: DevicePort {
  var state = DeviceState()
  var onChange: (() -> Void)?
  var onNotice: ((DeviceNotice) -> Void)?
}

/// Has each picture as soon as it is asked to play.
@MainActor private final class PromptPlayer: PlayerPort {
  var report: ((PlayerReport) -> Void)?
  private var item: ItemID?

  func load(_ media: PlayerMedia) {
    item = media.item
    tell(.firstFrameReady)
  }
  func play() { tell(.playbackAdvanced) }
  func pause() {}
  func seek(to position: Milliseconds) {}
  func release() { item = nil }
  func setMuted(_ isMuted: Bool) {}

  /// Never from inside the call that caused it.
  private func tell(_ event: PlayerReport.Event) {
    guard let item else { return }
    Task { if self.item == item { report?(PlayerReport(item: item, event: event)) } }
  }
}

/// The screen that plays on somebody's phone, without players that decode.
@MainActor private final class Visit {
  let feed: FeedAssembly
  let memory = SegmentMemory()
  let device = QuietDevice()
  let announcements = Announcements()
  private let transport: HTTPTransport

  /// `folder` is what the phone keeps from visit to visit; `media`: where ranges and the API are.
  init(_ client: Client, media: URL, folder: URL) throws {
    transport = HTTPTransport(base: media)
    feed = FeedAssembly(
      FeedAssembly.Parts(
        client: client, transport: transport, players: (0..<3).map { _ in PromptPlayer() }, controls: nil,
        addressing: FakeAddressing(), memory: memory,
        disk: (try DiskStore(root: folder.appending(path: "media")), 32_000_000), base: media,
        files: FeedFiles(root: folder, caches: folder.appending(path: "caches")), device: device,
        announcements: announcements))
    feed.start(FeedSession.Configuration())
  }

  var current: Clip? { feed.model.currentClip }

  func end() async {
    await feed.stop()
    transport.invalidate()
  }
}

@MainActor @Suite struct FeedJourneys {
  private let folder = TemporaryFolder()

  /// Until it is so; the test's own limit ends what never is.
  private func until(_ isSo: () async throws -> Bool) async throws {
    while try await !isSo() { try await Task.sleep(for: .milliseconds(20)) }
  }

  /// What somebody did in a visit is at the server, and the next visit begins with the same clip although there
  /// is no server any more.
  @Test(.timeLimit(.minutes(2))) func aVisitLeavesItsLikeAtTheServerAndItsFeedOnThePhone() async throws {
    let person = try await Person.member()
    let visit = try Visit(person.client, media: try Person.server(), folder: folder.url)
    try await until { visit.current != nil }
    let clip = try #require(visit.current)
    let item = try #require(visit.feed.host.feed.item(of: clip.id))
    // The first segment with its initialisation section is all that a first frame needs.
    try await until { visit.memory.best(item.rawValue, 0) != nil }

    visit.feed.actions.turn(.like, of: clip, item)
    #expect(visit.feed.actions.standing(of: clip, item).isLiked)
    try await until { try await person.client.clip(clip.id).viewer?.liked == true }

    visit.device.onNotice?(.backgrounded)
    await visit.end()

    let nowhere = URL(string: "http://127.0.0.1:9")!
    let transport = HTTPTransport(base: nowhere)
    let next = try Visit(Client(transport: transport), media: nowhere, folder: folder.url)
    #expect(next.current?.id == clip.id)
    try await until { next.memory.best(item.rawValue, 0) != nil }
    await next.end()
    transport.invalidate()
  }
}

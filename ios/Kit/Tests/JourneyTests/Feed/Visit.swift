import AppModel
import Contract
import CoreTypes
import Device
import Foundation
import MediaCache
import MediaProxy
import MediaStore
import Persistence
import Playback
import PlaybackTesting
import Session

/// A device of which nothing limits anything.
@MainActor final class QuietDevice: DevicePort {
  var state = DeviceState()
  var onChange: (() -> Void)?
  var onNotice: ((DeviceNotice) -> Void)?
}

/// Has each picture as soon as it is asked to play.
@MainActor final class PromptPlayer: PlayerPort {
  var report: ((PlayerReport) -> Void)?
  private(set) var media: PlayerMedia?
  private var item: ItemID? { media?.item }

  func load(_ media: PlayerMedia) {
    self.media = media
    tell(.firstFrameReady)
  }
  func play() { tell(.playbackAdvanced) }
  func pause() {}
  func seek(to position: Milliseconds) {}
  func release() { media = nil }
  func setMuted(_ isMuted: Bool) {}

  /// Never from inside the call that caused it.
  private func tell(_ event: PlayerReport.Event) {
    guard let item else { return }
    Task { if self.item == item { report?(PlayerReport(item: item, event: event)) } }
  }
}

/// The screen that plays on somebody's phone, without players that decode.
@MainActor final class Visit {
  let feed: FeedAssembly
  let memory = SegmentMemory()
  let device = QuietDevice()
  let announcements = Announcements()
  let router = Router()
  let discovery: Discovery
  let players = (0..<3).map { _ in PromptPlayer() }
  let disk: DiskStore
  let proxy: LoopbackServer
  let transport: HTTPTransport

  /// `folder` is what the phone keeps from visit to visit; `media`: where ranges and the API are.
  init(_ client: Client, media: URL, folder: URL) throws {
    transport = HTTPTransport(base: media)
    disk = try DiskStore(root: folder.appending(path: "media"))
    proxy = LoopbackServer(memory: memory, origin: media, disk: disk)
    feed = FeedAssembly(
      FeedAssembly.Parts(
        client: client, transport: transport, players: players, controls: nil, addressing: proxy,
        memory: memory, disk: (disk, 32_000_000), base: media,
        files: FeedFiles(root: folder, caches: folder.appending(path: "caches")), device: device,
        announcements: announcements, router: router))
    discovery = Discovery(
      client: client, router: router, tabs: feed.tabs, announcements: announcements,
      recent: RecentSearches(file: StoredFile(folder.appending(path: "searches"))), clock: SystemPauseClock())
    feed.start(FeedSession.Configuration())
  }

  var current: Clip? { feed.model.currentClip }

  func end() async {
    await feed.stop()
    await proxy.stop()
    transport.invalidate()
  }
}

/// Until it is so; the test's own limit ends what never is.
@MainActor func until(_ isSo: () async throws -> Bool) async throws {
  while try await !isSo() { try await Task.sleep(for: .milliseconds(20)) }
}

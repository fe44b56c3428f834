import AppModel
import Contract
import CoreTypes
import Device
import Foundation
import MediaCache
import MediaStore
import Playback
import PlaybackTesting
import Session
import Testing

@MainActor private final class OfflineDevice: DevicePort {
  var state = DeviceState(path: DeviceState.Path(isOnline: false))
  var onChange: (() -> Void)?
  var onNotice: ((DeviceNotice) -> Void)?
}

@MainActor @Suite struct KeptPlaybackTests {
  /// The screen that plays, without a network: no request of it is ever answered.
  private func offline(_ folder: URL, _ store: DiskStore, _ memory: SegmentMemory, _ players: [FakePlayer])
    -> FeedAssembly
  {
    FeedAssembly(
      FeedAssembly.Parts(
        client: Client(transport: ScriptedTransport()), transport: FakeTransport(), players: players,
        controls: nil, addressing: FakeAddressing(), memory: memory, disk: (store, 100_000_000),
        base: URL(string: "https://clips.test/")!, files: FeedFiles(root: folder, caches: folder),
        device: OfflineDevice(), announcements: Announcements()))
  }

  @Test func aKeptClipPlaysToItsEndWithoutANetwork() async throws {
    try await withFolder { folder in
      let store = try DiskStore(root: folder.appending(path: "media"))
      let fetcher = ClipFetcher(
        store: store, transport: FilledTransport(), base: URL(string: "https://clips.test/")!)
      for id in ["a", "b"] { try await fetcher.fetch(shownClip(id), shortEdge: 720, saves: true) }
      let memory = SegmentMemory()
      let players = (0..<3).map { _ in FakePlayer() }
      let assembly = offline(folder, store, memory, players)
      assembly.start(FeedSession.Configuration())
      assembly.model.watch([shownClip("a"), shownClip("b")])
      #expect(await eventually { assembly.model.currentClip?.id == "a" })
      let item = try #require(assembly.host.feed.item(of: "a"))
      #expect(await eventually { (0..<3).allSatisfy { memory.best(item.rawValue, $0) == 1 } })
      #expect(
        await eventually { players.contains { $0.calls.contains("load \(item.rawValue)") } })
      // The one behind it is kept too.
      let next = try #require(assembly.host.feed.item(of: "b"))
      #expect(await eventually { memory.best(next.rawValue, 0) == 1 })
      await assembly.stop()
    }
  }

  @Test func clearingTheCacheLeavesKeptClipsWhole() async throws {
    try await withFolder { folder in
      func fetcher(_ store: DiskStore) -> ClipFetcher {
        ClipFetcher(store: store, transport: FilledTransport(), base: URL(string: "https://clips.test/")!)
      }
      let earlier = fetcher(try DiskStore(root: folder.appending(path: "media")))
      // One of them is in the session, the other is not.
      for id in ["kept", "elsewhere"] { try await earlier.fetch(shownClip(id), shortEdge: 720, saves: true) }
      for id in ["cached", "left"] { try await earlier.fetch(shownClip(id), shortEdge: 720, saves: false) }
      let store = try DiskStore(root: folder.appending(path: "media"))
      let assembly = offline(folder, store, SegmentMemory(), (0..<3).map { _ in FakePlayer() })
      assembly.start(FeedSession.Configuration())
      assembly.model.watch([shownClip("kept"), shownClip("cached")])
      #expect(await eventually { assembly.model.currentClip?.id == "kept" })
      await assembly.host.settled()
      assembly.host.report(.storage(.clearRequested))
      await assembly.host.settled()
      for id in ["kept", "elsewhere"] { #expect(await fetcher(store).held(of: shownClip(id)).isWhole) }
      #expect(await fetcher(store).held(of: shownClip("left")).bytes == 0)
      await assembly.stop()
    }
  }

  @Test func anotherListLeavesKeptClipsWhole() async throws {
    try await withFolder { folder in
      let base = URL(string: "https://clips.test/")!
      let store = try DiskStore(root: folder.appending(path: "media"))
      let fetcher = ClipFetcher(store: store, transport: FilledTransport(), base: base)
      for id in ["kept", "cached"] {
        try await fetcher.fetch(shownClip(id), shortEdge: 720, saves: id == "kept")
      }
      let assembly = offline(folder, store, SegmentMemory(), (0..<3).map { _ in FakePlayer() })
      assembly.start(FeedSession.Configuration())
      assembly.model.watch([shownClip("kept"), shownClip("cached")])
      #expect(await eventually { assembly.model.currentClip?.id == "kept" })
      await assembly.host.settled()
      let feed = assembly.host.feed
      let other = FeedList(tab: nil) { _, _ in throw CancellationError() }
      feed.fill(other, FeedPage(items: [shownClip("other")], nextCursor: nil))
      feed.show(other, at: nil, from: assembly.model.state.current)
      #expect(assembly.model.currentClip?.id == "other")
      await assembly.host.settled()
      #expect(await fetcher.held(of: shownClip("kept")).isWhole)
      #expect(await fetcher.held(of: shownClip("cached")).bytes == 0)
      await assembly.stop()
    }
  }

  @Test func aPrivateLinkOpensTheClipOfItsUploadAndNoOther() async throws {
    try await withFolder { folder in
      let announcements = Announcements()
      let transport = ScriptedTransport { request in
        switch request.target {
        case "/api/v1/uploads/secret/clip": try ScriptedTransport.json(shownClip("p", visibility: .private))
        default: nil
        }
      }
      let assembly = FeedAssembly(
        FeedAssembly.Parts(
          client: Client(transport: transport), transport: FakeTransport(),
          players: (0..<3).map { _ in FakePlayer() }, controls: nil, addressing: FakeAddressing(),
          memory: SegmentMemory(), disk: nil, base: URL(string: "https://clips.test/")!,
          files: FeedFiles(root: folder, caches: folder), device: OfflineDevice(),
          announcements: announcements))
      assembly.start(FeedSession.Configuration())
      await assembly.model.open("q", upload: "secret")
      #expect(announcements.waiting.count == 1)
      await assembly.model.open("p", upload: "secret")
      #expect(await eventually { assembly.model.currentClip?.id == "p" })
      #expect(!transport.calls.contains { $0.contains("/clips/") })
      await assembly.stop()
    }
  }
}

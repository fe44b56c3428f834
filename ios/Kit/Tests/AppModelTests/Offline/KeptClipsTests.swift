import AppModel
import Contract
import Foundation
import MediaStore
import Persistence
import Playback
import Synchronization
import Testing

/// Fetches when it is allowed to.
private final class SteppedKeeper: ClipKeeping {
  struct State {
    var whole: Set<String> = []
    var asked: [String] = []
    var waiting: [String: CheckedContinuation<Void, any Error>] = [:]
    var dropped: [String] = []
  }
  let state = Mutex(State())

  func fetch(_ clip: Clip, progress: @escaping @Sendable (Int, Int) -> Void) async throws {
    progress(1, 4)
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        state.withLock {
          $0.asked.append(clip.id)
          $0.waiting[clip.id] = continuation
        }
        if Task.isCancelled { fail(clip.id, CancellationError()) }
      }
    } onCancel: {
      fail(clip.id, CancellationError())
    }
  }
  func held(of clip: Clip) async -> (bytes: Int, isWhole: Bool) {
    let isWhole = state.withLock { $0.whole.contains(clip.id) }
    return (isWhole ? 650 : 0, isWhole)
  }
  func drop(_ clip: Clip) async {
    state.withLock {
      $0.dropped.append(clip.id)
      $0.whole.remove(clip.id)
    }
  }
  var asked: [String] { state.withLock { $0.asked } }
  func finish(_ id: String) {
    let continuation = state.withLock {
      $0.whole.insert(id)
      return $0.waiting.removeValue(forKey: id)
    }
    continuation?.resume()
  }
  func fail(_ id: String, _ error: any Error) {
    state.withLock { $0.waiting.removeValue(forKey: id) }?.resume(throwing: error)
  }
}

@MainActor @Suite struct KeptClipsTests {
  private func kept(_ folder: URL, _ keeper: SteppedKeeper, _ announcements: Announcements = Announcements())
    -> KeptClips
  {
    KeptClips(
      file: StoredFile(folder.appending(path: "kept")), keeper: keeper, announcements: announcements,
      now: { Date(timeIntervalSince1970: 5) })
  }

  @Test func fetchesOneAfterTheOther() async throws {
    try await withFolder { folder in
      let keeper = SteppedKeeper()
      let kept = kept(folder, keeper)
      var whole: [String] = []
      kept.onWhole = { whole.append($0.id) }
      kept.keep(shownClip("a"))
      kept.keep(shownClip("b"))
      kept.keep(shownClip("a"))
      #expect(await soon { keeper.asked == ["a"] })
      #expect(await soon { kept.rows.last?.state == .fetching(1, of: 4) })
      #expect(kept.rows.first?.state == .waiting)
      keeper.finish("a")
      #expect(await soon { keeper.asked == ["a", "b"] })
      keeper.finish("b")
      #expect(await soon { whole == ["a", "b"] })
      #expect(kept.bytes == 1_300)
      #expect(kept.playable(from: "a").map(\.id) == ["a", "b"])
    }
  }

  @Test func aKilledAppFetchesOnAtTheNextStart() async throws {
    try await withFolder { folder in
      let keeper = SteppedKeeper()
      let first = kept(folder, keeper)
      first.keep(shownClip("a"))
      first.keep(shownClip("b"))
      #expect(await soon { keeper.asked == ["a"] })
      keeper.state.withLock { _ = $0.whole.insert("b") }
      let next = SteppedKeeper()
      next.state.withLock { _ = $0.whole.insert("b") }
      let second = kept(folder, next)
      #expect(second.rows.map(\.id) == ["b", "a"])
      await second.start()
      #expect(await soon { next.asked == ["a"] })
      #expect(second.rows.first?.state == .whole)
      next.finish("a")
      keeper.finish("a")
      #expect(await soon { second.rows.allSatisfy { $0.state == .whole } })
    }
  }

  @Test func waitsForANetworkAndGoesOn() async throws {
    try await withFolder { folder in
      let keeper = SteppedKeeper()
      let kept = kept(folder, keeper)
      kept.setOnline(false)
      kept.keep(shownClip("a"))
      #expect(kept.rows.first?.state == .waiting)
      kept.setOnline(true)
      #expect(await soon { keeper.asked == ["a"] })
      keeper.fail("a", TransferFailure.network)
      #expect(await soon { kept.rows.first?.state == .failed("The clip could not be loaded. Try again.") })
      kept.setOnline(false)
      kept.setOnline(true)
      #expect(await soon { keeper.asked == ["a", "a"] })
      keeper.fail("a", ClipFetcher.Failure.diskFull)
      #expect(
        await soon {
          kept.rows.first?.state == .failed("This device is full. Free some space, then try again.")
        })
      kept.retry("a")
      #expect(await soon { keeper.asked == ["a", "a", "a"] })
      keeper.finish("a")
      #expect(await soon { kept.rows.first?.state == .whole })
    }
  }

  @Test func whatIsRemovedIsBrokenOffAndItsRoomGivenBack() async throws {
    try await withFolder { folder in
      let keeper = SteppedKeeper()
      let kept = kept(folder, keeper)
      var changes: [String] = []
      kept.onChanged = { clip, isKept in changes.append("\(clip.id) \(isKept)") }
      kept.keep(shownClip("a"))
      kept.keep(shownClip("b"))
      #expect(await soon { keeper.asked == ["a"] })
      await kept.remove("a")
      #expect(keeper.state.withLock { $0.dropped } == ["a"])
      #expect(await soon { keeper.asked == ["a", "b"] })
      keeper.finish("b")
      #expect(await soon { kept.rows.first?.state == .whole })
      await kept.removeAll()
      #expect(kept.rows.isEmpty)
      #expect(changes == ["a true", "b true", "a false", "b false"])
      #expect(self.kept(folder, SteppedKeeper()).rows.isEmpty)
    }
  }

  @Test func aClipThatIsNotForEverybodyIsNotKept() async throws {
    try await withFolder { folder in
      let announcements = Announcements()
      let kept = kept(folder, SteppedKeeper(), announcements)
      kept.keep(shownClip("a", visibility: .private))
      #expect(kept.rows.isEmpty)
      #expect(announcements.waiting.count == 1)
    }
  }

  @Test func whatCannotBeWrittenDownIsNotKept() async throws {
    try await withFolder { folder in
      try Data().write(to: folder.appending(path: "taken"))
      let announcements = Announcements()
      let kept = kept(folder.appending(path: "taken"), SteppedKeeper(), announcements)
      kept.keep(shownClip("a"))
      #expect(kept.rows.isEmpty)
      #expect(announcements.waiting.count == 1)
    }
  }

  @Test func aClipOfTheSessionStaysOnItsDisk() async throws {
    try await withFolder { folder in
      let store = try DiskStore(root: folder)
      let fetcher = ClipFetcher(
        store: store, transport: FilledTransport(), base: URL(string: "https://s.org/")!)
      let keeper = ClipKeeper(fetcher, shortEdge: { 360 }, isInSession: { $0.id == "b" })
      for id in ["a", "b"] { try await keeper.fetch(shownClip(id)) { _, _ in } }
      #expect(await keeper.held(of: shownClip("a")) == (350, true))
      await keeper.drop(shownClip("a"))
      await keeper.drop(shownClip("b"))
      #expect(await store.clips == ["/media/b-1.mp4"])
    }
  }
}

import Contract
import CoreTypes
import Foundation
import PlaybackTesting
import Session
import Testing

@testable import MediaStore
@testable import Playback

/// The core's one feed becomes another list by events that it has anyway. What it has afterwards is asked of
/// those events alone.
@MainActor @Suite struct FeedListTests {
  /// What the core's pager has by what it is told.
  private final class Mirror {
    var items: [Int32] = []
    var loads: [Bool] = []

    func take(_ event: FeedSession.Event) {
      switch event {
      case .itemAppended(let item, _): if !items.contains(item.rawValue) { items.append(item.rawValue) }
      case .itemInserted(let item, let place, _):
        items.removeAll { $0 == item.rawValue }
        items.insert(item.rawValue, at: items.firstIndex(of: place.rawValue) ?? items.count)
      case .itemRemoved(let item): items.removeAll { $0 == item.rawValue }
      case .pageLoaded(let hasMore): loads.append(hasMore)
      default: break
      }
    }
  }

  private func host(_ ids: [String]) async -> (SessionHost, Mirror) {
    let page = FeedPage(items: ids.map { sampleClip($0) }, nextCursor: "more")
    let host = SessionHost(samplePorts(source: FakeSource([.success(page)])))
    let mirror = Mirror()
    host.observer = { event, _, _ in mirror.take(event) }
    host.start(FeedSession.Configuration())
    _ = await eventually { mirror.items.count == ids.count && mirror.loads.last == true }
    return (host, mirror)
  }

  private func list(_ host: SessionHost, _ ids: [String]) -> FeedList {
    let list = FeedList(tab: nil, source: .other) { _, _ in throw CancellationError() }
    host.feed.fill(list, FeedPage(items: ids.map { sampleClip($0) }, nextCursor: nil))
    return list
  }

  @Test func aListSaysWhereItsClipsAreComeUpon() {
    let sources = [FeedTab.forYou, .following, .latest, nil].map { tab in
      FeedList(tab: tab, source: .trending) { _, _ in throw CancellationError() }.source
    }
    #expect(sources == [.forYou, .following, .latest, .trending])
  }

  @Test(arguments: [
    ["a", "b", "c"], ["c", "b", "a"], ["x", "b", "y", "a", "z"], ["x"], [], ["x", "y"], ["b", "x", "c", "y"],
  ])
  func anyListTakesThePlaceOfAnyOther(ids: [String]) async throws {
    for shown in ["a", "b", "c"] {
      for wanted in ids.isEmpty ? [String?.none] : ids.map({ Optional($0) }) {
        let (host, mirror) = await host(["a", "b", "c"])
        let next = list(host, ids)
        let now = host.feed.show(
          next, at: wanted.flatMap { host.feed.item(of: $0) }, from: host.feed.item(of: shown))
        #expect(mirror.items.compactMap { host.feed.clip(ItemID($0))?.clip.id } == ids)
        #expect(now.flatMap { host.feed.clip($0)?.clip.id } == wanted)
        #expect(mirror.loads.last == false && !host.feed.isChanging)
        await host.stop()
      }
    }
  }

  @Test func whatBothListsHaveIsNotGivenUp() async throws {
    let (host, _) = await host(["a", "b", "c"])
    let b = try #require(host.feed.item(of: "b"))
    var removed: [Int32] = []
    host.observer = { event, _, _ in
      if case .itemRemoved(let item) = event { removed.append(item.rawValue) }
    }
    host.feed.show(list(host, ["x", "b"]), at: b, from: b)
    #expect(host.feed.item(of: "b") == b && !removed.contains(b.rawValue) && removed.count == 2)
    await host.stop()
  }

  @Test func noPageIsAskedForWhileAListTakesThePlaceOfAnother() async {
    let source = FakeSource([
      .success(FeedPage(items: ["a", "b", "c"].map { sampleClip($0) }, nextCursor: "more"))
    ])
    let host = SessionHost(samplePorts(source: source))
    host.start(FeedSession.Configuration())
    // Three are so few that the next page is asked for at once.
    #expect(await eventually { source.cursors == [nil, "more"] })
    let asked = source.cursors.count
    host.feed.show(list(host, ["x", "y"]), at: nil, from: host.feed.item(of: "a"))
    for _ in 0..<20 { await Task.yield() }
    #expect(source.cursors.count <= asked + 1)
    #expect(!source.cursors.dropFirst(asked).contains("more"))
    await host.stop()
  }

  @Test func aClipThatIsGoneIsGoneFromAllLists() async throws {
    let (host, mirror) = await host(["a", "b", "c"])
    let first = host.feed.list
    let next = list(host, ["x", "b"])
    host.feed.show(next, at: nil, from: host.feed.item(of: "a"))
    host.feed.drop(try #require(host.feed.item(of: "b")))
    #expect(mirror.items.count == 1 && host.feed.item(of: "b") == nil)
    host.feed.show(first, at: nil, from: host.feed.item(of: "x"))
    #expect(mirror.items.compactMap { host.feed.clip(ItemID($0))?.clip.id } == ["a", "c"])
    await host.stop()
  }

  @Test(arguments: [false, true])
  func aPageThatSomebodyElseAskedForIsAskedForAgain(fails: Bool) async {
    let (host, _) = await host(["a"])
    var cursors: [String?] = []
    var held: CheckedContinuation<FeedPage, any Error>?
    let list = FeedList(tab: .latest) { cursor, _ in
      cursors.append(cursor)
      if cursors.count == 1 { return try await withCheckedThrowingContinuation { held = $0 } }
      return FeedPage(items: [sampleClip("mine")], nextCursor: nil)
    }
    let asking = Task { await host.feed.requestPage(list) }
    #expect(await eventually { held != nil })
    list.startOver()
    if fails {
      held?.resume(throwing: URLError(.timedOut))
    } else {
      held?.resume(returning: FeedPage(items: [sampleClip("theirs")], nextCursor: "theirs"))
    }
    await asking.value
    #expect(cursors == [nil, nil])
    #expect(list.order.compactMap { host.feed.clip($0)?.clip.id } == ["mine"])
    #expect(!list.isLoading)
    await host.stop()
  }

  @Test func aPageThatComesForAListThatIsNotShownWaitsInIt() async {
    let (host, mirror) = await host(["a"])
    let other = FeedList(tab: .latest) { _, _ in FeedPage(items: [sampleClip("n")], nextCursor: nil) }
    let loads = mirror.loads.count
    await host.feed.requestPage(other)
    #expect(other.isKnown && other.order.count == 1 && mirror.items.count == 1)
    #expect(mirror.loads.count == loads)
    await host.stop()
  }
}

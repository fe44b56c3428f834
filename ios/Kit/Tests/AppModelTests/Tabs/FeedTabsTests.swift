import Contract
import CoreTypes
import Device
import Foundation
import Persistence
import Playback
import PlaybackTesting
import Session
import Synchronization
import Testing

@testable import AppModel

@MainActor @Suite struct FeedTabsTests {
  private nonisolated static func page(_ ids: [String], next: String? = nil) throws -> WireResponse {
    try ScriptedTransport.json(FeedPage(items: ids.map { sampleClip($0) }, nextCursor: next))
  }

  /// A server with a list for each tab; those of which a test says nothing do not come.
  private func bench(
    _ lists: [String: [String]], left: [Clip] = [], of tab: FeedTab? = nil, follows: Bool = false
  ) -> FeedBench {
    FeedBench(left: left, of: tab) { request in
      if request.target.hasPrefix("/api/v1/account/following") {
        return try ScriptedTransport.json(
          AuthorPage(items: follows ? [Author(id: "a", handle: "ann", name: "Ann")] : [], nextCursor: nil))
      }
      guard let query = request.target.split(separator: "?").last, request.target.contains("/feed?") else {
        return nil
      }
      let tab = query.split(separator: "&").first { $0.hasPrefix("tab=") }.map { String($0.dropFirst(4)) }
      guard let list = lists[tab ?? ""] else { throw URLError(.notConnectedToInternet) }
      return try Self.page(list)
    }
  }

  private func ids(_ bench: FeedBench) -> [String] {
    let feed = bench.assembly.host.feed
    return feed.list.order.compactMap { feed.clip($0)?.clip.id }
  }

  @Test func eachTabKeepsItsPlace() async {
    let bench = bench(["for_you": ["a", "b", "c"], "latest": ["n", "b", "m"]])
    bench.start()
    #expect(await eventually { bench.model.currentClip?.id == "a" })
    #expect(bench.transport.calls.contains("GET /api/v1/feed?tab=for_you&limit=5"))
    bench.model.step(1)
    bench.advance(by: 5_000)
    #expect(bench.model.currentClip?.id == "b")
    let shared = bench.model.state.current
    bench.assembly.tabs.press(.latest)
    #expect(bench.assembly.tabs.isTurning && bench.assembly.tabs.chosen == .latest)
    // Until it comes, what is there stays.
    #expect(bench.model.currentClip?.id == "b")
    #expect(await eventually { bench.model.currentClip?.id == "n" })
    #expect(bench.display.calls.contains("fade") && !bench.assembly.tabs.isTurning)
    #expect(ids(bench) == ["n", "b", "m"])
    bench.advance(by: 5_000)
    #expect(bench.model.layout.pages.map(\.top) == [0, 844, 1688] && bench.model.layout.shift == 0)
    let asked = bench.transport.calls.count
    bench.assembly.tabs.step(-1)
    #expect(bench.assembly.tabs.chosen == .following)
    bench.assembly.tabs.press(.forYou)
    // At once, at the clip that was left; one that both have has one number.
    #expect(bench.model.currentClip?.id == "b" && bench.model.state.current == shared)
    #expect(ids(bench) == ["a", "b", "c"])
    #expect(!bench.transport.calls[asked...].contains { $0.contains("for_you") })
    await bench.assembly.tabs.settled()
    #expect(bench.model.currentClip?.id == "b")
    await bench.end()
  }

  @Test func aTabThatDoesNotComeLeavesTheFeedAsItIs() async {
    let bench = bench(["for_you": ["a", "b"]])
    bench.start()
    #expect(await eventually { bench.model.currentClip?.id == "a" })
    bench.assembly.tabs.press(.latest)
    await bench.assembly.tabs.settled()
    #expect(bench.model.currentClip?.id == "a" && bench.assembly.tabs.chosen == .forYou)
    #expect(bench.notices == [.tabUnreachable] && bench.files.tab.load() == nil)
    await bench.end()
  }

  @Test func onceMoreOnATabLeadsToItsFirstClipAndThenToWhatIsNew() async {
    let bench = bench(["for_you": ["a", "b"]])
    bench.start()
    #expect(await eventually { bench.model.currentClip?.id == "a" })
    bench.model.step(1)
    bench.advance(by: 5_000)
    bench.assembly.tabs.press(.forYou)
    bench.advance(by: 5_000)
    #expect(bench.model.currentClip?.id == "a")
    let asked = bench.transport.calls.count
    bench.assembly.tabs.press(.forYou)
    await bench.assembly.tabs.settled()
    #expect(bench.transport.calls[asked...].contains("GET /api/v1/feed?tab=for_you&limit=5"))
    await bench.end()
  }

  @Test(arguments: [false, true]) func anEmptyFollowingSaysWhatToDo(follows: Bool) async {
    let bench = bench(["for_you": ["a"], "following": []], follows: follows)
    bench.start()
    #expect(await eventually { bench.model.currentClip?.id == "a" })
    bench.assembly.tabs.press(.following)
    await bench.assembly.tabs.settled()
    #expect(bench.model.state.current == nil && bench.model.sign == .empty)
    #expect(
      bench.model.emptyWords
        == (follows ? FeedTabs.Nothing.noClipsOfFollowed : .followsNobody).words)
    // Whether there is one is asked now and then, not all the time.
    bench.advance(by: 10_000)
    #expect(await eventually { bench.pauses.asked.allSatisfy { $0 == FeedTabs.pauseWhereEmpty } })
    #expect(bench.transport.calls.filter { $0.contains("tab=following") }.count == 1)
    #expect(bench.model.wayOut == .forYou)
    bench.model.helped()
    #expect(bench.model.currentClip?.id == "a" && bench.model.wayOut == nil)
    await bench.end()
  }

  @Test func theNextStartBeginsWithTheTabThatWasLeft() async {
    let bench = bench(["for_you": ["a"], "latest": ["n", "m"]])
    bench.start()
    #expect(await eventually { bench.model.currentClip?.id == "a" })
    bench.assembly.tabs.press(.latest)
    #expect(await eventually { bench.model.currentClip?.id == "n" })
    // Whoever kills the app now finds it so.
    #expect(bench.files.lastFeed.load()?.tab == .latest)
    bench.device.onNotice?(.backgrounded)
    #expect(bench.files.tab.load() == .latest && bench.files.lastFeed.load()?.tab == .latest)
    #expect(bench.files.lastFeed.load()?.clips.map(\.id) == ["n", "m"])
    await bench.end()

    let next = self.bench([:], left: [sampleClip("n")], of: .latest)
    next.files.tab.save(.latest)
    next.start()
    // NB: nothing was awaited.
    #expect(next.model.currentClip?.id == "n" && next.assembly.tabs.chosen == .latest)
    #expect(await eventually { next.transport.calls.contains("GET /api/v1/feed?tab=latest&limit=5") })
    await next.end()

    // Clips of another tab are not those of this one.
    let other = self.bench([:], left: [sampleClip("n")], of: .latest)
    other.start()
    #expect(other.model.currentClip == nil && other.assembly.tabs.chosen == .forYou)
    await other.end()
  }

  @Test func whatForYouBringsComesBehindTheLastVisit() async {
    let bench = bench(["for_you": ["x", "a"]], left: [sampleClip("a"), sampleClip("b")])
    bench.start()
    #expect(await eventually { ids(bench) == ["a", "b", "x"] })
    #expect(bench.model.currentClip?.id == "a")
    await bench.end()
  }

  @Test func nothingThatWasToldToSomebodyElseIsShownAgain() async {
    let bench = bench(["for_you": ["a"], "latest": ["n"]])
    bench.start()
    #expect(await eventually { bench.model.currentClip?.id == "a" })
    bench.assembly.tabs.press(.latest)
    #expect(await eventually { bench.model.currentClip?.id == "n" })
    bench.assembly.viewerChanged()
    #expect(bench.model.currentClip?.id == "n")
    let asked = bench.transport.calls.count
    bench.assembly.tabs.press(.forYou)
    await bench.assembly.tabs.settled()
    #expect(bench.transport.calls[asked...].contains("GET /api/v1/feed?tab=for_you&limit=5"))
    await bench.end()
  }

  @Test func aListThatComesWhenItsPersonHasLeftIsAskedForAnew() async {
    let gate = Gate()
    let asked = Mutex(0)
    let bench = FeedBench { request in
      guard request.target.contains("/feed?") else { return nil }
      guard request.target.contains("tab=latest") else { return try Self.page(["a"]) }
      let isFirst = asked.withLock { count in
        count += 1
        return count == 1
      }
      if isFirst { await gate.pass() }
      return try Self.page([isFirst ? "theirs" : "mine"])
    }
    bench.viewer = "ada"
    bench.start()
    #expect(await eventually { bench.model.currentClip?.id == "a" })
    bench.assembly.tabs.press(.latest)
    #expect(await eventually { bench.transport.calls.contains { $0.contains("tab=latest") } })
    bench.viewer = nil
    bench.assembly.viewerChanged()
    gate.open()
    await bench.assembly.tabs.settled()
    #expect(ids(bench) == ["mine"])
    #expect(bench.files.lastFeed.load()?.clips.map(\.id) == ["mine"])
    await bench.end()
  }

  @Test func theLastFeedGoesWithTheAccountThatItWasToldTo() async {
    let bench = bench(["for_you": ["a", "b"], "latest": ["n"]])
    bench.viewer = "ada"
    bench.start()
    #expect(await eventually { bench.model.currentClip?.id == "a" })
    bench.assembly.save()
    #expect(bench.files.lastFeed.load()?.clips.map(\.id) == ["a", "b"])
    bench.viewer = nil
    bench.assembly.viewerChanged()
    #expect(bench.files.lastFeed.load() == nil)
    // It is still on the screen when the app is left, also by whoever signs in next.
    bench.device.onNotice?(.backgrounded)
    #expect(bench.files.lastFeed.load() == nil)
    bench.device.onNotice?(.foregrounded)
    bench.viewer = "bob"
    bench.assembly.viewerChanged()
    bench.assembly.save()
    #expect(bench.model.currentClip?.id == "a" && bench.files.lastFeed.load() == nil)
    // What was asked for since is theirs.
    bench.assembly.tabs.press(.latest)
    #expect(await eventually { bench.files.lastFeed.load()?.clips.map(\.id) == ["n"] })
    await bench.end()
  }

  @Test func theLastFeedOfAGuestGoesAlongIntoTheirAccount() async {
    let bench = bench(["for_you": ["a", "b"]])
    bench.start()
    #expect(await eventually { bench.model.currentClip?.id == "a" })
    bench.assembly.save()
    bench.viewer = "ada"
    bench.assembly.viewerChanged()
    #expect(bench.files.lastFeed.load()?.clips.map(\.id) == ["a", "b"])
    bench.files.lastFeed.remove()
    bench.device.onNotice?(.backgrounded)
    #expect(bench.files.lastFeed.load()?.clips.map(\.id) == ["a", "b"])
    await bench.end()
  }

  @Test(arguments: [
    (-60.0, 10.0, 200.0, false, 1), (60, 10, 200, false, -1), (-60, 10, 200, true, -1),
    // Too short, too steep, from the edges.
    (-40, 0, 200, false, 0), (-60, 50, 200, false, 0), (-60, 0, 10, false, 0), (60, 0, 385, false, 0),
    (Double.nan, 0, 200, false, 0),
  ])
  func aFingerToTheSideLeadsToTheNextTab(
    x: Double, y: Double, start: Double, isRightToLeft: Bool, step: Int
  ) {
    #expect(TabSwipe.step(x: x, y: y, from: start, width: 390, isRightToLeft: isRightToLeft) == step)
  }
}

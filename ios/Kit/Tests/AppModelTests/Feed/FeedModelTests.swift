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

@MainActor @Suite struct FeedModelTests {
  private nonisolated static func page(_ ids: [String]) throws -> WireResponse {
    try ScriptedTransport.json(FeedPage(items: ids.map { sampleClip($0) }, nextCursor: nil))
  }

  @Test func standsOnTheFeedOfLastTimeBeforeAnythingElse() async {
    let bench = FeedBench(left: [sampleClip("a"), sampleClip("b")]) { _ in nil }
    bench.start()
    // NB: nothing was awaited so far: it is there within the turn in which the app starts.
    #expect(bench.model.currentClip?.id == "a")
    #expect(bench.model.layout.pages.map(\.top) == [0, 844])
    #expect(bench.model.sign != .opening)
    await bench.end()
  }

  @Test func leavesTheFeedToTheNextStart() async {
    let bench = FeedBench { _ in try Self.page(["a", "b", "c"]) }
    bench.start()
    #expect(await eventually { bench.model.currentClip?.id == "a" })
    bench.device.onNotice?(.backgrounded)
    #expect(bench.files.lastFeed.load()?.clips.map(\.id) == ["a", "b", "c"])
    await bench.end()
  }

  @Test(arguments: [false, true]) func whatWasWatchedGoesWithTheAccount(leaves: Bool) async {
    let bench = FeedBench(left: [sampleClip("a")]) { request in
      request.method == "POST" ? try ScriptedTransport.json(WatchEventsTaken(accepted: 1)) : nil
    }
    bench.viewer = "ada"
    bench.start()
    if leaves {
      bench.viewer = nil
      bench.assembly.viewerChanged()
    }
    bench.advance(by: 10_000)
    await bench.assembly.activity.settled()
    #expect(bench.transport.calls.contains("POST /api/v1/events") == !leaves)
    await bench.end()
  }

  @Test func goesToTheNextPageAndTellsTheCoreWhenItIsThere() async {
    let bench = FeedBench(left: [sampleClip("a"), sampleClip("b")]) { _ in nil }
    bench.start()
    bench.report(.firstFrameReady)
    bench.report(.playbackAdvanced)
    if let next = bench.assembly.host.feed.item(of: "b"), let player = bench.assembly.host.player(of: next) {
      bench.players[Int(player.rawValue)].report?(PlayerReport(item: next, event: .firstFrameReady))
    }
    bench.model.dragBegan()
    bench.model.dragMoved(-200)
    #expect(bench.model.layout.shift < -190)
    var events: [String] = []
    bench.assembly.host.observer = { event, _, _ in
      if case .settleFinished(let page) = event { events.append("settled \(page)") }
    }
    bench.model.dragEnded(-400, velocity: -2_000)
    #expect(bench.model.currentClip?.id == "b")
    #expect(bench.model.isMoving && events.isEmpty)
    bench.advance(by: 1_000)
    #expect(!bench.model.isMoving && events == ["settled 1"])
    #expect(bench.model.layout.shift == -844)
    await bench.end()
  }

  @Test func tellsOneTapFromTwo() async {
    let bench = FeedBench(left: [sampleClip("a")]) { _ in nil }
    bench.start()
    bench.report(.firstFrameReady)
    bench.report(.playbackAdvanced)
    bench.model.touched(x: 100, y: 200)
    bench.advance(by: 80)
    bench.model.touched(x: 104, y: 204)
    #expect(bench.display.calls.contains { $0.hasPrefix("heart") })
    #expect(bench.model.state.current.flatMap { bench.model.standing(of: $0) }?.isLiked == true)
    #expect(!bench.model.state.isPaused)
    bench.advance(by: 2_000)
    bench.model.touched(x: 100, y: 200)
    #expect(!bench.model.state.isPaused)
    bench.advance(by: 300)
    #expect(bench.model.state.isPaused)
    await bench.end()
  }

  @Test func aWindowThatDidNotComeIsSaid() async {
    let bench = FeedBench(left: [sampleClip("a")]) { _ in nil }
    bench.start()
    bench.controls.onWindowRefused?()
    #expect(bench.notices == [.noWindow])
    await bench.end()
  }

  @Test func keysAreTheFeedsOnceNothingLiesOverIt() async {
    let bench = FeedBench(left: [sampleClip("a")]) { _ in nil }
    bench.start()
    let given = { bench.display.calls.count { $0 == "uncovered" } }
    bench.model.setLocked(true, by: .menu)
    bench.model.setLocked(true, by: .screen)
    bench.model.setLocked(false, by: .menu)
    #expect(given() == 0)
    bench.model.setLocked(false, by: .screen)
    bench.model.setLocked(false, by: .screen)
    #expect(given() == 1)
    await bench.end()
  }

  @Test func aReceiverThatChoosesByItselfKeepsToWhatTheCoreAllows() async {
    let bench = FeedBench(left: [sampleClip("a")]) { _ in nil }
    bench.start()
    #expect(bench.controls.largest.isEmpty)
    bench.assembly.device.preferences.saves = true
    #expect(bench.controls.largest == [540])
    await bench.end()
  }

  @Test func standsWhenTheSystemTakesTheSoundAndNotTwice() async {
    let bench = FeedBench(left: [sampleClip("a")]) { _ in nil }
    bench.start()
    bench.report(.firstFrameReady)
    bench.report(.playbackAdvanced)
    bench.controls.onStopped?()
    #expect(bench.model.state.isPaused)
    bench.controls.onStopped?()
    #expect(bench.model.state.isPaused)
    await bench.end()
  }

  @Test func remembersTheSound() async {
    #expect(FeedModel.startsHeard(remembered: nil, othersAreHeard: false))
    #expect(!FeedModel.startsHeard(remembered: nil, othersAreHeard: true))
    #expect(!FeedModel.startsHeard(remembered: true, othersAreHeard: true))
    #expect(!FeedModel.startsHeard(remembered: false, othersAreHeard: false))
    let bench = FeedBench(left: [sampleClip("a")]) { _ in nil }
    bench.start()
    #expect(bench.controls.calls.last == "heard" && !bench.model.state.isMuted)
    bench.model.toggleSound()
    #expect(bench.controls.calls.last == "silent" && bench.files.sound.load() == false)
    await bench.end()
  }

  @Test func locksTheFeedOnceForSeveralReasons() async {
    let bench = FeedBench(left: [sampleClip("a"), sampleClip("b")]) { _ in nil }
    bench.start()
    var locks: [Bool] = []
    bench.assembly.host.observer = { event, _, _ in
      if case .feedLocked(let isLocked) = event { locks.append(isLocked) }
    }
    bench.model.setLocked(true, by: .menu)
    bench.model.setLocked(true, by: .question)
    bench.model.setLocked(false, by: .menu)
    bench.model.setLocked(false, by: .question)
    bench.model.setLocked(false, by: .screen)
    #expect(locks == [true, false])
    await bench.end()
  }

  @Test func takesAllClipsOfSomebodyBlockedOutOfTheFeed() async {
    var other = sampleClip("c")
    other.author = Author(id: "b", handle: "bob", name: "Bob")
    let bench = FeedBench(left: [sampleClip("a"), sampleClip("b"), other]) { request in
      request.method == "PUT" ? try ScriptedTransport.json(BlockState(blocked: true)) : nil
    }
    bench.start()
    bench.model.blockAuthor()
    #expect(await eventually { bench.model.currentClip?.id == "c" && bench.model.state.places.count == 1 })
    #expect(bench.notices == [.blocked("Ann")])
    await bench.end()
  }

  @Test func opensALinkOnTopOfTheFeed() async {
    let linked = sampleClip("link")
    let bench = FeedBench(left: [sampleClip("a")]) { request in
      switch request.target {
      case "/api/v1/clips/link": try ScriptedTransport.json(linked)
      case "/api/v1/clips/gone": try ScriptedTransport.problem(.clipNotFound)
      default: nil
      }
    }
    bench.start()
    #expect(await bench.model.open("link"))
    // As long as the core waits for its first frame at most.
    bench.advance(by: 5_000)
    #expect(bench.model.currentClip?.id == "link")
    #expect(await !bench.model.open("gone"))
    #expect(bench.notices == [.clipGone])
    #expect(bench.model.link()?.url == "https://clips.test/c/link")
    await bench.end()
  }

  @Test func aSoundLeadsToTheInstancesPageOfIt() async {
    var clip = sampleClip("a")
    clip.soundId = "s1"
    // It is kept with the feed of last time.
    let bench = FeedBench(left: [clip, sampleClip("b")]) { _ in nil }
    var opened: [URL] = []
    bench.model.onSound = { opened.append($0) }
    bench.start()
    #expect(bench.model.state.current.flatMap { bench.model.standing(of: $0) }?.soundID == "s1")
    bench.model.openSound()
    #expect(opened.map(\.absoluteString) == ["https://clips.test/s/s1"])
    bench.model.step(1)
    bench.advance(by: 5_000)
    #expect(bench.model.currentClip?.id == "b")
    #expect(bench.model.state.current.flatMap { bench.model.standing(of: $0) }?.soundID == nil)
    bench.model.openSound()
    #expect(opened.count == 1)
    await bench.end()
  }

  @Test func showsCaptionsOfTheClipAtAPlayer() async {
    var clip = sampleClip("a")
    clip.playback.captions = [
      CaptionTrack(language: "en", label: "English", url: "/a.vtt", automatic: false)
    ]
    let bench = FeedBench(left: [clip]) { _ in nil }
    bench.model.captionPreferences.ofDevice = { ["en"] }
    bench.start()
    bench.report(.firstFrameReady)
    #expect(bench.controls.calls.contains("captions en 0"))
    bench.model.toggleCaptions()
    #expect(bench.controls.calls.last == "captions none 0")
    #expect(bench.files.captions.load()?.isOn == false)
    await bench.end()
  }

  @Test func theWindowsButtonIsThereWhereWindowsAreAndClosesTheOneThatIsOpen() async {
    let bench = FeedBench(left: [sampleClip("a"), sampleClip("b")]) { _ in nil }
    bench.start()
    bench.report(.firstFrameReady)
    bench.report(.playbackAdvanced)
    #expect(bench.model.window == .closed)
    bench.model.togglePictureInPicture()
    #expect(bench.controls.calls.last == "window 0")
    bench.report(.pictureInPictureBegan)
    #expect(bench.model.window == .open)
    bench.model.step(1)
    bench.advance(by: 5_000)
    #expect(bench.model.currentClip?.id == "b")
    // Not the clip on the screen: the one in the window.
    bench.model.togglePictureInPicture()
    #expect(bench.controls.calls.last == "window 0")
    if let item = bench.assembly.host.feed.item(of: "a") {
      bench.players[0].report?(PlayerReport(item: item, event: .pictureInPictureEnded(returns: false)))
    }
    #expect(bench.model.window == .closed)
    bench.controls.hasWindows = false
    #expect(bench.model.window == .impossible)
    await bench.end()
  }

  @Test func saysThatTheServerHasNothing() async {
    let bench = FeedBench { _ in try Self.page([]) }
    bench.start()
    #expect(await eventually { bench.model.sign == .empty })
    await bench.end()
  }

  @Test func saysThatTheServerCannotBeReached() async {
    let bench = FeedBench { _ in throw URLError(.notConnectedToInternet) }
    bench.start()
    #expect(await eventually { bench.model.sign == .trouble })
    #expect(bench.model.trouble == Sentence(for: URLError(.notConnectedToInternet)))
    bench.model.retry()
    #expect(await eventually { bench.transport.calls.filter { $0.contains("feed") }.count == 2 })
    await bench.end()
  }
}

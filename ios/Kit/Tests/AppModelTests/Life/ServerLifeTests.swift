import Contract
import Foundation
import PlaybackTesting
import Testing

@testable import AppModel

@MainActor @Suite struct ServerLifeTests {
  @Test func theFeedOfLastTimeIsAtItsPlayersInTheTurnOfTheStart() async {
    let bench = LifeBench(left: [sampleClip("a"), sampleClip("b")])
    bench.begin()
    // NB: nothing was awaited so far. What the app waits for before this is a black first frame.
    #expect(bench.feed.model.currentClip?.id == "a")
    #expect(bench.feed.players.contains { $0.calls.contains { $0.hasPrefix("load") } })
    #expect(bench.feed.listener.log.starts(with: ["start", "open"]))
    #expect(bench.talk.log == ["in front"])
    await bench.end()
  }

  @Test func beginsOnce() async {
    let bench = LifeBench(left: [sampleClip("a")])
    bench.begin()
    bench.begin()
    #expect(bench.feed.listener.log.filter { $0 == "start" }.count == 1)
    await bench.end()
  }

  @Test func whereNobodyCanListenTheFeedIsThereAndItIsSaid() async {
    let bench = LifeBench(left: [sampleClip("a")])
    bench.feed.listener.trouble = URLError(.cannotConnectToHost)
    bench.begin()
    #expect(bench.feed.model.currentClip?.id == "a")
    #expect(bench.feed.notices == ["Clips cannot be played now. Start the app again."])
    await bench.end()
  }
}

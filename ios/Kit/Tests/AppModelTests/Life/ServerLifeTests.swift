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

  @Test func theCoreHearsOfAReturnOncePlayersAreAnswered() async {
    let bench = LifeBench(left: [sampleClip("a")])
    var returns = 0
    bench.feed.assembly.host.observer = { event, _, _ in
      if case .foregrounded = event { returns += 1 }
    }
    bench.begin()
    let gate = Gate()
    bench.feed.listener.gate = gate
    bench.feed.device.onNotice?(.backgrounded)
    bench.feed.device.onNotice?(.foregrounded)
    #expect(await eventually { bench.feed.listener.log.contains("revive") })
    #expect(returns == 0)
    gate.open()
    #expect(await eventually { returns == 1 })
    #expect(bench.feed.notices.isEmpty)
    await bench.end()
  }

  @Test func whoeverLeavesAgainMeanwhileIsNotBack() async {
    let bench = LifeBench(left: [sampleClip("a")])
    var heard: [String] = []
    bench.feed.assembly.host.observer = { event, _, _ in
      switch event {
      case .foregrounded: heard.append("back")
      case .backgrounded: heard.append("left")
      default: break
      }
    }
    bench.begin()
    let gate = Gate()
    bench.feed.listener.gate = gate
    bench.feed.device.onNotice?(.foregrounded)
    #expect(await eventually { bench.feed.listener.log.contains("revive") })
    bench.feed.device.onNotice?(.backgrounded)
    gate.open()
    bench.feed.listener.gate = nil
    bench.feed.device.onNotice?(.foregrounded)
    #expect(await eventually { heard.contains("back") })
    #expect(heard == ["left", "back"])
    await bench.end()
  }

  @Test func aReturnToPlayersThatNobodyAnswersIsSaid() async {
    let bench = LifeBench(left: [sampleClip("a")])
    bench.begin()
    bench.feed.listener.trouble = URLError(.cannotConnectToHost)
    bench.feed.device.onNotice?(.foregrounded)
    #expect(
      await eventually { bench.feed.notices == ["Clips cannot be played now. Start the app again."] })
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

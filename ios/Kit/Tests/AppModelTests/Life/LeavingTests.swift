import Activity
import Contract
import Device
import Foundation
import Persistence
import Playback
import PlaybackTesting
import Session
import Testing

@testable import AppModel

/// What becomes of what is on its way when the app is left.
@MainActor @Suite struct LeavingTests {
  /// Somebody has liked the clip on the screen, and the server answers once the gate is open.
  private func liking(_ gate: Gate) async -> LifeBench {
    let bench = LifeBench(left: [sampleClip("a")]) { request in
      guard request.target.hasSuffix("/like") else { throw URLError(.notConnectedToInternet) }
      await gate.pass()
      return try ScriptedTransport.json(LikeState(liked: true, likes: 1))
    }
    bench.begin()
    await bench.life.settled()
    bench.feed.model.turn(.like)
    return bench
  }

  @Test func timeIsHeldFromTheTurnOfLeavingUntilTheServerHasAnswered() async {
    let gate = Gate()
    let bench = await liking(gate)
    bench.life.left()
    // NB: nothing was awaited so far: an app that asks later may sleep by then.
    #expect(bench.time.log == ["leaving 1"])
    #expect(bench.talk.log.last == "away")
    #expect(bench.feed.files.toggles.load()?.states == ["like a": true])
    gate.open()
    #expect(await eventually { bench.time.log == ["leaving 1", "end 1"] })
    #expect(bench.talk.log.last == "settled")
    #expect(bench.feed.files.toggles.load() == nil, "it is not asked for again")
    await bench.end()
  }

  @Test func whatWasWatchedUntilNowIsToldBeforeThePageIsHiddenWhoeverSaysItFirst() async {
    let bench = LifeBench(left: [sampleClip("a")])
    bench.begin()
    var heard: [String] = []
    bench.feed.assembly.host.observer = { event, _, _ in
      if case .backgrounded = event { heard.append("core") }
    }
    bench.feed.assembly.activity.observer = { event, _, _ in
      if case .pageHidden = event { heard.append("page") }
    }
    bench.life.left()
    bench.feed.device.onNotice?(.backgrounded)
    #expect(heard == ["core", "page"])
    bench.feed.device.onNotice?(.foregrounded)
    bench.feed.device.onNotice?(.backgrounded)
    bench.life.left()
    #expect(heard == ["core", "page", "core", "page"])
    await bench.end()
  }

  @Test func timeThatTheSystemWantsBackIsGivenBackAtOnce() async {
    let gate = Gate()
    let bench = await liking(gate)
    bench.life.left()
    bench.time.wantBack()
    #expect(bench.time.log == ["leaving 1", "end 1"])
    gate.open()
    await bench.feed.assembly.actions.settled()
    bench.life.returned()
    #expect(bench.time.log.count == 2, "once for each that began")
    await bench.end()
  }

  @Test func whoeverComesBackNeedsNone() async {
    let gate = Gate()
    let bench = await liking(gate)
    bench.life.left()
    bench.life.returned()
    #expect(bench.time.log == ["leaving 1", "end 1"])
    bench.life.left()
    #expect(bench.time.log.last == "leaving 2")
    gate.open()
    #expect(await eventually { bench.time.log.last == "end 2" })
    await bench.end()
  }
}

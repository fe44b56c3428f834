import Contract
import Device
import Foundation
import Playback
import PlaybackTesting
import Session
import Testing
import Transfer

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

  @Test func anotherServerLeavesNothingOfTheOldOneRunning() async throws {
    let bench = LifeBench(left: [sampleClip("a")]) { request in
      if request.method == "DELETE" { return WireResponse(status: 204, headers: [:], body: Data()) }
      guard request.method == "POST", request.target.hasSuffix("/devices") else { return nil }
      let epoch = Date(timeIntervalSince1970: 0)
      return try ScriptedTransport.json(
        PushDevice(
          id: "phone", environment: .sandbox, topic: "t", createdAt: epoch, registeredAt: epoch,
          isCurrent: true))
    }
    bench.begin()
    await bench.life.settled()
    await bench.push.received([UInt8](repeating: 1, count: 32))
    await bench.desk.model.choose(try bench.desk.video("dawn.mp4"), name: "dawn.mp4")
    bench.kept.keep(sampleClip("b"))
    #expect(await eventually { bench.keeper.begun == 1 })
    await bench.life.end()
    #expect(bench.talk.log.last == "stopped")
    #expect(bench.connections.log.first == "hung up")
    #expect(bench.desk.queue.active == nil)
    #expect(bench.feed.listener.log.last == "stop")
    await bench.life.settled()
    #expect(bench.connections.log.last == "closed after DELETE /api/v1/account/devices/phone")
    #expect(await eventually { bench.keeper.ended == 1 })
    // What comes later finds nobody.
    bench.kept.setOnline(false)
    bench.kept.setOnline(true)
    await bench.push.received([UInt8](repeating: 2, count: 32))
    await bench.desk.model.choose(try bench.desk.video("dusk.mp4"), name: "dusk.mp4")
    #expect(bench.keeper.begun == 1 && bench.desk.queue.active == nil)
    #expect(bench.feed.transport.calls.last?.hasPrefix("DELETE") == true)
    // The upload is there for whoever comes back to this server.
    #expect(bench.desk.queue.waiting.map(\.name) == ["dusk.mp4"])
    await bench.feed.end()
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

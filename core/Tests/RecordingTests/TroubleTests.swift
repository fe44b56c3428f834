import CoreTypes
import Recording
import Testing

@Suite struct TroubleTests {
  private var harness = RecordingHarness()

  @Test(arguments: [Recording.Obstacle.interruption, .background, .noCamera, .storageFull])
  mutating func anObstacleEndsTheClipAndKeepsIt(obstacle: Recording.Obstacle) {
    harness.begin(1)
    harness.wait(2_000)
    harness.send(.torchTapped)
    _ = harness.take()
    harness.send(.obstacleChanged(obstacle, isThere: true))
    #expect(harness.takeDeeds() == [.setTorch(false), .stopCapture(ClipID(1))])
    harness.send(.captureFinished(ClipID(1), Milliseconds(1_980)))
    #expect(harness.takeList()?.map(\.played) == [Milliseconds(1_980)])
    harness.send(.pressed, .released(held: Milliseconds(80)), .torchTapped)
    #expect(harness.takeDeeds().isEmpty)
    harness.send(.obstacleChanged(obstacle, isThere: false))
    #expect(harness.takeDeeds() == (obstacle == .storageFull ? [] : [.useCamera(.back)]))
    harness.send(.cameraReady(.back, hasTorch: true), .pressed)
    #expect(harness.takeDeeds().count == 1)
  }

  @Test mutating func aCallEndsTheCountdown() {
    harness.send(.countdownChosen(seconds: 10), .pressed, .released(held: Milliseconds(80)))
    harness.wait(1_000)
    harness.send(.obstacleChanged(.interruption, isThere: true))
    _ = harness.take()
    harness.wait(20_000)
    #expect(harness.takeDeeds().isEmpty)
  }

  @Test mutating func aFlipWithinAClipMakesOneTakeOfTwoFiles() {
    harness.begin(1)
    harness.wait(1_000)
    _ = harness.take()
    harness.send(.flipTapped, .captureFinished(ClipID(1), Milliseconds(1_000)))
    #expect(harness.takeDeeds() == [.stopCapture(ClipID(1)), .useCamera(.front)])
    harness.send(.cameraReady(.front, hasTorch: false))
    #expect(
      harness.takeDeeds() == [.startCapture(ClipID(2), .front, longest: Milliseconds(59_000))])
    harness.send(.captureStarted(ClipID(2)))
    harness.wait(500)
    harness.send(.pressed, .captureFinished(ClipID(2), Milliseconds(500)))
    #expect(harness.takeList()?.map(\.take) == [ClipID(1), ClipID(1)])
    harness.send(.undoTapped, .undoTapped)
    #expect(harness.takeDeeds() == [.dropClip(ClipID(1)), .dropClip(ClipID(2))])
  }

  @Test mutating func aFingerThatLeavesDuringTheFlipEndsTheTake() {
    harness.send(.pressed, .captureStarted(ClipID(1)))
    harness.wait(1_000)
    harness.send(
      .flipTapped, .released(held: Milliseconds(1_000)), .captureFinished(ClipID(1), Milliseconds(1_000)))
    _ = harness.take()
    harness.send(.cameraReady(.front, hasTorch: false))
    #expect(harness.takeDeeds().isEmpty)
    #expect(harness.recording.nextWake == nil)
  }

  @Test mutating func aFlipBetweenClipsAndTheTorch() {
    harness.send(.torchTapped, .flipTapped)
    #expect(harness.takeDeeds() == [.setTorch(true), .setTorch(false), .useCamera(.front)])
    harness.send(
      .torchTapped, .pressed, .released(held: Milliseconds(80)), .cameraReady(.back, hasTorch: true),
      .torchTapped)
    #expect(harness.takeDeeds().isEmpty, "the camera that was asked for is not ready")
    harness.send(.cameraReady(.front, hasTorch: false), .torchTapped)
    #expect(harness.takeDeeds().isEmpty)
  }

  @Test mutating func aCameraThatDoesNotAnswerIsGivenUpAndALateFileIsTaken() {
    harness.send(.pressed, .released(held: Milliseconds(80)))
    _ = harness.take()
    harness.wait(Recording.cameraPatience.rawValue)
    #expect(harness.takeDeeds() == [.stopCapture(ClipID(1)), .noticeClipLost(ClipID(1))])
    harness.begin(2)
    harness.send(.captureFinished(ClipID(1), Milliseconds(3_000)))
    harness.wait(1_000)
    harness.send(.pressed, .captureFinished(ClipID(2), Milliseconds(1_000)))
    #expect(
      harness.takeList()?.map(\.captured) == [Milliseconds(3_000), Milliseconds(1_000)],
      "in the order in which they were begun")
  }

  @Test mutating func aLateFileGetsOnlyTheRoomThatTheRunningClipLeaves() {
    harness.send(.pressed, .released(held: Milliseconds(80)))
    harness.wait(Recording.cameraPatience.rawValue)
    harness.begin(2)
    harness.send(.captureFinished(ClipID(1), Milliseconds(60_000)))
    harness.send(.captureFinished(ClipID(2), Milliseconds(1_000)))
    #expect(harness.takeList()?.map(\.played) == [Milliseconds(59_000), Milliseconds(1_000)])
  }

  @Test mutating func aCrashCostsNothingThatReachedTheDisk() {
    harness.record(1, 2_000)
    harness.send(.speedChosen(percent: 200), .flipTapped, .cameraReady(.front, hasTorch: false))
    harness.begin(2)
    guard var list = harness.takeList() else { return }
    #expect(list.map(\.captured) == [Milliseconds(2_000), .zero], "the running clip is in the list")
    list[1] = RecordedClip(
      clip: list[1].clip, captured: Milliseconds(1_500), played: .zero, speed: list[1].speed,
      camera: list[1].camera, take: list[1].take)
    var next = RecordingHarness()
    next.send(.restored(limit: Milliseconds(30_000), list))
    #expect(next.takeList()?.map(\.played) == [Milliseconds(2_000), Milliseconds(750)])
    next.send(.pressed)
    #expect(next.takeDeeds() == [.startCapture(ClipID(3), .back, longest: Milliseconds(27_250))])
  }

  @Test mutating func aDamagedListLosesOnlyWhatIsDamaged() {
    func recorded(_ clip: Int32, _ captured: Int64, speed: Int32 = 100) -> RecordedClip {
      RecordedClip(
        clip: ClipID(clip), captured: Milliseconds(captured), played: Milliseconds(-7), speed: speed,
        camera: .back, take: ClipID(max(1, clip)))
    }
    harness.send(
      .restored(
        limit: Milliseconds(12),
        [
          recorded(3, 40_000), recorded(2, 500), recorded(4, 0), recorded(5, 500, speed: 0),
          recorded(6, .max), recorded(.max, 500), recorded(7, 800),
        ]))
    #expect(
      harness.take().filter { if case .showControls = $0 { false } else { true } } == [
        .noticeClipLost(ClipID(2)), .dropClip(ClipID(4)), .noticeClipLost(ClipID(5)),
        .noticeClipLost(ClipID(.max)), .noticeClipLost(ClipID(7)),
        .storeList(
          limit: Milliseconds(60_000),
          [
            RecordedClip(
              clip: ClipID(3), captured: Milliseconds(40_000), played: Milliseconds(40_000), speed: 100,
              camera: .back, take: ClipID(3)),
            RecordedClip(
              clip: ClipID(6), captured: Milliseconds(20_000), played: Milliseconds(20_000), speed: 100,
              camera: .back, take: ClipID(6)),
          ]),
      ])
  }

  @Test mutating func leavingDuringAClipKeepsItAndAFinishIsNotForgotten() {
    harness.begin(1)
    harness.wait(3_000)
    _ = harness.take()
    harness.send(.finishTapped, .obstacleChanged(.background, isThere: true))
    harness.send(.captureFinished(ClipID(1), Milliseconds(3_000)))
    #expect(harness.takeDeeds().count == 2)
    #expect(harness.recording.nextWake == nil)
  }
}

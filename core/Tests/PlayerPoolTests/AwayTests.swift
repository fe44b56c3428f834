import CoreTypes
import PlayerPool
import Testing

/// The camera, the background and short memory take players away, and give them back.
@Suite struct AwayTests {
  private var harness = PoolHarness()

  @Test mutating func theCameraGetsAllDecodersAtOnceAndTheCurrentClipComesBackFirst() {
    harness.playFirst()
    harness.send(.positionChanged(PlayerID(0), ItemID(0), Milliseconds(4_200)), .cameraOpened)
    #expect(
      harness.take().filter { !$0.isReadiness } == [
        .pause(PlayerID(0)), .release(PlayerID(2)), .release(PlayerID(1)), .release(PlayerID(0)),
      ])
    harness.send(.cameraClosed)
    #expect(
      harness.take() == [
        .load(PlayerID(0), ItemID(0)), .seek(PlayerID(0), Milliseconds(4_200)),
        .load(PlayerID(1), ItemID(1)), .load(PlayerID(2), ItemID(2)),
      ])
    harness.send(.firstFrameReady(PlayerID(0), ItemID(0)))
    #expect(harness.take().contains(.play(PlayerID(0))))
  }

  @Test mutating func theLastPositionMayComeAfterTheRelease() {
    harness.playFirst()
    harness.send(.cameraOpened, .positionChanged(PlayerID(0), ItemID(0), Milliseconds(777)))
    harness.send(.positionChanged(PlayerID(1), ItemID(1), Milliseconds(5)), .cameraClosed)
    #expect(harness.take().contains(.seek(PlayerID(0), Milliseconds(777))))
  }

  @Test mutating func aPausedClipComesBackPaused() {
    harness.playFirst()
    harness.send(.tapped, .cameraOpened, .cameraClosed)
    harness.commands = []
    harness.send(.firstFrameReady(PlayerID(0), ItemID(0)))
    #expect(harness.take() == [.readinessChanged(ItemID(0), isReady: true)])
    harness.send(.tapped)
    #expect(harness.take() == [.play(PlayerID(0)), .showPaused(false)])
  }

  @Test mutating func aShortTimeInTheBackgroundKeepsThePicture() {
    harness.playFirst()
    harness.send(.backgrounded)
    #expect(harness.take() == [.pause(PlayerID(0))])
    harness.wait(Milliseconds(1_000))
    harness.send(.foregrounded)
    #expect(harness.take() == [.play(PlayerID(0))])
    harness.wait(PlayerPool.backgroundPatience)
    #expect(harness.take().allSatisfy { $0 == .showBuffering(true) })
  }

  @Test mutating func aLongTimeInTheBackgroundReleasesAll() {
    harness.playFirst()
    harness.send(.positionChanged(PlayerID(0), ItemID(0), Milliseconds(900)), .backgrounded)
    harness.wait(PlayerPool.backgroundPatience)
    #expect(harness.pool.capacity == 0)
    #expect(harness.take().filter { $0.isRelease }.count == 3)
    harness.wait(Milliseconds(600_000))
    harness.send(.foregrounded)
    #expect(
      harness.take().prefix(2) == [
        .load(PlayerID(0), ItemID(0)), .seek(PlayerID(0), Milliseconds(900)),
      ])
  }

  @Test mutating func closingTheCameraInTheBackgroundPlaysNothing() {
    harness.playFirst()
    harness.send(.cameraOpened, .backgrounded)
    harness.wait(PlayerPool.backgroundPatience)
    harness.commands = []
    harness.send(.cameraClosed)
    #expect(harness.take().isEmpty)
    harness.send(.foregrounded)
    #expect(harness.take().first == .load(PlayerID(0), ItemID(0)))
  }

  @Test mutating func noSignIsShownWhileAway() {
    harness.focus(on: 0, wanted: [0, 1])
    harness.send(.cameraOpened)
    harness.wait(Milliseconds(5_000))
    #expect(!harness.take().contains(.showBuffering(true)))
  }

  @Test mutating func memoryWarningsReleaseTheFarthestAndNeverTheCurrentClip() {
    harness.playFirst()
    harness.send(.memoryWarned)
    #expect(harness.take().filter(\.isRelease) == [.release(PlayerID(2))])
    harness.send(.memoryWarned)
    #expect(harness.take().filter(\.isRelease) == [.release(PlayerID(1))])
    harness.send(.memoryWarned)
    #expect(harness.take().isEmpty)
    #expect(harness.pool.capacity == 1)
  }

  @Test mutating func theCurrentClipIsKeptThoughAnotherOneIsWaitedFor() {
    harness.playFirst()
    harness.send(.memoryWarned, .memoryWarned)
    harness.commands = []
    harness.send(.focusMoved(current: ItemID(0), wanted: [ItemID(1), ItemID(0), ItemID(2)]))
    #expect(harness.take().isEmpty)
  }

  @Test mutating func thePoolGrowsBackStepByStep() {
    harness.playFirst()
    harness.send(.memoryWarned, .memoryWarned)
    harness.commands = []
    harness.wait(PlayerPool.shortageDuration)
    #expect(harness.take() == [.load(PlayerID(1), ItemID(1))])
    harness.wait(PlayerPool.shortageDuration)
    #expect(harness.take() == [.load(PlayerID(2), ItemID(2))])
    #expect(harness.pool.capacity == 3)
    #expect(harness.pool.nextWake == nil)
  }

  @Test mutating func aFailedDecoderGoesOnWhereItWas() {
    harness.playFirst()
    harness.send(
      .positionChanged(PlayerID(0), ItemID(0), Milliseconds(2_500)),
      .playerFailed(PlayerID(0), ItemID(0)))
    #expect(
      harness.take() == [
        .readinessChanged(ItemID(0), isReady: false), .release(PlayerID(0)),
        .load(PlayerID(0), ItemID(0)), .seek(PlayerID(0), Milliseconds(2_500)),
      ])
  }

  @Test mutating func aClipThatFailsAtOnePlaceIsGivenUpThoughItPlaysAMoment() {
    harness.playFirst()
    harness.send(
      .playerFailed(PlayerID(0), ItemID(0)), .firstFrameReady(PlayerID(0), ItemID(0)),
      .playbackAdvanced(PlayerID(0), ItemID(0)), .playerFailed(PlayerID(0), ItemID(0)))
    #expect(harness.take().contains(.itemFailed(ItemID(0))))
  }
}

extension PlayerPool.Command {
  fileprivate var isReadiness: Bool { if case .readinessChanged = self { true } else { false } }
  fileprivate var isRelease: Bool { if case .release = self { true } else { false } }
}

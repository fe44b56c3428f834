import CoreTypes
import PlayerPool
import Testing

@Suite struct PlayerPoolTests {
  private var harness = PoolHarness()

  @Test mutating func holdsTheCurrentClipAndItsNeighbours() {
    harness.focus(on: 1, wanted: [1, 2, 0, 3])
    #expect(
      harness.take() == [
        .load(PlayerID(0), ItemID(1)), .load(PlayerID(1), ItemID(2)), .load(PlayerID(2), ItemID(0)),
      ])
  }

  @Test mutating func releasesTheFarthestFirstAndKeepsWhatIsStillWanted() {
    harness.focus(on: 1, wanted: [1, 2, 0])
    _ = harness.take()
    harness.focus(on: 2, wanted: [2, 3, 1])
    #expect(
      harness.take() == [
        .readinessChanged(ItemID(0), isReady: false), .release(PlayerID(2)),
        .load(PlayerID(2), ItemID(3)),
      ])
  }

  @Test mutating func playsTheCurrentClipOnceItIsReadyAndPausesTheOld() {
    harness.focus(on: 0, wanted: [0, 1])
    harness.send(.firstFrameReady(PlayerID(0), ItemID(0)))
    #expect(
      harness.take().suffix(2) == [
        .readinessChanged(ItemID(0), isReady: true), .play(PlayerID(0)),
      ])
    harness.send(.firstFrameReady(PlayerID(1), ItemID(1)))
    harness.commands = []
    harness.focus(on: 1, wanted: [1, 2, 0])
    #expect(harness.take().prefix(2) == [.pause(PlayerID(0)), .play(PlayerID(1))])
  }

  @Test mutating func rewindsAPlayedClipOnlyWhenItIsOutOfSight() {
    harness.playFirst()
    harness.focus(on: 1, wanted: [1, 2, 0])
    #expect(!harness.take().contains(.seek(PlayerID(0), .zero)))
    harness.send(.settled)
    #expect(harness.take() == [.seek(PlayerID(0), .zero)])
  }

  @Test mutating func aTapPausesAndAnotherPlays() {
    harness.playFirst()
    harness.send(.tapped)
    #expect(harness.take() == [.pause(PlayerID(0)), .showPaused(true)])
    harness.send(.tapped)
    #expect(harness.take() == [.play(PlayerID(0)), .showPaused(false)])
  }

  @Test mutating func swipingAwayFromAPausedClipPlaysTheNext() {
    harness.playFirst()
    harness.send(.tapped, .firstFrameReady(PlayerID(1), ItemID(1)))
    harness.focus(on: 1, wanted: [1, 2, 0])
    #expect(harness.take().contains(.play(PlayerID(1))))
  }

  @Test mutating func showsTheBufferingSignOnlyAfterAWhile() {
    harness.playFirst()
    harness.send(.playbackStalled(PlayerID(0), ItemID(0)))
    #expect(harness.take().isEmpty)
    harness.wait(PlayerPool.bufferingPatience)
    #expect(harness.take() == [.showBuffering(true)])
    harness.send(.playbackAdvanced(PlayerID(0), ItemID(0)))
    #expect(harness.take() == [.showBuffering(false)])
  }

  @Test mutating func aShortStallShowsNothing() {
    harness.playFirst()
    harness.send(.playbackStalled(PlayerID(0), ItemID(0)))
    harness.wait(Milliseconds(200))
    harness.send(.playbackAdvanced(PlayerID(0), ItemID(0)))
    harness.wait(Milliseconds(2_000))
    #expect(harness.take().isEmpty)
  }

  @Test mutating func triesAFailedClipOnceMoreThenGivesItUp() {
    harness.playFirst()
    harness.send(.playerFailed(PlayerID(1), ItemID(1)))
    #expect(harness.take() == [.release(PlayerID(1)), .load(PlayerID(1), ItemID(1))])
    harness.send(.playerFailed(PlayerID(1), ItemID(1)))
    #expect(harness.take() == [.itemFailed(ItemID(1))])
  }

  @Test mutating func soundThatIsRefusedIsTurnedOffAndTheClipPlays() {
    harness.playFirst()
    harness.send(.soundSet(isOn: true), .autoplayRefused(PlayerID(0), ItemID(0)))
    #expect(
      harness.take() == [
        .setMuted(false), .setMuted(true), .pause(PlayerID(0)), .play(PlayerID(0)),
      ])
    harness.send(.autoplayRefused(PlayerID(0), ItemID(0)))
    #expect(harness.take() == [.pause(PlayerID(0)), .showPaused(true)])
  }

  @Test mutating func scrubbingPausesSeeksAndGoesOn() {
    harness.playFirst()
    harness.send(.scrubBegan, .scrubMoved(Milliseconds(500)), .scrubEnded(Milliseconds(700)))
    #expect(
      harness.take() == [
        .pause(PlayerID(0)), .seek(PlayerID(0), Milliseconds(500)),
        .seek(PlayerID(0), Milliseconds(700)), .play(PlayerID(0)),
      ])
  }

  @Test mutating func lateEventsOfAReleasedClipAreDropped() {
    harness.playFirst()
    harness.send(.firstFrameReady(PlayerID(0), ItemID(77)), .playerFailed(PlayerID(9), ItemID(0)))
    #expect(harness.take().isEmpty)
  }
}

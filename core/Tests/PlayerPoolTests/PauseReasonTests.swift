import CoreTypes
import PlayerPool
import Testing

@Suite struct PauseReasonTests {
  private var harness = PoolHarness()
  private let frugal: PlaybackLimits = {
    var limits = PlaybackLimits.unlimited
    limits.playsByItself = false
    return limits
  }()

  @Test mutating func oneReasonDoesNotUndoAnother() {
    harness.playFirst()
    harness.send(.composerHeld(true), .scrubBegan, .backgrounded, .foregrounded)
    harness.send(.scrubEnded(Milliseconds(300)))
    #expect(harness.take() == [.pause(PlayerID(0)), .seek(PlayerID(0), Milliseconds(300))])
    harness.send(.composerHeld(false))
    #expect(harness.take() == [.play(PlayerID(0))])
  }

  @Test mutating func writingPausesWithoutASignAndAPausedClipStaysPaused() {
    harness.playFirst()
    harness.send(.tapped, .composerHeld(true), .composerHeld(false))
    #expect(harness.take() == [.pause(PlayerID(0)), .showPaused(true)])
    #expect(harness.pool.pauses == .person)
  }

  @Test mutating func nothingStartsByItselfWhereTheLimitsForbidIt() {
    harness.send(.limitsChanged(frugal))
    harness.focus(on: 0, wanted: [0, 1])
    harness.send(.firstFrameReady(PlayerID(0), ItemID(0)))
    #expect(!harness.commands.contains(.play(PlayerID(0))))
    #expect(harness.commands.contains(.showPaused(true)))
    harness.commands = []
    harness.send(.tapped)
    #expect(harness.take() == [.play(PlayerID(0)), .showPaused(false)])
    harness.send(.limitsChanged(frugal), .backgrounded, .foregrounded)
    #expect(harness.take() == [.pause(PlayerID(0)), .play(PlayerID(0))])
    harness.focus(on: 1, wanted: [1, 0])
    #expect(harness.take().contains(.showPaused(true)))
    harness.send(.limitsChanged(.unlimited), .firstFrameReady(PlayerID(1), ItemID(1)))
    #expect(harness.take().contains(.play(PlayerID(1))))
  }

  @Test mutating func whatPlaysAlreadyGoesOnUnderTheLimits() {
    harness.playFirst()
    harness.send(.limitsChanged(frugal))
    #expect(harness.take().isEmpty)
  }

  @Test mutating func aPlayerThatCannotLoopIsStartedAgainAtItsEnd() {
    harness.playFirst()
    harness.send(.playbackEnded(PlayerID(0), ItemID(0)))
    #expect(harness.take() == [.seek(PlayerID(0), .zero), .play(PlayerID(0))])
  }

  @Test mutating func aClipThatEndsWhileItIsPausedStartsAnewLater() {
    harness.playFirst()
    harness.send(.composerHeld(true), .playbackEnded(PlayerID(0), ItemID(0)))
    #expect(harness.take() == [.pause(PlayerID(0))])
    harness.send(.composerHeld(false))
    #expect(harness.take() == [.seek(PlayerID(0), .zero), .play(PlayerID(0))])
  }

  @Test mutating func aScrubThatOutlivesItsClipMovesNoOther() {
    harness.playFirst()
    harness.send(.firstFrameReady(PlayerID(1), ItemID(1)), .scrubBegan)
    harness.focus(on: 1, wanted: [1, 2, 0])
    harness.commands = []
    harness.send(.scrubMoved(Milliseconds(500)), .scrubEnded(Milliseconds(700)))
    #expect(harness.take().isEmpty)
  }

  @Test mutating func aTapOnNothingDoesNothing() {
    harness.send(.tapped, .scrubBegan)
    #expect(harness.take().isEmpty)
  }
}

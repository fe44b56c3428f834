import CoreTypes
import Recording
import Testing

@Suite struct RecordingTests {
  private var harness = RecordingHarness()

  @Test mutating func aTapBeginsAndTheNextEnds() {
    harness.send(.pressed)
    #expect(
      harness.takeDeeds() == [.startCapture(ClipID(1), .back, longest: Milliseconds(60_000))])
    harness.wait(100)
    harness.send(.released(held: Milliseconds(80)), .captureStarted(ClipID(1)))
    harness.wait(4_000)
    #expect(harness.takeDeeds().isEmpty)
    harness.send(.pressed, .released(held: Milliseconds(80)))
    #expect(harness.takeDeeds() == [.stopCapture(ClipID(1))])
    harness.send(.captureFinished(ClipID(1), Milliseconds(4_020)))
    let controls = harness.takeControls()
    #expect(controls?.played == Milliseconds(4_020) && controls?.canUndo == true)
  }

  @Test mutating func aHoldEndsWithTheFinger() {
    harness.send(.pressed, .captureStarted(ClipID(1)))
    harness.wait(Recording.holdTime.rawValue)
    _ = harness.take()
    harness.send(.released(held: Recording.holdTime))
    #expect(harness.takeDeeds() == [.stopCapture(ClipID(1))])
  }

  @Test mutating func aTapOfWhichABusyDeviceTellsLateStaysATap() {
    harness.send(.pressed, .captureStarted(ClipID(1)))
    harness.wait(2_000)
    _ = harness.take()
    harness.send(.released(held: Milliseconds(90)))
    #expect(harness.takeDeeds().isEmpty)
    harness.send(.pressed)
    #expect(harness.takeDeeds() == [.stopCapture(ClipID(1))])
  }

  @Test(arguments: [.min, -1, 0, 299] as [Int64])
  mutating func aHoldOfWhichBothEndsAreToldAtOnceEndsWithTheFingerAndNothingElseDoes(held: Int64) {
    harness.send(.pressed, .captureStarted(ClipID(1)))
    _ = harness.take()
    harness.send(.released(held: Milliseconds(held)))
    #expect(harness.takeDeeds().isEmpty)
    harness.send(.pressed, .captureFinished(ClipID(1), Milliseconds(1_000)), .pressed)
    _ = harness.take()
    harness.send(.released(held: Milliseconds(.max)))
    #expect(harness.takeDeeds() == [.stopCapture(ClipID(2))])
  }

  @Test mutating func countsDownWithTicksAndAPressCancels() {
    harness.send(
      .countdownChosen(seconds: 3), .countdownChosen(seconds: 5), .pressed, .released(held: Milliseconds(80)))
    harness.wait(2_000)
    #expect(harness.takeDeeds() == [.tick(seconds: 3), .tick(seconds: 2), .tick(seconds: 1)])
    harness.send(.pressed, .released(held: Milliseconds(80)))
    harness.wait(9_000)
    #expect(harness.takeDeeds().isEmpty)
    harness.send(.pressed, .released(held: Milliseconds(80)))
    harness.wait(3_000)
    #expect(
      harness.takeDeeds().last == .startCapture(ClipID(1), .back, longest: Milliseconds(60_000)))
  }

  @Test mutating func endsExactlyAtTheLimit() {
    harness.send(.limitChosen(Milliseconds(15_000)))
    harness.record(1, 9_999)
    harness.begin(2)
    harness.wait(5_000)
    _ = harness.take()
    harness.wait(1)
    #expect(harness.takeDeeds() == [.stopCapture(ClipID(2))])
    // Cameras stop a frame or two late.
    harness.send(.captureFinished(ClipID(2), Milliseconds(5_070)))
    let controls = harness.takeControls()
    #expect(controls?.played == Milliseconds(15_000) && controls?.canRecord == false)
    harness.send(.pressed, .released(held: Milliseconds(80)), .limitChosen(Milliseconds(7_000)))
    #expect(harness.takeDeeds().isEmpty)
  }

  @Test(arguments: [30, 33, 50, 70, 100, 150, 299, 300] as [Int32])
  mutating func countsLengthAsPlayedAndFillsTheLimitAtEverySpeed(speed: Int32) {
    harness.record(1, 1_237)
    harness.send(.speedChosen(percent: speed))
    _ = harness.take()
    harness.begin(2)
    guard case .startCapture(_, _, let longest)? = harness.takeDeeds().first else {
      Issue.record("nothing begins")
      return
    }
    #expect(abs(longest.rawValue - (60_000 - 1_237) * Int64(speed) / 100) <= 1)
    harness.wait(longest.rawValue)
    harness.send(.captureFinished(ClipID(2), longest))
    #expect(harness.takeControls()?.played == Milliseconds(60_000))
  }

  @Test mutating func aSlowSecondTakesMoreOfTheTime() {
    harness.send(.speedChosen(percent: 50))
    harness.record(1, 1_000)
    #expect(harness.takeList()?.first?.played == Milliseconds(2_000))
    harness.send(.speedChosen(percent: 9_999))
    harness.record(2, 3_000)
    #expect(harness.takeList()?.last?.played == Milliseconds(1_000))
  }

  @Test mutating func undoMarksThenDeletes() {
    harness.record(1, 1_000)
    harness.record(2, 1_000)
    _ = harness.take()
    harness.send(.undoTapped)
    #expect(harness.takeControls()?.isUndoMarked == true)
    harness.wait(Recording.undoPatience.rawValue)
    #expect(harness.takeControls()?.isUndoMarked == false)
    harness.send(.undoTapped, .undoCancelled, .undoTapped)
    #expect(harness.takeDeeds().isEmpty)
    harness.send(.undoTapped)
    #expect(harness.commands.first == .dropClip(ClipID(2)))
    #expect(harness.takeList()?.map(\.clip) == [ClipID(1)])
  }

  @Test mutating func aSlipOfTheFingerIsNoClip() {
    harness.begin(1)
    harness.send(.pressed, .captureFinished(ClipID(1), Milliseconds(150)))
    #expect(harness.takeDeeds().suffix(2) == [.dropClip(ClipID(1)), .noticeTooShort(ClipID(1))])
  }

  @Test mutating func aVideoNeedsASecond() {
    harness.record(1, 900)
    _ = harness.take()
    harness.send(.finishTapped)
    #expect(harness.take().isEmpty)
    harness.begin(2)
    harness.wait(300)
    _ = harness.take()
    harness.send(.finishTapped, .captureFinished(ClipID(2), Milliseconds(300)))
    guard case .assemble(let clips)? = harness.takeDeeds().last else {
      Issue.record("nothing is assembled")
      return
    }
    #expect(clips.map(\.clip) == [ClipID(1), ClipID(2)])
  }

  @Test mutating func afterAssemblyOneCanComeBackAndGoOn() {
    harness.record(1, 2_000)
    harness.send(.finishTapped, .assemblyCancelled, .finishTapped, .assembled)
    #expect(harness.takeControls()?.stage == .finished)
    harness.send(.returned, .cameraReady(.back, hasTorch: false))
    let controls = harness.takeControls()
    #expect(controls?.stage == .ready && controls?.canRecord == true && controls?.canUndo == true)
  }

  @Test mutating func leavingAsksOnlyWhenThereIsSomethingToLose() {
    harness.send(.closeTapped)
    #expect(harness.takeDeeds() == [.close])
    harness = RecordingHarness()
    harness.begin(1)
    harness.wait(2_000)
    _ = harness.take()
    harness.send(.closeTapped)
    #expect(harness.takeDeeds() == [.stopCapture(ClipID(1)), .askDiscard])
    harness.send(.keepConfirmed, .captureFinished(ClipID(1), Milliseconds(2_000)))
    #expect(harness.takeDeeds() == [.close])
    harness.send(.opened)
    #expect(harness.takeControls()?.played == Milliseconds(2_000))
    harness.send(.discardConfirmed)
    #expect(harness.takeDeeds() == [.dropClip(ClipID(1)), .close])
  }
}

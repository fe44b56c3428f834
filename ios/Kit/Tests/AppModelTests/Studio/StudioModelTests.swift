import CoreTypes
import Device
import Foundation
import Recording
import Testing

@testable import AppModel

@MainActor @Suite struct StudioModelTests {
  @Test func recordsAClipIntoAFileThatSaysHowItWasRecorded() async {
    let studio = Studio()
    await studio.open()
    studio.model.choose(speed: 200)
    studio.model.tapShutter()
    #expect(studio.model.stage == .recording)
    #expect(studio.files.isEmpty)
    studio.camera.report(.started(clip: 1))
    studio.camera.write(2_000)
    #expect(studio.files == ["clip-1-200-0-1.mov"])
    studio.clock.pass(2_000)
    #expect(studio.model.recordedSeconds() == 1)
    studio.model.tapShutter()
    #expect(studio.camera.log.contains("stop 1"))
    #expect(studio.model.stage == .stopping)
    studio.camera.report(.finished(clip: 1, Milliseconds(2_000)))
    #expect(studio.model.stage == .ready)
    #expect(studio.model.marks.map(\.length) == [1.0 / 60])
    #expect(studio.model.edges == 2)
  }

  /// The host's clock stands for when the app hears of it, the dates for the finger's own events.
  @Test func aTapOfWhichABusyPhoneTellsLateStaysATap() async {
    let studio = Studio()
    await studio.open()
    let down = Date(timeIntervalSince1970: 1_800_000_000)
    studio.model.press(at: down)
    studio.camera.report(.started(clip: 1))
    studio.clock.pass(2_000)
    studio.model.press(at: down + 2)
    studio.model.release(at: down + 0.09)
    studio.model.release(at: down + 2)
    #expect(studio.model.stage == .recording)
    studio.model.tapShutter()
    #expect(studio.camera.log.contains("stop 1"))
  }

  @Test(arguments: [0.3, 1, 1e300]) func aHoldOfWhichBothEndsAreToldAtOnceEndsWithTheFinger(seconds: Double)
    async
  {
    let studio = Studio()
    await studio.open()
    let down = Date(timeIntervalSince1970: 1_800_000_000)
    studio.model.press(at: down)
    studio.camera.report(.started(clip: 1))
    studio.model.release(at: down + seconds)
    #expect(studio.camera.log.contains("stop 1"))
  }

  @Test func theFeedsDecodersRestBetweenOpenAndClose() async {
    let studio = Studio()
    await studio.open()
    #expect(studio.notices == [.cameraOpened])
    studio.model.close()
    #expect(studio.notices == [.cameraOpened, .cameraClosed])
    #expect(studio.closedCount == 1)
    #expect(studio.camera.log.last == "close")
  }

  /// By a link, a notice or a swipe: nobody tapped its button, and the microphone must not stay.
  @Test func aScreenThatGoesByItselfLetsTheCameraGoAndKeepsTheClips() async {
    let studio = Studio()
    await studio.open()
    studio.record(3_000)
    studio.model.tapShutter()
    studio.camera.report(.started(clip: 2))
    studio.camera.write(2_000)
    studio.model.gone()
    #expect(studio.notices == [.cameraOpened, .cameraClosed])
    #expect(studio.camera.log.suffix(2) == ["stop 2", "close"])
    #expect(studio.closedCount == 0 && !studio.model.isOpen)
    studio.model.gone()
    studio.model.close()
    #expect(studio.notices.count == 2 && studio.closedCount == 0 && studio.camera.log.last == "close")
    let next = StudioModel(studio.model.ports)
    next.open()
    await next.opened()
    #expect(next.marks.count == 2)
  }

  @Test func undoMarksTheLastTakeAndThenDeletesItsFile() async {
    let studio = Studio()
    await studio.open()
    studio.record(1_500)
    studio.record(2_500)
    studio.model.undo()
    #expect(studio.model.marks.map(\.isMarked) == [false, true])
    studio.model.cancelUndo()
    #expect(studio.model.marks.map(\.isMarked) == [false, false])
    studio.model.undo()
    studio.model.undo()
    #expect(studio.files == ["clip-1-100-0-1.mov"])
  }

  @Test func asksForPermissionAndSaysWhereToChangeItWhenDenied() async {
    let studio = Studio()
    studio.camera.access = [.camera: .notAsked, .microphone: .notAsked]
    await studio.open()
    await studio.until { studio.model.panel != nil }
    #expect(studio.model.panel?.opensSettings == true)
    #expect(!studio.camera.log.contains { $0.hasPrefix("use") })
    // The person comes back from the settings.
    studio.model.setActive(false)
    studio.camera.access = [.camera: .allowed, .microphone: .denied]
    studio.model.setActive(true)
    #expect(studio.model.panel == nil)
    #expect(studio.camera.log.last == "use back silent 30")
    #expect(studio.model.sound == .denied)
  }

  @Test func withoutAMicrophoneClipsAreRecordedInSilence() async {
    let studio = Studio()
    studio.camera.access = [.camera: .notAsked, .microphone: .notAsked]
    studio.camera.answers = [.camera: .allowed, .microphone: .denied]
    await studio.open()
    await studio.until { studio.camera.log.contains("use back silent 30") }
    studio.camera.report(.ready(.back, studio.camera.features))
    studio.record(1_000)
    #expect(studio.files.count == 1)
  }

  @Test func soundAndFrameRateHoldForTheNextVisit() async {
    let studio = Studio()
    await studio.open()
    studio.model.toggleSound()
    studio.camera.report(.ready(.back, studio.camera.features))
    studio.model.choose(frameRate: 60)
    #expect(studio.camera.log.last == "use back silent 60")
    studio.model.choose(frameRate: 17)
    studio.model.choose(LookChoice(look: 5, strength: 40))
    #expect(studio.camera.look == LookCube(LookChoice(look: 5, strength: 40)))
    let next = StudioModel(studio.model.ports)
    #expect(next.sound == .off)
    #expect(next.frameRate == 60)
    #expect(next.look == LookChoice(look: 5, strength: 40))
  }

  @Test func aCallEndsTheClipAndTheCameraComesBack() async {
    let studio = Studio()
    await studio.open()
    studio.model.tapShutter()
    studio.camera.report(.started(clip: 1))
    studio.camera.write(700)
    studio.camera.report(.obstacle(.interruption, isThere: true))
    #expect(studio.camera.log.last == "stop 1")
    studio.camera.report(.finished(clip: 1, Milliseconds(700)))
    #expect(studio.model.panel?.title == "The camera is busy")
    #expect(studio.model.marks.count == 1)
    studio.camera.report(.obstacle(.interruption, isThere: false))
    #expect(studio.camera.log.last == "use back sound 30")
  }

  @Test func leavingTheAppLetsTheCameraGoAndComingBackOpensIt() async {
    let studio = Studio()
    await studio.open()
    studio.model.setActive(false)
    #expect(studio.camera.log.last == "close")
    #expect(!studio.model.isShutterEnabled)
    studio.model.setActive(true)
    #expect(studio.camera.log.last == "use back sound 30")
  }

  @Test func aFullDiskIsSaidAndKeepsWhatThereIs() async {
    let studio = Studio()
    await studio.open()
    studio.model.tapShutter()
    studio.camera.report(.started(clip: 1))
    studio.camera.write(900)
    studio.camera.report(.storageFull)
    studio.camera.report(.finished(clip: 1, Milliseconds(900)))
    #expect(studio.model.marks.count == 1)
    #expect(studio.files.count == 1)
  }

  @Test func closingWithClipsAsksAndKeepingThemBringsThemBack() async {
    let studio = Studio()
    await studio.open()
    studio.record(3_000)
    studio.model.close()
    #expect(studio.model.asksDiscard)
    studio.model.keepClips()
    #expect(studio.closedCount == 1)
    let again = Studio(root: studio.root)
    await again.open()
    #expect(again.model.marks.count == 1)
    again.model.close()
    again.model.discardClips()
    #expect(again.files.isEmpty)
  }

  @Test func countsDownAndIsFeltEachSecond() async {
    let studio = Studio()
    await studio.open()
    studio.model.choose(countdown: 3)
    studio.model.tapShutter()
    #expect(studio.model.secondsLeft == 3)
    studio.clock.pass(2_000)
    #expect(studio.model.secondsLeft == 1)
    #expect(studio.model.ticks == 3)
    #expect(studio.model.shutterName == "Stop the countdown")
    studio.clock.pass(1_000)
    #expect(studio.camera.log.last == "start 1")
  }

  @Test func aFingerFocusesWhatIsUnderIt() async {
    let studio = Studio()
    await studio.open()
    studio.model.setFocus(x: 90, y: 0, width: 90, height: 160)
    #expect(studio.camera.log.last == "focus 0.0 0.0")
    #expect(studio.model.focus == StudioModel.FocusMark(x: 1, y: 0, number: 1))
    studio.model.pinch(by: 3)
    studio.model.pinch(by: 100)
    #expect(studio.camera.log.last == "zoom 6.0 false")
    studio.model.endPinch()
    studio.model.setZoom(0.1)
    #expect(studio.camera.log.last == "zoom 0.5 true")
  }

  @Test func theStripShowsEachLookOnThePictureOfTheMoment() async {
    let studio = Studio()
    await studio.open()
    studio.model.openLooks()
    await studio.until { !studio.model.lookPictures.isEmpty }
    #expect(studio.model.lookPictures.count == LookChoice.names.count)
    #expect(studio.model.lookPictures[17] == Data("17".utf8))
  }
}

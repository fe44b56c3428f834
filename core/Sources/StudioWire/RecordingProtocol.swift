/// What a recording hears: names and numbers, here and nowhere else. `woke` is the session's, as any machine
/// behind a door of its own hears it.
///
/// `scripts/wire-protocol.sh` makes the tables of docs/design/studio.md and web/app/studio/wire.js of this
/// file.
public enum RecordingEventKind: Int64 {
  case woke = 50
  case opened = 80
  case restored = 81
  case limitChosen = 82
  case countdownChosen = 83
  case speedChosen = 84
  case cameraReady = 85
  case pressed = 86
  case released = 87
  case flipTapped = 88
  case torchTapped = 89
  case undoTapped = 90
  case undoCancelled = 91
  case finishTapped = 92
  case closeTapped = 93
  case keepConfirmed = 94
  case discardConfirmed = 95
  case captureStarted = 96
  case captureFinished = 97
  case captureFailed = 98
  case obstacleChanged = 99
  case assembled = 100
  case assemblyFailed = 101
  case assemblyCancelled = 102
  case returned = 103
}

public enum RecordingCommandKind: Int64 {
  case useCamera = 60
  case setTorch = 61
  case startCapture = 62
  case stopCapture = 63
  case dropClip = 64
  case storeList = 65
  case assemble = 66
  case cancelAssembly = 67
  case showControls = 68
  case tick = 69
  case askDiscard = 70
  case close = 71
  case noticeClipLost = 72
  case noticeTooShort = 73
}

// What follows is for people, scripts and tests; no word of it gets into studio.wasm.
#if !hasFeature(Embedded)

  /// The fields in their order, each a name and what is said of it, and what the row says. A last field that
  /// begins with "…" is any number of words.
  extension RecordingEventKind: CaseIterable {
    public var row: (fields: [String], meaning: String) {
      switch self {
      case .woke: ([], "the time asked for by `wake` has come")
      case .opened: ([], "the record screen is there")
      case .restored:
        (
          [
            "limit ms", "count",
            "…clips of each: clip, captured ms, played ms, speed %, camera, take",
          ], "a list was stored by an earlier run; before or after `opened`"
        )
      case .limitChosen:
        (["limit ms (15,000, 30,000 or 60,000)"], "not while a clip is recorded, nor below what there is")
      case .countdownChosen: (["seconds (0, 3 or 10)"], "")
      case .speedChosen: (["speed per cent (30…300)"], "for the next clip")
      case .cameraReady:
        (["camera (0 back, 1 front)", "hasTorch 0/1"], "the camera asked for shows its picture")
      case .pressed: ([], "finger or key on the record button")
      case .released:
        (
          ["held ms"],
          "off it, or the system took the gesture; `held`: from the one to the other by the times of the events themselves, however late they are told"
        )
      case .flipTapped: ([], "")
      case .torchTapped: ([], "")
      case .undoTapped: ([], "the first marks the last take, the second deletes it")
      case .undoCancelled: ([], "a tap anywhere else")
      case .finishTapped: ([], "")
      case .closeTapped: ([], "")
      case .keepConfirmed: ([], "leave, and keep the clips")
      case .discardConfirmed: ([], "delete all clips")
      case .captureStarted: (["clip"], "its first picture is being written")
      case .captureFinished: (["clip", "length ms"], "its file is complete")
      case .captureFailed: (["clip"], "there is no file worth keeping")
      case .obstacleChanged:
        (
          [
            "obstacle (1 interruption, 2 background, 3 no camera, 4 storage full, 5 not permitted)",
            "there 0/1",
          ], ""
        )
      case .assembled: ([], "the video is made")
      case .assemblyFailed: ([], "it could not be")
      case .assemblyCancelled: ([], "the person does not want to wait")
      case .returned: ([], "from what follows, to record more")
      }
    }
  }

  extension RecordingCommandKind: CaseIterable {
    public var row: (fields: [String], meaning: String) {
      switch self {
      case .useCamera: (["camera"], "opens it and reports `cameraReady`")
      case .setTorch: (["on 0/1"], "")
      case .startCapture:
        (["clip", "camera", "longest ms"], "records a file of that number, at most that long")
      case .stopCapture: (["clip"], "ends it")
      case .dropClip: (["clip"], "deletes the file; one still being written, as soon as it can be")
      case .storeList:
        (["limit ms", "count", "…clips as in `restored`"], "draws the marks, writes the list down")
      case .assemble:
        (
          ["count", "…clips as in `restored`"],
          "makes one video: the first `captured` ms of each file at its speed"
        )
      case .cancelAssembly: ([], "")
      case .showControls:
        (
          [
            "stage (0 closed, 1 ready, 2 counting, 3 starting, 4 capturing, 5 stopping, 6 assembling, 7 finished)",
            "played ms", "limit ms", "canRecord 0/1", "canUndo 0/1", "isUndoMarked 0/1", "canFinish 0/1",
            "secondsLeft", "countdown s", "speed %", "camera", "hasTorch 0/1", "isTorchOn 0/1",
            "obstacles (bit n: obstacle n)",
          ], "shows the controls like this; comes only when something differs"
        )
      case .tick: (["seconds left"], "sound or vibration of the countdown")
      case .askDiscard: ([], "asks: `keepConfirmed`, `discardConfirmed`, or nothing")
      case .close: ([], "leaves the screen")
      case .noticeClipLost: (["clip"], "says that it could not be recorded or is gone")
      case .noticeTooShort: (["clip"], "says that a clip needs 0.2 s")
      }
    }
  }

#endif

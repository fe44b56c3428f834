public import CoreTypes

extension Recording {
  public enum Event: Sendable {
    case opened
    /// The list of `storeList` from an earlier run, with the files that are still there. A clip of
    /// length 0 was being recorded: its file's length takes its place, if there is something in it.
    case restored(limit: Milliseconds, [RecordedClip])
    case limitChosen(Milliseconds)
    case countdownChosen(seconds: Int32)
    case speedChosen(percent: Int32)
    /// The camera asked for shows its picture.
    case cameraReady(Camera, hasTorch: Bool)
    case pressed
    /// Also when the system took the gesture. `held` is by the times of the finger's own events: a busy
    /// device tells of both late, and rarely by the same.
    case released(held: Milliseconds)
    case flipTapped
    case torchTapped
    case undoTapped
    case undoCancelled
    case finishTapped
    case closeTapped
    /// After `askDiscard`: leave and keep what there is.
    case keepConfirmed
    case discardConfirmed
    /// The first picture of the clip is being written.
    case captureStarted(ClipID)
    /// The file is complete, asked for or not.
    case captureFinished(ClipID, Milliseconds)
    /// There is no file worth keeping.
    case captureFailed(ClipID)
    case obstacleChanged(Obstacle, isThere: Bool)
    case assembled
    case assemblyFailed
    case assemblyCancelled
    /// The person came back from what follows, to record more.
    case returned
    case woke
  }

  public enum Command: Equatable, Sendable {
    case useCamera(Camera)
    case setTorch(Bool)
    /// Records one file, at most this long.
    case startCapture(ClipID, Camera, longest: Milliseconds)
    case stopCapture(ClipID)
    /// Deletes the file; one that is still being written, as soon as it can be.
    case dropClip(ClipID)
    /// The list is now this: draws its marks, and writes it where it outlives the app.
    case storeList(limit: Milliseconds, [RecordedClip])
    /// Makes one video of these.
    case assemble([RecordedClip])
    case cancelAssembly
    case showControls(Controls)
    /// A second of the countdown begins, with this many left.
    case tick(seconds: Int32)
    /// Asks whether to keep or to discard what there is.
    case askDiscard
    case close
    case noticeClipLost(ClipID)
    case noticeTooShort(ClipID)
  }

  /// What keeps the camera from recording.
  public enum Obstacle: Int64, Sendable {
    /// A call, an alarm, another app that took camera or microphone.
    case interruption = 1
    case background = 2
    case noCamera = 3
    case storageFull = 4
    case notPermitted = 5
  }

  public enum Stage: Int32, Sendable {
    case closed = 0
    case ready = 1
    case counting = 2
    case starting = 3
    case capturing = 4
    case stopping = 5
    case assembling = 6
    case finished = 7
  }

  /// Everything that the buttons and the progress bar show. While `capturing`, the bar grows by
  /// 100 / `speed` ms per ms, from `played`.
  public struct Controls: Equatable, Sendable {
    public var stage = Stage.closed
    public var played = Milliseconds.zero
    public var limit = Recording.longest
    public var canRecord = false
    public var canUndo = false
    /// The last take is marked; one more tap deletes it.
    public var isUndoMarked = false
    public var canFinish = false
    public var secondsLeft: Int32 = 0
    public var countdown: Int32 = 0
    public var speed: Int32 = 100
    public var camera = Camera.back
    public var hasTorch = false
    public var isTorchOn = false
    /// Bit n: the obstacle with this number is there.
    public var obstacles: Int64 = 0

    /// Those of a screen that has not been opened.
    public init() {}
  }
}

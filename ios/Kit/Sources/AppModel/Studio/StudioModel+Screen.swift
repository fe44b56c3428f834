internal import CoreTypes
internal import Foundation
internal import Playback
internal import Recording

/// What a screen draws, in its own terms. Texts are keys of the catalog.
extension StudioModel {
  public enum Stage: Equatable, Sendable {
    case closed
    case ready
    case counting
    case recording
    /// The clip is being ended: the button does nothing for a moment.
    case stopping
    case reviewing
  }

  public var stage: Stage {
    switch controls.stage {
    case .closed: .closed
    case .ready: review == nil ? .ready : .reviewing
    case .counting: .counting
    case .starting, .capturing: .recording
    case .stopping: .stopping
    case .assembling, .finished: .reviewing
    }
  }

  /// The screen does not go dark while nobody touches it.
  public var keepsAwake: Bool {
    switch stage {
    case .closed, .ready: false
    case .counting, .recording, .stopping: true
    case .reviewing: review?.making != nil
    }
  }

  // MARK: The record button

  public var shutterName: String {
    switch stage {
    case .counting: "Stop the countdown"
    case .recording, .stopping: "Stop recording"
    case .closed, .ready, .reviewing: "Record"
    }
  }
  public var isShutterEnabled: Bool { stage != .ready || controls.canRecord }
  /// Of the countdown; `nil` while nothing counts.
  public var secondsLeft: Int? { stage == .counting ? Int(controls.secondsLeft) : nil }

  // MARK: The bar of clips

  public struct Mark: Equatable, Sendable, Identifiable {
    public let id: Int32
    /// Shares of the limit.
    public let start: Double
    public let length: Double
    /// One more tap on undo deletes it.
    public let isMarked: Bool
  }

  public var marks: [Mark] {
    let last = list.last?.take
    var at = Milliseconds.zero
    return list.filter { $0.captured > .zero }.map { clip in
      defer { at += clip.played }
      return Mark(
        id: clip.clip.rawValue, start: share(at), length: share(clip.played),
        isMarked: controls.isUndoMarked && clip.take == last)
    }
  }

  /// How much is recorded at this moment, the clip under way included: it grows by itself.
  public func recordedSeconds() -> Double { Double(playedNow().rawValue) / 1_000 }
  public func recordedShare() -> Double { share(playedNow()) }
  public var limitSeconds: Int { Int(controls.limit.rawValue / 1_000) }

  private func playedNow() -> Milliseconds {
    guard let capturingSince, controls.speed > 0, controls.stage == .capturing else { return controls.played }
    let captured = max(.zero, ports.clock.now - capturingSince)
    let played = Milliseconds((captured * 100).rawValue / Int64(controls.speed))
    return min(controls.limit, controls.played + played)
  }

  private func share(_ played: Milliseconds) -> Double {
    guard controls.limit > .zero else { return 0 }
    return min(max(Double(played.rawValue) / Double(controls.limit.rawValue), 0), 1)
  }

  // MARK: Tools

  public var canUndo: Bool { controls.canUndo }
  public var isUndoMarked: Bool { controls.isUndoMarked }
  public var canFinish: Bool { controls.canFinish }
  public var canFlip: Bool { features.canFlip }
  public var isFront: Bool { controls.camera == .front }
  public var hasTorch: Bool { controls.hasTorch }
  public var isTorchOn: Bool { controls.isTorchOn }
  public var speed: Int { Int(controls.speed) }
  public var countdown: Int { Int(controls.countdown) }
  public var look: LookChoice { preferences.look }
  public var frameRate: Int { preferences.frameRate }
  /// None to choose from if there are not two.
  public var frameRates: [Int] { features.frameRates.count > 1 ? features.frameRates : [] }

  public static let speeds = [30, 50, 100, 200, 300]
  public static let countdowns = Recording.countdowns.map { Int($0) }
  public static let limits = Recording.limits.map { Int($0.rawValue / 1_000) }

  public enum Sound: Equatable, Sendable {
    case on
    case off
    /// The person said no to the microphone: clips have no sound until that is changed in the system's
    /// settings.
    case denied
  }
  public var sound: Sound {
    if ports.camera.access(to: .microphone) == .denied { return .denied }
    return preferences.hasSound ? .on : .off
  }

  // MARK: What is in the way

  public struct Panel: Equatable, Sendable {
    public let title: String
    public let text: String
    /// The way out is in the system's settings.
    public let opensSettings: Bool
  }

  /// Over the finder: what keeps it from recording, and what to do.
  public var panel: Panel? {
    guard stage != .reviewing, stage != .closed else { return nil }
    let order: [Obstacle] = [.notPermitted, .noCamera, .interruption, .storageFull]
    switch order.first(where: obstacles.contains) {
    case .notPermitted:
      return Panel(
        title: "No permission",
        text: "Clipfeed may not use the camera. Allow the camera and the microphone in Settings.",
        opensSettings: true)
    case .noCamera:
      return Panel(
        title: "No camera", text: "This device has no camera that can be used.", opensSettings: false)
    case .interruption:
      return Panel(
        title: "The camera is busy",
        text: "The camera is in use elsewhere, or too warm. Wait a moment, then try again.",
        opensSettings: false)
    case .storageFull:
      return Panel(
        title: "No room for clips",
        text: "Free some space on this device, or undo clips, then try again.", opensSettings: false)
    case nil: return nil
    }
  }
}

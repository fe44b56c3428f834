internal import AVFoundation
public import AppModel
internal import Dispatch
public import Foundation
public import PlayerKit
public import Recording

/// The device's camera and microphone behind the port of the record screen, and the view that shows the live
/// picture.
@MainActor public final class CameraCapture: CameraPort {
  public var onReport: ((CameraReport) -> Void)?
  public let finder = FinderView()
  private let audio: AudioSession
  private var engine: CaptureEngine!
  /// The last use of the microphone.
  private var recording = 0

  /// `audio`: the players' part in the device's sound, which the microphone takes over.
  public init(_ audio: AudioSession) {
    self.audio = audio
    engine = CaptureEngine(
      finder.painter,
      report: { [weak self] report in
        Task { @MainActor in self?.onReport?(report) }
      })
  }

  public func access(to device: CaptureDevice) -> CaptureAccess {
    switch AVCaptureDevice.authorizationStatus(for: device.mediaType) {
    case .notDetermined: .notAsked
    case .authorized: .allowed
    case .denied, .restricted: .denied
    @unknown default: .denied
    }
  }

  public func askForAccess(to device: CaptureDevice) async -> CaptureAccess {
    await AVCaptureDevice.requestAccess(for: device.mediaType) ? .allowed : .denied
  }

  public func use(_ camera: Camera, withSound: Bool, frameRate: Int) {
    if withSound { recording = audio.takeMicrophone() }
    let wish = CaptureEngine.Wish(camera: camera, withSound: withSound, frameRate: frameRate)
    run { $0.use(wish) }
  }

  public func close() {
    let (audio, recording) = (audio, recording)
    run { engine in
      engine.close()
      Task { @MainActor in audio.giveBack(recording) }
    }
  }

  public func start(_ clip: CaptureOrder) { run { $0.start(clip) } }
  public func stop(clip: Int32) { run { $0.stop(clip: clip) } }
  public func setTorch(_ isOn: Bool) { run { $0.turnTorch(isOn) } }
  public func setZoom(_ factor: Double, smoothly: Bool) { run { $0.zoom(to: factor, smoothly: smoothly) } }
  public func focus(x: Double, y: Double) { run { $0.focus(x: x, y: y) } }
  public func show(through look: LookCube?) { finder.painter.show(through: look) }

  public func pictures(through looks: [LookCube?], height: Int) async -> [Data] {
    let painter = finder.painter
    return await Task.detached { painter.pictures(through: looks, height: height) }.value
  }

  /// In order, on the camera's own queue: opening it takes long.
  private func run(_ work: @escaping @Sendable (CaptureEngine) -> Void) {
    let engine = engine!
    engine.queue.async { work(engine) }
  }
}

extension CaptureDevice {
  fileprivate var mediaType: AVMediaType { self == .camera ? .video : .audio }
}

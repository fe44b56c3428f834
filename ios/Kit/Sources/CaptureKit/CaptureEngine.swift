internal import AVFoundation
internal import AppModel
internal import CoreGraphics
internal import CoreMedia
internal import CoreTypes
internal import CoreVideo
internal import Dispatch
internal import Foundation
internal import PlayerKit
internal import QuartzCore
internal import Recording

/// The capture session: one camera at a time, with or without the microphone.
///
/// All of it lives on one serial queue, on which frames come too; only `report` and the finder leave it. It
/// decides nothing: formats, times and turns are worked out by AppModel.
final class CaptureEngine: NSObject, @unchecked Sendable {
  struct Wish: Equatable {
    let camera: Camera
    let withSound: Bool
    let frameRate: Int
  }

  let queue = DispatchQueue(label: "clipfeed.capture", qos: .userInitiated)
  let session = AVCaptureSession()
  let pictureOutput = AVCaptureVideoDataOutput()
  let soundOutput = AVCaptureAudioDataOutput()
  let painter: FinderPainter
  private let report: @Sendable (CameraReport) -> Void

  var device: AVCaptureDevice?
  var wish: Wish?
  /// What came of the one that was asked for.
  var frameRate = 30
  /// Configured for it; its first frame has not come yet.
  private var isAwaited = false
  private var isInterrupted = false
  private var recorder: ClipRecorder?
  private var rotation: AVCaptureDevice.RotationCoordinator?
  private var observations: [AnyObject] = []
  private var sessionObservations: [AnyObject] = []
  private var areaObservation: NotificationObservation?
  /// As people see it, and as it is written down.
  private var shownTurn = PictureTurn(quarters: 1)
  private var storedTurn = PictureTurn(quarters: 1)
  var hasSound: Bool { session.inputs.count > 1 }

  init(_ painter: FinderPainter, report: @escaping @Sendable (CameraReport) -> Void) {
    self.painter = painter
    self.report = report
    super.init()
    pictureOutput.videoSettings = [
      kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
    ]
    pictureOutput.alwaysDiscardsLateVideoFrames = true
    pictureOutput.setSampleBufferDelegate(self, queue: queue)
    soundOutput.setSampleBufferDelegate(self, queue: queue)
    sessionObservations = [
      NotificationObservation(AVCaptureSession.wasInterruptedNotification, of: session) { [weak self] _ in
        self?.later { $0.interrupted(true) }
      },
      NotificationObservation(AVCaptureSession.interruptionEndedNotification, of: session) { [weak self] _ in
        self?.later { $0.interrupted(false) }
      },
      NotificationObservation(AVCaptureSession.runtimeErrorNotification, of: session) { [weak self] _ in
        self?.later { $0.broke() }
      },
    ]
  }

  /// On the queue, after what is being done there.
  private func later(_ work: @escaping @Sendable (CaptureEngine) -> Void) {
    queue.async { work(self) }
  }

  // MARK: Coming and going

  func use(_ wish: Wish) {
    guard let device = Self.device(wish.camera) else {
      return report(.obstacle(.noCamera, isThere: true))
    }
    do {
      try configure(device, wish)
    } catch {
      return report(.obstacle(.interruption, isThere: true))
    }
    isAwaited = true
    if !session.isRunning { session.startRunning() }
  }

  func close() {
    wish = nil
    isAwaited = false
    endClip()
    turnTorch(false)
    session.stopRunning()
    painter.forget()
    // Nobody tells of its end once the session stands.
    if isInterrupted { interrupted(false) }
  }

  private func interrupted(_ isThere: Bool) {
    guard isThere != isInterrupted else { return }
    isInterrupted = isThere
    if isThere { endClip() }
    report(.obstacle(.interruption, isThere: isThere))
  }

  /// The system's media service was started anew, or the session gave up: once more, from the beginning.
  private func broke() {
    endClip()
    guard let wish else { return }
    device = nil
    report(.obstacle(.interruption, isThere: true))
    use(wish)
    if session.isRunning { report(.obstacle(.interruption, isThere: false)) }
  }

  // MARK: Turning

  /// The device in which the coordinator looks changed; it and its layer belong to the main queue.
  func watchRotation(of device: AVCaptureDevice) {
    let isFront = device.position == .front
    areaObservation = NotificationObservation(
      AVCaptureDevice.subjectAreaDidChangeNotification, of: device
    ) { [weak self] _ in
      self?.later { $0.focusOnAll() }
    }
    let watched = Watched(device: device, layer: painter.layer)
    DispatchQueue.main.async { [self] in
      let rotation = AVCaptureDevice.RotationCoordinator(device: watched.device, previewLayer: watched.layer)
      let observations = [
        rotation.observe(\.videoRotationAngleForHorizonLevelPreview, options: [.initial, .new]) {
          [weak self] rotation, _ in
          self?.turned(Double(rotation.videoRotationAngleForHorizonLevelPreview), isFront: isFront)
        },
        rotation.observe(\.videoRotationAngleForHorizonLevelCapture, options: [.initial, .new]) {
          [weak self] rotation, _ in
          let turn = PictureTurn(degrees: Double(rotation.videoRotationAngleForHorizonLevelCapture))
          self?.later { $0.storedTurn = turn }
        },
      ]
      let kept = Kept(rotation: rotation, observations: observations)
      queue.async { [weak self] in
        self?.rotation = kept.rotation
        self?.observations = kept.observations
      }
    }
  }

  private struct Watched: @unchecked Sendable {
    let device: AVCaptureDevice
    let layer: CALayer
  }
  private struct Kept: @unchecked Sendable {
    let rotation: AVCaptureDevice.RotationCoordinator
    let observations: [AnyObject]
  }

  /// A front camera is seen as in a mirror, and recorded as others see it.
  private func turned(_ degrees: Double, isFront: Bool) {
    let turn = PictureTurn(degrees: degrees, isMirrored: isFront)
    queue.async { [weak self] in
      self?.shownTurn = turn
      self?.report(.turned(turn))
    }
  }

  // MARK: Clips

  func start(_ order: CaptureOrder) {
    guard recorder == nil, wish != nil, session.isRunning, !isInterrupted, let picture = picture() else {
      return report(.failed(clip: order.clip))
    }
    do {
      recorder = try ClipRecorder(order, picture, withSound: hasSound)
    } catch {
      if VideoExport.isFull(error) { report(.storageFull) }
      report(.failed(clip: order.clip))
    }
  }

  private func picture() -> ClipRecorder.Picture? {
    guard let device else { return nil }
    let size = CMVideoFormatDescriptionGetDimensions(device.activeFormat.formatDescription)
    return ClipRecorder.Picture(
      width: Int(size.width), height: Int(size.height), frameRate: frameRate, turn: storedTurn)
  }

  func stop(clip: Int32) {
    if recorder?.order.clip == clip { endClip() }
  }

  private func endClip() {
    guard let recorder else { return }
    self.recorder = nil
    let clip = recorder.order.clip
    let file = recorder.order.file
    recorder.finish { [report] length, error in
      if let error, VideoExport.isFull(error) { report(.storageFull) }
      guard error != nil else {
        return report(length > .zero ? .finished(clip: clip, length) : .failed(clip: clip))
      }
      // What was written before it broke off can be played: the file says how much that is.
      Task {
        let found = try? await VideoExport.length(of: file)
        report(found.map { .finished(clip: clip, $0) } ?? .failed(clip: clip))
      }
    }
  }

  private func handle(_ outcome: ClipRecorder.Outcome) {
    switch outcome {
    case .goesOn: break
    case .begun: if let recorder { report(.started(clip: recorder.order.clip)) }
    case .ended: endClip()
    }
  }
}

extension CaptureEngine: AVCaptureVideoDataOutputSampleBufferDelegate,
  AVCaptureAudioDataOutputSampleBufferDelegate
{
  func captureOutput(
    _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection
  ) {
    guard output === pictureOutput else {
      if let recorder { handle(recorder.sound(sampleBuffer)) }
      return
    }
    if let recorder { handle(recorder.picture(sampleBuffer)) }
    guard let buffer = CMSampleBufferGetImageBuffer(sampleBuffer) else { return }
    painter.draw(buffer, shownTurn)
    if isAwaited, let wish, let device {
      isAwaited = false
      report(.ready(wish.camera, features(of: device, shownTurn)))
    }
  }
}

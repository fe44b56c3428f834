internal import AVFAudio
internal import AVFoundation
internal import AppModel
internal import CoreGraphics
internal import CoreMedia
internal import CoreVideo
internal import Foundation
internal import Recording

/// Which camera, in which format; torch, zoom and focus.
extension CaptureEngine {
  /// Several lenses that work as one come first: they zoom out as well.
  private static let kinds: [AVCaptureDevice.DeviceType] = [
    .builtInTripleCamera, .builtInDualWideCamera, .builtInDualCamera, .builtInWideAngleCamera,
  ]
  /// Powers of two a second.
  private static let zoomRate: Float = 4

  static func device(_ camera: Camera) -> AVCaptureDevice? {
    let position: AVCaptureDevice.Position = camera == .front ? .front : .back
    for kind in kinds {
      if let found = AVCaptureDevice.default(kind, for: .video, position: position) { return found }
    }
    // A tablet on a stand has one that looks at nobody in particular.
    return AVCaptureDevice.default(for: .video)
  }

  func configure(_ device: AVCaptureDevice, _ wish: Wish) throws {
    let isOther = self.device?.uniqueID != device.uniqueID
    guard isOther || self.wish != wish else { return }
    session.beginConfiguration()
    defer { session.commitConfiguration() }
    // NB: before a format is chosen, or the session would choose another again.
    session.sessionPreset = .inputPriority
    session.automaticallyConfiguresCaptureDeviceForWideColor = false
    session.automaticallyConfiguresApplicationAudioSession = false
    for input in session.inputs { session.removeInput(input) }
    let input = try AVCaptureDeviceInput(device: device)
    guard session.canAddInput(input) else { throw VideoTrouble.failed }
    session.addInput(input)
    if wish.withSound { try addSound() }
    for output in [pictureOutput, soundOutput] as [AVCaptureOutput] where session.canAddOutput(output) {
      session.addOutput(output)
    }
    let rate = try setFormat(of: device, wish.frameRate)
    if let connection = pictureOutput.connection(with: .video) {
      if connection.isVideoMirroringSupported {
        connection.automaticallyAdjustsVideoMirroring = false
        connection.isVideoMirrored = false
      }
      // The calmest of these would show the picture a second late.
      if connection.isVideoStabilizationSupported { connection.preferredVideoStabilizationMode = .standard }
    }
    self.device = device
    self.wish = wish
    frameRate = rate
    watchRotation(of: device)
  }

  /// Answers the frame rate that it came to.
  private func setFormat(of device: AVCaptureDevice, _ frameRate: Int) throws -> Int {
    let formats = Self.formats(of: device)
    guard let (index, rate) = CaptureFormats.choose(formats, frameRate: frameRate) else { return frameRate }
    try device.lockForConfiguration()
    defer { device.unlockForConfiguration() }
    device.activeFormat = device.formats[index]
    let duration = CMTime(value: 1, timescale: CMTimeScale(rate))
    device.activeVideoMinFrameDuration = duration
    device.activeVideoMaxFrameDuration = duration
    // Standard range on purpose: looks, encoders and the screens of others are made for it.
    if device.activeFormat.isVideoHDRSupported {
      device.automaticallyAdjustsVideoHDREnabled = false
      device.isVideoHDREnabled = false
    }
    device.activeColorSpace = .sRGB
    // 1 is the main lens, also where a wider one comes before it.
    device.videoZoomFactor = clamped(1 / multiplier(device), device)
    device.isSubjectAreaChangeMonitoringEnabled = true
    return rate
  }

  private static func formats(of device: AVCaptureDevice) -> [CaptureFormats.Format] {
    device.formats.map { format in
      let size = CMVideoFormatDescriptionGetDimensions(format.formatDescription)
      let kind = CMFormatDescriptionGetMediaSubType(format.formatDescription)
      let isPlain =
        kind == kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
        || kind == kCVPixelFormatType_420YpCbCr8BiPlanarFullRange
      return CaptureFormats.Format(
        width: Int(size.width), height: Int(size.height),
        frameRates: format.videoSupportedFrameRateRanges.compactMap {
          $0.minFrameRate <= $0.maxFrameRate ? $0.minFrameRate...$0.maxFrameRate : nil
        }, isDeep: !isPlain)
    }
  }

  func features(of device: AVCaptureDevice, _ turn: PictureTurn) -> CameraFeatures {
    let size = CMVideoFormatDescriptionGetDimensions(device.activeFormat.formatDescription)
    let multiplier = multiplier(device)
    let low = Double(device.minAvailableVideoZoomFactor) * multiplier
    let high = Double(device.maxAvailableVideoZoomFactor) * multiplier
    let other: AVCaptureDevice.Position = device.position == .front ? .back : .front
    return CameraFeatures(
      hasTorch: device.hasTorch && device.isTorchAvailable,
      canFlip: AVCaptureDevice.default(.builtInWideAngleCamera, for: .video, position: other) != nil,
      zoom: low...max(low, high),
      canFocus: device.isFocusPointOfInterestSupported || device.isExposurePointOfInterestSupported,
      width: Int(size.width), height: Int(size.height),
      frameRates: CaptureFormats.rates(Self.formats(of: device)), turn: turn)
  }

  // MARK: Sound

  private func addSound() throws {
    guard let microphone = AVCaptureDevice.default(for: .audio) else { return }
    let audio = AVAudioSession.sharedInstance()
    try audio.setCategory(
      .playAndRecord, mode: .videoRecording, options: [.defaultToSpeaker, .allowBluetoothA2DP])
    // The countdown is felt, the microphone on or not.
    try audio.setAllowHapticsAndSystemSoundsDuringRecording(true)
    try audio.setActive(true, options: [])
    let input = try AVCaptureDeviceInput(device: microphone)
    if session.canAddInput(input) { session.addInput(input) }
  }

  // MARK: Torch, zoom, focus

  private func locked(_ change: (AVCaptureDevice) -> Void) {
    guard let device, (try? device.lockForConfiguration()) != nil else { return }
    change(device)
    device.unlockForConfiguration()
  }

  func turnTorch(_ isOn: Bool) {
    locked { device in
      guard device.hasTorch, device.isTorchModeSupported(isOn ? .on : .off) else { return }
      device.torchMode = isOn ? .on : .off
    }
  }

  /// Of the device's own factor, to what people know: 1 is the main lens.
  private func multiplier(_ device: AVCaptureDevice) -> Double {
    let factor = Double(device.displayVideoZoomFactorMultiplier)
    return factor.isFinite && factor > 0 ? factor : 1
  }

  private func clamped(_ factor: Double, _ device: AVCaptureDevice) -> CGFloat {
    min(
      max(CGFloat(factor), device.minAvailableVideoZoomFactor), device.maxAvailableVideoZoomFactor)
  }

  func zoom(to factor: Double, smoothly: Bool) {
    locked { device in
      let goal = clamped(factor / multiplier(device), device)
      if smoothly {
        device.ramp(toVideoZoomFactor: goal, withRate: Self.zoomRate)
      } else {
        device.cancelVideoZoomRamp()
        device.videoZoomFactor = goal
      }
    }
  }

  func focus(x: Double, y: Double) {
    let point = CGPoint(x: x, y: y)
    locked { device in
      if device.isFocusPointOfInterestSupported, device.isFocusModeSupported(.autoFocus) {
        device.focusPointOfInterest = point
        device.focusMode = .autoFocus
      }
      if device.isExposurePointOfInterestSupported, device.isExposureModeSupported(.continuousAutoExposure) {
        device.exposurePointOfInterest = point
        device.exposureMode = .continuousAutoExposure
      }
    }
  }

  /// Something else is in the picture: the place that a finger chose means nothing any more.
  func focusOnAll() {
    let middle = CGPoint(x: 0.5, y: 0.5)
    locked { device in
      if device.isFocusPointOfInterestSupported, device.isFocusModeSupported(.continuousAutoFocus) {
        device.focusPointOfInterest = middle
        device.focusMode = .continuousAutoFocus
      }
      if device.isExposurePointOfInterestSupported, device.isExposureModeSupported(.continuousAutoExposure) {
        device.exposurePointOfInterest = middle
        device.exposureMode = .continuousAutoExposure
      }
    }
  }
}

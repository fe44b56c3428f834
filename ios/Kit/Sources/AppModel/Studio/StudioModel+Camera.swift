internal import CoreTypes
internal import Foundation
internal import Persistence
internal import Playback
internal import Recording

/// What the core commands, and what the camera reports.
extension StudioModel {
  /// What keeps the camera from recording, in the order in which it is said.
  enum Obstacle: Hashable { case notPermitted, noCamera, interruption, storageFull }

  func carryOut(_ command: Recording.Command) {
    switch command {
    case .useCamera(let camera): use(camera)
    case .setTorch(let isOn): ports.camera.setTorch(isOn)
    case .startCapture(let clip, _, let longest): start(clip, longest)
    case .stopCapture(let clip): ports.camera.stop(clip: clip.rawValue)
    case .dropClip(let clip): ports.folder.remove(clip.rawValue)
    case .storeList(let limit, let clips): store(limit, clips)
    case .assemble(let clips): openReview(clips)
    case .cancelAssembly:
      review?.end()
      review = nil
    case .showControls(let controls): show(controls)
    case .tick: ticks += 1
    case .askDiscard: asksDiscard = true
    case .close: leave()
    case .noticeClipLost: ports.announcements.post("A clip could not be recorded.")
    case .noticeTooShort:
      ports.announcements.post("Too short. Hold the button, or tap to start and tap to stop.")
    }
  }

  private func show(_ next: Recording.Controls) {
    let wasCapturing = controls.stage == .capturing
    controls = next
    let isCapturing = next.stage == .capturing
    if isCapturing != wasCapturing {
      edges += 1
      // NB: while it stops, the bar stands where it was.
      if isCapturing { capturingSince = ports.clock.now }
    }
    if next.stage == .ready { capturingSince = nil }
  }

  private func store(_ limit: Milliseconds, _ clips: [RecordedClip]) {
    list = clips
    if !ports.folder.store(StoredTakes(limit: limit, clips)) { raise(.storageFull) }
  }

  private func start(_ clip: ClipID, _ longest: Milliseconds) {
    guard let file = ports.folder.file(clip.rawValue) else { return host.report(.captureFailed(clip)) }
    ports.camera.start(CaptureOrder(clip: clip.rawValue, file: file, longest: longest))
  }

  // MARK: The camera

  private func use(_ camera: Camera) {
    wish += 1
    focus = nil
    let wish = self.wish
    if ports.camera.access(to: .camera) == .allowed, ports.camera.access(to: .microphone) != .notAsked {
      return use(camera, wish)
    }
    Task { [weak self, ports] in
      let access = await ports.camera.askForAccess(to: .camera)
      guard let self, wish == self.wish, self.isOpen else { return }
      guard access == .allowed else { return self.raise(.notPermitted) }
      // Without a microphone clips have no sound, which is said, and better than no clip.
      _ = await ports.camera.askForAccess(to: .microphone)
      guard wish == self.wish, self.isOpen else { return }
      self.use(camera, wish)
    }
  }

  private func use(_ camera: Camera, _ wish: Int) {
    guard isActive else { return }
    microphone = ports.camera.access(to: .microphone)
    ports.camera.use(
      camera, withSound: preferences.hasSound && microphone == .allowed, frameRate: preferences.frameRate)
  }

  func cameraReported(_ report: CameraReport) {
    switch report {
    case .ready(let camera, let features):
      guard isOpen else { return }
      self.features = features
      zoom.use(features.zoom)
      lower(.noCamera)
      lower(.interruption)
      host.report(.cameraReady(camera, hasTorch: features.hasTorch))
    case .started(let clip): host.report(.captureStarted(ClipID(clip)))
    case .finished(let clip, let length):
      host.report(.captureFinished(ClipID(clip), length))
      checkRoom()
    case .failed(let clip): host.report(.captureFailed(ClipID(clip)))
    case .storageFull: raise(.storageFull)
    case .obstacle(let obstacle, let isThere):
      let obstacle: Obstacle = obstacle == .noCamera ? .noCamera : .interruption
      if isThere { raise(obstacle) } else { lower(obstacle) }
    case .turned(let turn): features.turn = turn
    }
  }

  /// Sound on or off, for the clips to come.
  public func toggleSound() {
    preferences.hasSound.toggle()
    choiceOfCameraChanged()
  }

  public func choose(frameRate: Int) {
    guard CaptureFormats.frameRates.contains(frameRate), frameRate != preferences.frameRate else { return }
    preferences.frameRate = frameRate
    choiceOfCameraChanged()
  }

  /// The camera is asked for anew, as after anything that took it away.
  private func choiceOfCameraChanged() {
    ports.folder.preferences.save(preferences)
    guard isOpen, controls.stage == .ready, obstacles.isEmpty, isActive, review == nil else { return }
    wish += 1
    host.report(.obstacleChanged(.interruption, isThere: true))
    host.report(.obstacleChanged(.interruption, isThere: false))
  }

  // MARK: Zoom and focus

  public func pinch(by scale: Double) {
    zoom.pinch(by: scale)
    ports.camera.setZoom(zoom.factor, smoothly: false)
  }

  public func endPinch() { zoom.endPinch() }

  public func setZoom(_ factor: Double) {
    zoom.set(factor)
    ports.camera.setZoom(zoom.factor, smoothly: true)
  }

  /// A tap on a finder of this size.
  public func setFocus(x: Double, y: Double, width: Double, height: Double) {
    cancelUndo()
    guard features.canFocus, width > 0, height > 0 else { return }
    let geometry = FinderGeometry(
      turn: features.turn, width: Double(features.width), height: Double(features.height))
    let place = geometry.place(x: x, y: y, inWidth: width, height: height)
    ports.camera.focus(x: place.x, y: place.y)
    focus = FocusMark(x: x / width, y: y / height, number: (focus?.number ?? 0) + 1)
  }

  // MARK: What stands in the way

  func raise(_ obstacle: Obstacle) {
    guard isOpen, obstacles.insert(obstacle).inserted else { return }
    host.report(.obstacleChanged(obstacle.ofCore, isThere: true))
  }

  func lower(_ obstacle: Obstacle) {
    guard obstacles.remove(obstacle) != nil else { return }
    host.report(.obstacleChanged(obstacle.ofCore, isThere: false))
  }

  /// The button of the panel that says what is in the way.
  public func retry() {
    for obstacle in obstacles { lower(obstacle) }
    checkRoom()
  }

  func checkRoom() {
    guard let room = ports.folder.room() else { return }
    if room < CaptureFormats.room { raise(.storageFull) } else { lower(.storageFull) }
  }
}

extension StudioModel.Obstacle {
  var ofCore: Recording.Obstacle {
    switch self {
    case .notPermitted: .notPermitted
    case .noCamera: .noCamera
    case .interruption: .interruption
    case .storageFull: .storageFull
    }
  }
}

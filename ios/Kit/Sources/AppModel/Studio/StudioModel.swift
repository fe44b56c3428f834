internal import CoreTypes
public import Device
public import Foundation
public import Observation
internal import Persistence
public import Playback
internal import Recording

/// The record screen: what it shows, and what a tap does.
///
/// The core's `Recording` decides when clips begin and end, and what an undo, a call or a full disk mean;
/// here its commands reach camera and files. It refuses to know cameras, players and views: they are ports.
@MainActor @Observable public final class StudioModel {
  public struct Ports {
    public var camera: any CameraPort
    public var maker: any VideoMaker
    public var player: any ReviewPlayer
    public var folder: ClipFolder
    public var clock: any HostClock
    public var announcements: Announcements
    /// The feed's decoders rest while the camera is open.
    public var notice: (DeviceNotice) -> Void
    /// A video for the upload screen, which takes this one's place: it comes right behind `closed`. Its file
    /// stays where it is until it is moved, or the app is started anew.
    public var handOver: (FinishedVideo) -> Void
    /// The screen is to go.
    public var closed: () -> Void

    public init(
      camera: any CameraPort, maker: any VideoMaker, player: any ReviewPlayer, folder: ClipFolder,
      clock: any HostClock, announcements: Announcements, notice: @escaping (DeviceNotice) -> Void,
      handOver: @escaping (FinishedVideo) -> Void, closed: @escaping () -> Void
    ) {
      self.camera = camera
      self.maker = maker
      self.player = player
      self.folder = folder
      self.clock = clock
      self.announcements = announcements
      self.notice = notice
      self.handOver = handOver
      self.closed = closed
    }
  }

  @ObservationIgnored let ports: Ports
  @ObservationIgnored public let host: RecordingHost
  var controls = Recording.Controls()
  var list: [RecordedClip] = []
  /// When the picture of the clip being recorded began, on the host's clock.
  var capturingSince: Instant?
  var obstacles: Set<Obstacle> = []
  var features = CameraFeatures()
  var preferences: StudioPreferences
  @ObservationIgnored var microphone = CaptureAccess.notAsked
  /// Counts the wishes for a camera, so that an answer that comes late is let go.
  @ObservationIgnored var wish = 0
  @ObservationIgnored var isActive = true
  @ObservationIgnored var importing: Task<Void, Never>?
  @ObservationIgnored private var opening: Task<Void, Never>?
  /// When the finger came onto the record button, if it is there.
  @ObservationIgnored private var pressedAt: Date?

  /// Between `open` and the core's `close`.
  public internal(set) var isOpen = false
  /// "Keep your clips?"
  public internal(set) var asksDiscard = false
  public internal(set) var zoom = ZoomScale()
  /// Where a finger set the focus last, 0…1 of the finder, until the camera changes.
  public internal(set) var focus: FocusMark?
  /// Each look on the picture of the moment when the strip was opened, as JPEG, by number.
  public internal(set) var lookPictures: [Data] = []
  /// What follows the camera: the video, before it is made.
  public internal(set) var review: ReviewModel?
  /// Videos of the photo library that are being copied.
  public internal(set) var copying: (done: Int, of: Int)?
  /// Count what a hand is to feel: seconds of the countdown, beginnings and ends of clips.
  public internal(set) var ticks = 0
  public internal(set) var edges = 0

  public struct FocusMark: Equatable, Sendable {
    public let x: Double
    public let y: Double
    public let number: Int
  }

  public init(_ ports: Ports) {
    self.ports = ports
    host = RecordingHost(clock: ports.clock)
    preferences = ports.folder.preferences.load() ?? StudioPreferences()
    host.carryOut = { [weak self] in self?.carryOut($0) }
    ports.camera.onReport = { [weak self] in self?.cameraReported($0) }
  }

  // MARK: Coming and going

  /// The screen comes: what an earlier run left is looked at first.
  public func open() {
    guard !isOpen else { return }
    isOpen = true
    ports.notice(.cameraOpened)
    ports.folder.begin()
    ports.camera.show(through: LookCube(preferences.look))
    opening = Task { [weak self, ports] in
      let left = await ports.folder.restore { try? await ports.maker.facts(of: $0).length }
      guard let self, self.isOpen else { return }
      if let left { self.host.report(.restored(limit: left.limit, left.clips)) }
      self.checkRoom()
      if !self.isActive { self.host.report(.obstacleChanged(.background, isThere: true)) }
      self.host.report(.opened)
    }
  }

  /// For tests: resolved when what `open` began has been done.
  func opened() async { await opening?.value }

  /// Going back: first from the review, then from the screen, which may ask a question.
  public func close() {
    if let review { return review.back() }
    if controls.stage == .closed { return leave() }
    host.report(.closeTapped)
  }

  public func keepClips() { answer(.keepConfirmed) }
  public func discardClips() { answer(.discardConfirmed) }
  public func stay() { asksDiscard = false }

  private func answer(_ event: Recording.Event) {
    asksDiscard = false
    host.report(event)
  }

  func leave() {
    guard isOpen else { return }
    letGo()
    ports.closed()
  }

  /// The screen went by something else than its own button: nobody is asked, and clips stay for the next
  /// visit.
  public func gone() {
    guard isOpen else { return }
    // What is under way ends as it does when the app is left.
    host.report(.obstacleChanged(.background, isThere: true))
    letGo()
  }

  private func letGo() {
    isOpen = false
    asksDiscard = false
    wish += 1
    importing?.cancel()
    copying = nil
    review?.end()
    review = nil
    ports.camera.close()
    ports.folder.end()
    ports.notice(.cameraClosed)
  }

  /// The app is in front, or not.
  public func setActive(_ isActive: Bool) {
    guard isActive != self.isActive else { return }
    self.isActive = isActive
    if !isActive { ports.camera.close() }
    review?.setActive(isActive)
    // Back from the system's settings, perhaps with a permission.
    if isActive, obstacles.contains(.notPermitted), ports.camera.access(to: .camera) == .allowed {
      lower(.notPermitted)
    }
    tellCovered()
  }

  /// While something else lies over the camera's picture it may rest, as when the app is left.
  func tellCovered() {
    guard isOpen else { return }
    let isCovered = !isActive || review?.isImported == true
    if isCovered { wish += 1 }
    host.report(.obstacleChanged(.background, isThere: isCovered))
  }

  // MARK: Taps

  /// The finger is on the record button, by the time of its own event: a busy device tells of it late. Told
  /// again while it stays there.
  public func press(at time: Date) {
    guard pressedAt == nil else { return }
    pressedAt = time
    if controls.stage == .ready { checkRoom() }
    host.report(.pressed)
  }
  /// It is off it, by the time of that event; told again, nothing happens.
  public func release(at time: Date) {
    guard let pressedAt else { return }
    self.pressedAt = nil
    // A clock may be set meanwhile, by years.
    let seconds = min(max(0, time.timeIntervalSince(pressedAt)), Self.longestPress)
    host.report(.released(held: Milliseconds(Int64((seconds * 1_000).rounded()))))
  }
  /// What a screen reader does: a tap.
  public func tapShutter() {
    let now = Date()
    press(at: now)
    release(at: now)
  }
  public func flip() { host.report(.flipTapped) }
  public func toggleTorch() { host.report(.torchTapped) }
  public func undo() { host.report(.undoTapped) }
  /// A tap anywhere else while the last clip is marked.
  public func cancelUndo() { if controls.isUndoMarked { host.report(.undoCancelled) } }
  public func finish() { host.report(.finishTapped) }
  public func choose(speed: Int) { host.report(.speedChosen(percent: Int32(clamping: speed))) }
  public func choose(countdown: Int) { host.report(.countdownChosen(seconds: Int32(clamping: countdown))) }
  public func choose(limit seconds: Int) {
    host.report(.limitChosen(Milliseconds(Int64(seconds)) * 1_000))
  }

  /// Another look is chosen at its full strength; it holds for the review too, and for the next visit.
  public func choose(_ look: LookChoice) {
    preferences.look = look
    ports.folder.preferences.save(preferences)
    ports.camera.show(through: LookCube(look))
    review?.setLook(look)
  }

  /// Takes the pictures for the strip of looks anew.
  public func openLooks() {
    Task { [weak self, ports] in
      let cubes = LookChoice.names.indices.map { LookCube(LookChoice(look: $0, strength: 100)) }
      let pictures = await ports.camera.pictures(through: cubes, height: Self.lookHeight)
      if !pictures.isEmpty { self?.lookPictures = pictures }
    }
  }
  static let lookHeight = 176
  /// Seconds; beyond it a press is as long as any.
  private static let longestPress = 3_600.0
}

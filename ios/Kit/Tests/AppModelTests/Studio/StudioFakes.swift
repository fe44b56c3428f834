import CoreTypes
import Device
import Foundation
import Playback
import PlaybackTesting
import Recording

@testable import AppModel

/// A clock that stands until a test moves it; what was asked for rings on the way.
@MainActor final class StudioClock: HostClock {
  private(set) var now = Instant(0)
  private var alarm: (at: Instant, ring: @MainActor () -> Void)?

  func wake(at instant: Instant, _ ring: @escaping @MainActor () -> Void) { alarm = (instant, ring) }

  func pass(_ time: Int64) {
    let until = now + Milliseconds(time)
    while let next = alarm, next.at <= until {
      alarm = nil
      now = max(now, next.at)
      next.ring()
    }
    now = until
  }
}

/// A camera whose clips are files with a byte for each millisecond.
@MainActor final class ScriptedCamera: CameraPort {
  var onReport: ((CameraReport) -> Void)?
  var access: [CaptureDevice: CaptureAccess] = [.camera: .allowed, .microphone: .allowed]
  var answers: [CaptureDevice: CaptureAccess] = [:]
  var log: [String] = []
  var features = CameraFeatures(
    hasTorch: true, zoom: 0.5...6, canFocus: true, width: 1920, height: 1080, frameRates: [30, 60])
  var order: CaptureOrder?
  var look: LookCube?

  func access(to device: CaptureDevice) -> CaptureAccess { access[device] ?? .notAsked }
  func askForAccess(to device: CaptureDevice) async -> CaptureAccess {
    if access[device] == .notAsked { access[device] = answers[device] ?? .denied }
    return access(to: device)
  }
  func use(_ camera: Camera, withSound: Bool, frameRate: Int) {
    log.append("use \(camera) \(withSound ? "sound" : "silent") \(frameRate)")
  }
  func close() { log.append("close") }
  func start(_ order: CaptureOrder) {
    self.order = order
    log.append("start \(order.clip)")
  }
  func stop(clip: Int32) { log.append("stop \(clip)") }
  func setTorch(_ isOn: Bool) { log.append("torch \(isOn)") }
  func setZoom(_ factor: Double, smoothly: Bool) { log.append("zoom \(factor) \(smoothly)") }
  func focus(x: Double, y: Double) { log.append("focus \(x) \(y)") }
  func show(through look: LookCube?) { self.look = look }
  func pictures(through looks: [LookCube?], height: Int) async -> [Data] {
    looks.map { Data("\($0?.choice.look ?? 0)".utf8) }
  }

  func report(_ report: CameraReport) { onReport?(report) }

  /// What a recorder has written so far.
  func write(_ length: Int) {
    guard let order else { return }
    try? Data(count: length).write(to: order.file)
  }

  /// The clip under way has its first picture, and then this length.
  func record(_ length: Int) {
    guard let clip = order?.clip else { return }
    report(.started(clip: clip))
    write(length)
    report(.finished(clip: clip, Milliseconds(Int64(length))))
  }
}

@MainActor final class ScriptedMaker: VideoMaker {
  var facts: [String: ClipFacts] = [:]
  /// Holds a making until a test lets it go.
  var gate: CheckedContinuation<Void, Never>?
  var isHeld = false
  var trouble: VideoTrouble?
  var plans: [VideoPlan] = []
  var looks: [LookCube?] = []
  var progress: (@MainActor @Sendable (Double) -> Void)?

  func facts(of file: URL) async throws -> ClipFacts {
    if let known = facts[file.pathExtension] { return known }
    guard let bytes = try? Data(contentsOf: file),
      let facts = ClipFacts(
        seconds: Double(bytes.count) / 1_000, width: 1080, height: 1920, frameRate: 30)
    else { throw VideoTrouble.unreadable }
    return facts
  }

  func make(
    _ plan: VideoPlan, through look: LookCube?, into file: URL,
    progress: @escaping @MainActor @Sendable (Double) -> Void
  ) async throws {
    plans.append(plan)
    looks.append(look)
    self.progress = progress
    if isHeld { await withCheckedContinuation { gate = $0 } }
    try Task.checkCancellation()
    if let trouble { throw trouble }
    progress(1)
    try Data("video".utf8).write(to: file)
  }

  func letGo() {
    gate?.resume()
    gate = nil
  }

  func picture(of plan: VideoPlan, through look: LookCube?, at instant: Milliseconds, height: Int)
    async throws -> Data
  {
    Data("\(instant.rawValue)".utf8)
  }
}

@MainActor final class ScriptedPlayer: ReviewPlayer {
  var onInstant: ((Milliseconds) -> Void)?
  var plan: VideoPlan?
  var range: ClosedRange<Milliseconds>?
  var isPlaying = false
  var log: [String] = []
  func show(_ plan: VideoPlan?, through look: LookCube?, range: ClosedRange<Milliseconds>) {
    self.plan = plan
    self.range = range
    isPlaying = plan != nil
  }
  func setLook(_ look: LookCube?) { log.append("look \(look?.choice.look ?? 0)") }
  func setRange(_ range: ClosedRange<Milliseconds>) { self.range = range }
  func seek(to instant: Milliseconds) { log.append("seek \(instant.rawValue)") }
  func play() { isPlaying = true }
  func pause() { isPlaying = false }
}

/// A record screen over a folder of its own.
@MainActor final class Studio {
  let root: URL
  let camera = ScriptedCamera()
  let maker = ScriptedMaker()
  let player = ScriptedPlayer()
  let clock = StudioClock()
  let announcements = Announcements()
  let folder: ClipFolder
  var notices: [DeviceNotice] = []
  var handed: [FinishedVideo] = []
  var closedCount = 0
  var model: StudioModel!

  init(root: URL? = nil) {
    self.root =
      root ?? TemporaryFolder.path()
    folder = ClipFolder(root: self.root)
    model = StudioModel(
      StudioModel.Ports(
        camera: camera, maker: maker, player: player, folder: folder, clock: clock,
        announcements: announcements, notice: { [unowned self] in notices.append($0) },
        handOver: { [unowned self] in handed.append($0) }, closed: { [unowned self] in closedCount += 1 }))
  }

  deinit { try? FileManager.default.removeItem(at: root) }

  func open() async {
    model.open()
    await model.opened()
    camera.report(.ready(.back, camera.features))
  }

  /// One clip by two taps.
  func record(_ length: Int) {
    model.tapShutter()
    camera.record(length)
    clock.pass(Int64(length))
  }

  /// Lets tasks run on until this is so.
  func until(_ isSo: () -> Bool) async {
    for turn in 0..<1_000_000 {
      if isSo() { return }
      await Task.yield()
      // Work on other threads and on the disk, for which turns of this one are no time.
      if turn % 50 == 49 { try? await Task.sleep(for: .milliseconds(1)) }
    }
  }

  var files: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: root.appending(path: "clips").path)) ?? [])
      .sorted()
  }
}

public import CoreTypes
public import Foundation
public import Recording

/// What the person lets this app use.
public enum CaptureAccess: Equatable, Sendable {
  case notAsked
  case allowed
  /// The person said no, or nobody may say yes (parents, a company): only the system's settings change it.
  case denied
}

public enum CaptureDevice: Equatable, Sendable {
  case camera
  case microphone
}

/// What an open camera can do.
public struct CameraFeatures: Equatable, Sendable {
  public var hasTorch: Bool
  /// There is one that looks the other way.
  public var canFlip: Bool
  /// 1 is the picture as the main lens has it.
  public var zoom: ClosedRange<Double>
  public var canFocus: Bool
  /// Of the picture as it lies in the sensor, px.
  public var width: Int
  public var height: Int
  /// Pictures a second that it has at this size, of those that people may choose.
  public var frameRates: [Int]
  /// As it is turned now.
  public var turn: PictureTurn

  public init(
    hasTorch: Bool = false, canFlip: Bool = true, zoom: ClosedRange<Double> = 1...1, canFocus: Bool = false,
    width: Int = 1920, height: Int = 1080, frameRates: [Int] = [30],
    turn: PictureTurn = PictureTurn(quarters: 1)
  ) {
    self.hasTorch = hasTorch
    self.canFlip = canFlip
    self.zoom = zoom
    self.canFocus = canFocus
    self.width = width
    self.height = height
    self.frameRates = frameRates
    self.turn = turn
  }
}

public enum CameraReport: Equatable, Sendable {
  case ready(Camera, CameraFeatures)
  case started(clip: Int32)
  case finished(clip: Int32, Milliseconds)
  /// There is no file worth keeping.
  case failed(clip: Int32)
  /// Something could not be written for want of room. A clip that it ends is reported by itself.
  case storageFull
  case obstacle(CameraObstacle, isThere: Bool)
  /// The device is held another way.
  case turned(PictureTurn)
}

/// What takes a camera away that was there, or keeps it from coming.
public enum CameraObstacle: Equatable, Sendable {
  /// A call, another app, too much heat.
  case interruption
  case noCamera
}

/// The device's camera and microphone: AVCaptureSession on the phone, a script in tests.
///
/// - `use` is followed by exactly one `ready` of that camera or one `obstacle`, unless `use` or `close` comes
///   first. It is called only while the camera is allowed.
/// - Each `start` is followed by exactly one `finished` or `failed`, asked for by `stop` or not; `started`
///   comes before it when the first picture is being written. The file grows while it is recorded, and what
///   was written a second before a kill can be played afterwards.
/// - `start` ends by itself after `longest`, when the camera goes, and when there is no room.
/// - `close` lets the camera go, after the clip that is being recorded. Obstacles are reported after it too.
/// - `onReport` runs on the main actor, never from inside a call.
@MainActor public protocol CameraPort: AnyObject {
  var onReport: ((CameraReport) -> Void)? { get set }

  func access(to device: CaptureDevice) -> CaptureAccess
  /// Asks the person; answers at once where they have said something already.
  func askForAccess(to device: CaptureDevice) async -> CaptureAccess

  func use(_ camera: Camera, withSound: Bool, frameRate: Int)
  func close()
  func start(_ clip: CaptureOrder)
  func stop(clip: Int32)
  func setTorch(_ isOn: Bool)
  /// Goes there smoothly, or at once under a finger.
  func setZoom(_ factor: Double, smoothly: Bool)
  /// A place of the picture as it lies in the sensor, 0…1 from its upper left.
  func focus(x: Double, y: Double)
  /// The live picture is shown through this; `nil` shows it as it is. What is recorded has no look.
  func show(through look: LookCube?)
  /// The picture of this moment through each of these, as JPEG, some pixels high; empty where there is none.
  func pictures(through looks: [LookCube?], height: Int) async -> [Data]
}

public struct CaptureOrder: Equatable, Sendable {
  public let clip: Int32
  public let file: URL
  public let longest: Milliseconds

  public init(clip: Int32, file: URL, longest: Milliseconds) {
    self.clip = clip
    self.file = file
    self.longest = longest
  }
}

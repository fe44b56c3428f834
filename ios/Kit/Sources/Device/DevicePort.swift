/// What the system says of the device at one moment. What is not known sets no limit.
public struct DeviceState: Equatable, Sendable {
  /// `ProcessInfo.ThermalState`, whose numbers these are.
  public enum Warmth: Int64, Sendable { case nominal, fair, serious, critical }

  /// `NWPath`, as far as it matters here.
  public struct Path: Equatable, Sendable {
    public var isOnline: Bool
    public var isCellular: Bool
    /// Cellular or somebody's hotspot.
    public var isExpensive: Bool
    /// The person has asked the system to save (Low Data Mode).
    public var isConstrained: Bool

    public init(
      isOnline: Bool = true, isCellular: Bool = false, isExpensive: Bool = false, isConstrained: Bool = false
    ) {
      self.isOnline = isOnline
      self.isCellular = isCellular
      self.isExpensive = isExpensive
      self.isConstrained = isConstrained
    }
  }

  /// 0…1, or `nil` where the system does not tell (it says −1).
  public var battery: Double?
  public var isCharging: Bool
  public var lowPowerMode: Bool
  public var warmth: Warmth
  public var path: Path
  public var reducedMotion: Bool
  /// `UIAccessibility.isVideoAutoplayEnabled`.
  public var autoplay: Bool

  public init(
    battery: Double? = nil, isCharging: Bool = false, lowPowerMode: Bool = false, warmth: Warmth = .nominal,
    path: Path = Path(), reducedMotion: Bool = false, autoplay: Bool = true
  ) {
    self.battery = battery
    self.isCharging = isCharging
    self.lowPowerMode = lowPowerMode
    self.warmth = warmth
    self.path = path
    self.reducedMotion = reducedMotion
    self.autoplay = autoplay
  }
}

/// What the person wants of this app on this device. All off until somebody asks for it.
public struct PlaybackPreferences: Equatable, Sendable, Codable {
  /// No page is gone to before it can show its first frame.
  public var waits: Bool
  public var saves: Bool
  /// Clips start by a tap alone.
  public var byHand: Bool
  /// The mobile plan has no limit.
  public var unlimited: Bool

  public init(waits: Bool = false, saves: Bool = false, byHand: Bool = false, unlimited: Bool = false) {
    self.waits = waits
    self.saves = saves
    self.byHand = byHand
    self.unlimited = unlimited
  }
}

/// The device: UIDevice, ProcessInfo and NWPathMonitor on the phone, a script in tests.
///
/// - `state` is what is so now, complete, whenever it is read.
/// - `onChange` runs on the main actor after anything of it has changed; once for several changes is enough.
/// - `onNotice` runs on the main actor for each thing that happens at a moment.
@MainActor public protocol DevicePort: AnyObject {
  var state: DeviceState { get }
  var onChange: (() -> Void)? { get set }
  var onNotice: ((DeviceNotice) -> Void)? { get set }
}

public enum DeviceNotice: Equatable, Sendable {
  case memoryWarned
  case backgrounded
  case foregrounded
  case cameraOpened
  case cameraClosed
}

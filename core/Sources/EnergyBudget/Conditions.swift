/// What the host knows of power, warmth, network and the person's wishes, all at once: a host that
/// reported them one by one would pass through states that never were.
///
/// Takes any number: what makes no sense means "not known", and what is not known sets no limit, since
/// most browsers tell neither battery nor kind of network.
public struct Conditions: Equatable, Sendable {
  /// Foundation's `ProcessInfo.ThermalState`, whose numbers these are. Android's
  /// `PowerManager.getCurrentThermalStatus`: none 0, light 1, moderate 1, severe 2, critical and above 3.
  public enum Warmth: Int64, Sendable {
    case nominal = 0
    case fair = 1
    case serious = 2
    case critical = 3
  }

  public enum Network: Int64, Sendable {
    /// Wi-Fi or cable; also what a host says that does not know.
    case unmetered = 0
    /// Cellular or somebody's hotspot: `NWPath.isExpensive`, `ConnectivityManager.isActiveNetworkMetered`,
    /// `navigator.connection.type == "cellular"`.
    case metered = 1
    /// The system asks to save: `NWPath.isConstrained` (Low Data Mode), Android's Data Saver,
    /// `navigator.connection.saveData`.
    case constrained = 2
    /// A mobile link that is as good as a cable: 5G, or one whose plan has no limit, as the person says.
    /// `NWPath.usesInterfaceType(.cellular)` without `isExpensive`, `NET_CAPABILITY_TEMPORARILY_NOT_METERED`.
    case fastMobile = 3

    /// 0 best … 3.
    var level: Int {
      switch self {
      case .unmetered: 0
      case .fastMobile: 1
      case .metered: 2
      case .constrained: 3
      }
    }
  }

  /// 0…100, or `nil` if not known.
  public let batteryPercent: Int32?
  public let isCharging: Bool
  public let lowPowerMode: Bool
  public let warmth: Warmth
  public let network: Network
  /// The person's own setting in this app.
  public let dataSaver: Bool
  public let reducedMotion: Bool
  /// Whether the person lets clips start by themselves (`UIAccessibility.isVideoAutoplayEnabled`, or a
  /// setting in this app).
  public let autoplay: Bool

  /// Levels outside 0…100 (iOS says −1 when it does not know), and numbers that stand for no warmth and
  /// no network, mean not known.
  public init(
    batteryPercent: Int64 = -1, isCharging: Bool = false, lowPowerMode: Bool = false,
    warmth: Int64 = 0, network: Int64 = 0, dataSaver: Bool = false, reducedMotion: Bool = false,
    autoplay: Bool = true
  ) {
    self.batteryPercent = (0...100).contains(batteryPercent) ? Int32(batteryPercent) : nil
    self.isCharging = isCharging
    self.lowPowerMode = lowPowerMode
    self.warmth = Warmth(rawValue: warmth) ?? .nominal
    self.network = Network(rawValue: network) ?? .unmetered
    self.dataSaver = dataSaver
    self.reducedMotion = reducedMotion
    self.autoplay = autoplay
  }
}

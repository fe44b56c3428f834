public import CoreTypes

/// Decides what may be spent on playing and fetching, from battery, warmth, network, what the decoder manages
/// and the person's wishes.
///
/// It refuses to know clips, players and bytes: it gives limits, others keep to them.
///
/// Invariants:
/// - A limit changes only with `limitsChanged`, which is emitted only when one did.
/// - Monotone in conditions: one that gets worse never loosens a limit, and of two sequences of events of
///   which one is nowhere better than the other, it never has the looser limits.
/// - Limits tighten at once. What is measured loosens them only after it has been better for its patience
///   without a break (`batteryPatience`, `warmthPatience`, `networkPatience`, `decoderPatience`); what the
///   person or the system switches (data saver, low power mode, autoplay, background) loosens them at once,
///   since they look for the effect.
/// - What the decoder dropped tightens sharpness alone, never below the smallest size, only by a whole sample
///   of one size, and not where smaller sizes drop as much.
/// - A battery that hovers at a bound changes nothing: a bound that was crossed counts until the level is
///   `batteryGap` above it.
/// - Total: any numbers, times and orders give limits within those of `PlaybackLimits.unlimited`.
///
/// Work per event: constant.
public struct EnergyBudget: Sendable {
  public enum Event: Sendable {
    case conditionsChanged(Conditions)
    /// What became of the frames of a clip on the screen since this was said last: how many were seen, and
    /// how many a decoder that was late has dropped.
    case framesShown(shortEdge: Int32, shown: Int32, dropped: Int32)
    case backgrounded
    case foregrounded
    case woke
  }

  public enum Command: Equatable, Sendable {
    case limitsChanged(PlaybackLimits)
  }

  /// iOS warns of the battery at these levels.
  public static let lowBattery: Int32 = 20
  public static let scarceBattery: Int32 = 10
  /// The same distance at which Android takes its battery warning back (`config_lowBatteryCloseWarningBump`).
  public static let batteryGap: Int32 = 5
  /// A plug that sits loose, a charger that comes and goes with the car.
  public static let batteryPatience = Milliseconds(30_000)
  /// A phone cools over minutes; loosened sooner, it would heat up again from the load that comes back.
  public static let warmthPatience = Milliseconds(60_000)
  /// At the edge of a Wi-Fi a phone changes back and forth every few seconds.
  public static let networkPatience = Milliseconds(10_000)
  /// Whatever else kept the device busy has an end; to try each clip anew would show it all again.
  public static let decoderPatience = Milliseconds(600_000)

  /// What is allowed now.
  public private(set) var limits = PlaybackLimits.unlimited
  private var conditions = Conditions()
  private var isLow = false
  private var isScarce = false
  private var battery = HysteresisLevel(patience: Self.batteryPatience)
  private var warmth = HysteresisLevel(patience: Self.warmthPatience)
  private var network = HysteresisLevel(patience: Self.networkPatience)
  private var decoder = DecoderLoad()
  private var inBackground = false
  private var now = Instant(.min)

  public init() {}

  /// When a limit may loosen without any further event.
  public var nextWake: Instant? {
    earlier(
      earlier(battery.reliefAt(now), warmth.reliefAt(now)),
      earlier(network.reliefAt(now), decoder.reliefAt))
  }

  public mutating func handle(_ event: Event, at time: Instant, emit: (Command) -> Void) {
    now = max(now, time)
    decoder.pass(now)
    switch event {
    case .conditionsChanged(let conditions): note(conditions)
    case .framesShown(let shortEdge, let shown, let dropped):
      // A page that nobody sees is drawn late on purpose.
      if !inBackground { decoder.note(shortEdge, shown: shown, dropped: dropped, at: now) }
    case .backgrounded: inBackground = true
    case .foregrounded: inBackground = false
    case .woke: break
    }
    let new = currentLimits
    guard new != limits else { return }
    limits = new
    emit(.limitsChanged(new))
  }

  private mutating func note(_ conditions: Conditions) {
    self.conditions = conditions
    let known = conditions.isCharging ? nil : conditions.batteryPercent
    let level = known ?? 100
    isLow = level <= Self.lowBattery || isLow && level < Self.lowBattery + Self.batteryGap
    isScarce = level <= Self.scarceBattery || isScarce && level < Self.scarceBattery + Self.batteryGap
    battery.note(isScarce ? 2 : isLow ? 1 : 0, at: now)
    warmth.note(Int(conditions.warmth.rawValue), at: now)
    network.note(conditions.network.level, at: now)
  }

  private var currentLimits: PlaybackLimits {
    var limits = PlaybackLimits.unlimited
    func apply(_ other: PlaybackLimits, if isDue: Bool) {
      if isDue { limits = limits.tightened(by: other) }
    }
    // Each level includes the milder ones, so that the table cannot break monotony by an oversight.
    let battery = battery.value(at: now)
    apply(.lowBattery, if: battery >= 1)
    apply(.scarceBattery, if: battery >= 2)
    let warmth = warmth.value(at: now)
    apply(.fair, if: warmth >= 1)
    apply(.serious, if: warmth >= 2)
    apply(.critical, if: warmth >= 3)
    let network = network.value(at: now)
    apply(.fastMobile, if: network >= 1)
    apply(.metered, if: network >= 2)
    apply(.frugal, if: network >= 3 || conditions.dataSaver)
    apply(.lowPower, if: conditions.lowPowerMode)
    apply(.reducedMotion, if: conditions.reducedMotion)
    apply(.onDemand, if: !conditions.autoplay)
    apply(.background, if: inBackground)
    limits.maxShortEdge = min(limits.maxShortEdge, decoder.maxShortEdge)
    return limits
  }
}

/// What battery, temperature, network and the person's own settings allow at the moment. Decided by
/// `EnergyBudget`, obeyed by the machines that fetch and play.
public struct PlaybackLimits: Equatable, Sendable {
  /// Nothing sharper is fetched, in px of the shorter side; `Int32.max`: whatever the screen shows.
  public var maxShortEdge: Int32
  /// How many clips ahead of the current one may be fetched: 0…4.
  public var clipsAhead: Int32
  /// What a byte costs against quality, in per cent of its price on an unmetered network.
  public var bytePricePercent: Int32
  /// Whether a clip starts without being asked to.
  public var playsByItself: Bool
  /// Whether a loop may be fetched again in better quality.
  public var upgradesLoops: Bool
  /// Frames a second for the interface's own animations.
  public var maxRefreshRate: Int32
  /// Whether clips may be written to disk that nobody asked to keep (for a later start without network).
  public var storesAhead: Bool

  public init(
    maxShortEdge: Int32, clipsAhead: Int32, bytePricePercent: Int32, playsByItself: Bool,
    upgradesLoops: Bool, maxRefreshRate: Int32, storesAhead: Bool = true
  ) {
    self.maxShortEdge = maxShortEdge
    self.clipsAhead = clipsAhead
    self.bytePricePercent = bytePricePercent
    self.playsByItself = playsByItself
    self.upgradesLoops = upgradesLoops
    self.maxRefreshRate = maxRefreshRate
    self.storesAhead = storesAhead
  }

  /// On mains power and an unmetered network.
  public static let unlimited = PlaybackLimits(
    maxShortEdge: .max, clipsAhead: 4, bytePricePercent: 100, playsByItself: true,
    upgradesLoops: true, maxRefreshRate: 120)

  /// What both allow.
  public func tightened(by other: PlaybackLimits) -> PlaybackLimits {
    PlaybackLimits(
      maxShortEdge: min(maxShortEdge, other.maxShortEdge),
      clipsAhead: min(clipsAhead, other.clipsAhead),
      bytePricePercent: max(bytePricePercent, other.bytePricePercent),
      playsByItself: playsByItself && other.playsByItself,
      upgradesLoops: upgradesLoops && other.upgradesLoops,
      maxRefreshRate: min(maxRefreshRate, other.maxRefreshRate),
      storesAhead: storesAhead && other.storesAhead)
  }
}

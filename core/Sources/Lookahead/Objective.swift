/// What a decision is worth: everything that a person notices and everything that bytes cost, in one
/// unit, the point.
///
/// A rendition is worth its utility (points per second of media) only where it is seen; the rest are
/// prices. Where the numbers come from is said at the objectives themselves.
public struct Objective: Equatable, Sendable {
  /// What a second of media is worth.
  public enum Utility: Equatable, Sendable {
    /// Shorter side of the picture over 360 px.
    case shortEdge
    /// Bit rate in Mbit/s.
    case bitRate
  }

  /// How it is found out what to do next: by playing actions out, or by a policy that was learned for this
  /// objective and follows no other prices.
  public enum Method: Equatable, Sendable { case rollouts, learned }

  public var utility: Utility
  /// Per second in which the person looks at a clip that does not move.
  public var stallPrice: Double
  /// Per Mbit, for all bytes.
  public var bytePrice: Double
  /// Per Mbit, for bytes that are never shown; on top of `bytePrice`.
  public var wastePrice: Double
  /// Per point of difference in utility between one segment and the next.
  public var switchPrice: Double
  /// How many times as much a change costs within a clip if the picture gets worse.
  public var fallFactor: Double
  /// At its end a clip makes way for the next one; otherwise it loops.
  public var advancesAtEnd: Bool
  public var method: Method
  /// What media are worth that are stored when a rollout ends, as a share of what they will bring: where
  /// the link is the scarce thing, a buffer saves time on it later; where it is not, a buffer is only bytes.
  public var stockShare: Double
  /// Standard deviation of the throughput over half a second, relative to its mean: what public traces of
  /// cellular networks show is 0.4 to 0.7 (shared notes on the challenge's traces).
  public var variation: Double
  /// What the throughput may be off its mean for a whole future, as a standard deviation of its logarithm:
  /// networks drift, and nothing is ever surer than this.
  public var drift: Double
  /// Share of futures in which the link is dead for `outage` seconds once: the lift, the tunnel, the
  /// handover that no average shows.
  public var outageShare: Double
  public var outage: Double
  /// What a second of media is worth, if it will be seen, that no rollout asks for: a reserve against a link
  /// that dies for longer than rollouts look. It is bought while nothing else is, so that it takes no time
  /// from the rest.
  public var reserveWorth: Double
  /// Lengths of the pauses that are weighed against a download, in seconds.
  public var shortPause: Double
  public var longPause: Double

  /// The objective of the product.
  ///
  /// A second of standstill spoils what more than three seconds at the best quality give; bytes that nobody
  /// sees cost five times what seen ones do; a picture that gets worse is noticed far more than one that gets
  /// better. Variation and outages are less than what links show: what they lack is the reserve's part, which
  /// costs no picture (`benchmarks/README.md`).
  public static let clipfeed = Objective(
    utility: .shortEdge, stallPrice: 10, bytePrice: 0.03, wastePrice: 0.13, switchPrice: 0.7, fallFactor: 5,
    advancesAtEnd: false, method: .rollouts, stockShare: 0, variation: 0.2, drift: 0.35, outageShare: 0.1,
    outage: 4, reserveWorth: 0.6,
    shortPause: 0.2, longPause: 0.6)

  /// The score of the ACM Multimedia 2022 Grand Challenge on short-video streaming.
  public static let challenge = Objective(
    utility: .bitRate, stallPrice: 1.85, bytePrice: 0.5, wastePrice: 0, switchPrice: 1, fallFactor: 1,
    advancesAtEnd: true, method: .learned, stockShare: 0.5, variation: 0.5, drift: 0.12, outageShare: 0,
    outage: 0, reserveWorth: 0,
    shortPause: 0.1, longPause: 0.35)
}

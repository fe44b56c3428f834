/// What a decision is worth: everything that a person notices and everything that bytes cost, in one
/// unit, the point.
///
/// A rendition is worth its utility (points per second of media) only where it is seen; the rest are
/// prices. Where the numbers come from is said at the objectives themselves.
public struct Objective: Equatable, Sendable {
  /// What a change of rendition costs between the last segment of a clip and the first of the next.
  public enum Handover: Equatable, Sendable {
    /// Nothing: a new clip is a new picture.
    case free
    /// The difference, and the whole utility of the next clip's first segment if that was there
    /// before the last segment of this one. The program of the ACM Multimedia 2022 Grand Challenge
    /// on short-video streaming does this (shared notes, "oddities").
    case challenge
  }

  /// What a second of media is worth.
  public enum Utility: Equatable, Sendable {
    /// Shorter side of the picture over 360 px.
    case shortEdge
    /// Bit rate in Mbit/s.
    case bitRate
  }

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
  public var handover: Handover
  /// At its end a clip makes way for the next one; otherwise it loops.
  public var advancesAtEnd: Bool
  /// With less than this to play from, in seconds, a rollout fetches for the current clip before all else.
  public var lowLead: Double
  /// What the current clip has to play from in a rollout, in seconds: a thrifty and a careful way to go on.
  public var shortLead: Double
  public var longLead: Double
  /// What media are worth that are stored when a rollout ends, as a share of what they will bring: where
  /// the link is the scarce thing, a stock saves time on it later; where it is not, a stock is only bytes.
  public var stockShare: Double
  /// What the throughput may be off its mean for a whole future, as a standard deviation of its logarithm:
  /// networks drift, and nothing is ever surer than this.
  public var drift: Double
  /// Share of futures in which the link is dead for `outage` seconds once: the lift, the tunnel, the
  /// handover that no average shows.
  public var outageShare: Double
  public var outage: Double
  /// Lengths of the pauses that are weighed against a download, in seconds.
  public var shortPause: Double
  public var longPause: Double

  /// The objective of the product.
  ///
  /// A second of standstill spoils what nearly three seconds at the best quality give; bytes that nobody sees
  /// cost five times what seen ones do; a picture that gets worse is noticed far more than one that gets
  /// better.
  public static let clipfeed = Objective(
    utility: .shortEdge, stallPrice: 8, bytePrice: 0.03, wastePrice: 0.13, switchPrice: 0.35, fallFactor: 5,
    handover: .free, advancesAtEnd: false, lowLead: 1.2, shortLead: 2.5, longLead: 8,
    stockShare: 0, drift: 0.35, outageShare: 0.2, outage: 4, shortPause: 0.2, longPause: 0.6)

  /// The score of the ACM Multimedia 2022 Grand Challenge on short-video streaming.
  public static let challenge = Objective(
    utility: .bitRate, stallPrice: 1.85, bytePrice: 0.5, wastePrice: 0, switchPrice: 1, fallFactor: 1,
    handover: .challenge, advancesAtEnd: true, lowLead: 2.5, shortLead: 2.5, longLead: 3.5,
    stockShare: 0.5, drift: 0.12, outageShare: 0, outage: 0, shortPause: 0.1, longPause: 0.35)
}

public import CoreTypes

/// What a person will do, whatever the network does: decided before the session, so that every policy
/// meets the same person, and one that knows the future can be told it.
public struct Plan: Sendable {
  /// A stay with one clip.
  public struct Visit: Sendable {
    public let page: Int
    /// How much of it is watched before the person goes on.
    public let watch: Milliseconds
    /// Goes on after this time whether or not anything was to be seen; `watch` counts on the clock then.
    public let isGlance: Bool
    /// Things that happen on the way, by how much was watched.
    public let incidents: [Incident]
    /// How the person leaves.
    public let swipe: Swipe
    /// Waits this long in all for pictures, then goes on.
    public let patience: Milliseconds
  }

  public struct Incident: Sendable {
    public enum Kind: Sendable {
      /// A tap, and another one after the time.
      case pause(Milliseconds)
      /// Another app, and back after the time.
      case away(Milliseconds)
      /// The finger begins to swipe, and thinks better of it.
      case hesitation
      /// The system is short of memory.
      case memoryWarning
    }

    public let after: Milliseconds
    public let kind: Kind
  }

  /// A drag: finger down, moves, up.
  public struct Swipe: Sendable {
    /// From the first movement to the release.
    public let duration: Milliseconds
    /// px and px/s, upward positive.
    public let travel: Int64
    public let velocity: Int64
  }

  public let visits: [Visit]

  /// What would be watched in all if nothing ever kept the person waiting.
  public var watch: Milliseconds { visits.reduce(.zero) { $0 + $1.watch } }

  public init(visits: [Visit]) { self.visits = visits }
}

extension Plan.Visit {
  /// A plain one, for scenarios by hand.
  public init(
    page: Int, watch: Milliseconds, isGlance: Bool = false, incidents: [Plan.Incident] = [],
    swipe: Plan.Swipe = .flick
  ) {
    self.init(
      page: page, watch: watch, isGlance: isGlance, incidents: incidents, swipe: swipe,
      patience: Milliseconds(60_000))
  }
}

extension Plan.Swipe {
  public static let flick = Plan.Swipe(duration: Milliseconds(96), travel: 240, velocity: 2_400)
}

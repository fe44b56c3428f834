/// What somebody did about a clip, beside watching it.
public struct Actions: OptionSet, Sendable {
  public let rawValue: UInt8
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let like = Actions(rawValue: 1)
  public static let share = Actions(rawValue: 2)
  public static let follow = Actions(rawValue: 4)
  public static let comment = Actions(rawValue: 8)
  public static let bookmark = Actions(rawValue: 16)
  public static let notInterested = Actions(rawValue: 32)

  static let liking: Actions = [.like, .share, .follow, .comment, .bookmark]
}

/// One clip was on one viewer's screen, and that is over.
public struct Impression: Sendable {
  public var viewer: EntityID
  public var clip: EntityID
  /// When it ended, in milliseconds since 1970.
  public var at: Int64
  /// How long it played, in milliseconds; all turns of a loop together. Nothing if nobody measured it.
  public var watched: Int64?
  public var actions: Actions
  /// Actions that came with it and that `observe(_:on:by:at:trust:)` was told of already: they are what came
  /// of the impression, and are not counted twice.
  public var observed: Actions
  /// Where: the tab of the feed, search, a profile. Any small number that the host keeps to.
  public var surface: UInt8
  /// How far the viewer is trusted, 0 to 1, as `TrustModel` has it: what it counts for others. Their own feed
  /// learns of it in full, unless it is 0, which counts for nothing at all.
  public var trust: Float
  /// Whether it was a long view, where a data set says so by itself; else the rule of `WatchLabels` does.
  public var longView: Bool?

  public init(
    viewer: EntityID, clip: EntityID, at: Int64, watched: Int64?, actions: Actions = [],
    observed: Actions = [], surface: UInt8 = 0, trust: Float = 1, longView: Bool? = nil
  ) {
    self.viewer = viewer
    self.clip = clip
    self.at = at
    self.watched = watched.map { min(max($0, 0), 86_400_000) }
    self.actions = actions
    self.observed = observed
    self.surface = surface
    self.trust = trust.bounded(0...1)
    self.longView = longView
  }
}

/// What is learned of an impression.
struct Labels: Sendable, Equatable {
  let isPositive: Bool
  let isAction: Bool
  let isSkip: Bool

  init(_ impression: Impression, duration: Int64) {
    let actions = impression.actions.union(impression.observed)
    let isDisliked = actions.contains(.notInterested)
    let isLong =
      impression.longView ?? impression.watched.map { WatchLabels.isLongView($0, of: duration) } ?? false
    isAction = !actions.isDisjoint(with: .liking) && !isDisliked
    isPositive = (isLong || isAction) && !isDisliked
    isSkip =
      isDisliked
      || !isPositive && impression.watched.map { WatchLabels.isQuickSkip($0, of: duration) } ?? false
  }

  /// An action that came when the impression was over.
  init(_ actions: Actions) {
    isSkip = actions.contains(.notInterested)
    isAction = !actions.isDisjoint(with: .liking) && !isSkip
    isPositive = isAction
  }
}

/// Who wants to watch, and what may not be shown to them.
public struct Request {
  public var viewer: EntityID
  /// Milliseconds since 1970.
  public var now: Int64
  public var surface: UInt8
  /// Of trending clips, those in this language come first; so do those of a page for a viewer of whom no like
  /// is known. Clips without one count as of every language. Nil: none is preferred.
  public var language: UInt64?
  /// Authors whom the viewer follows.
  public var followed: [EntityID]
  /// What was seen, is blocked, hidden or not ready. Asked once for a candidate, and before anything is
  /// said of it.
  public var isExcluded: (EntityID) -> Bool
  public var limits: Limits
  /// What the page goes by; nil: what the ranker's settings say.
  public var settings: Ranker.PageSettings?

  /// How many candidates each source gives at most.
  public struct Limits: Sendable, Equatable {
    public var vectors = 300
    public var coWatch = 200
    /// By the order of the last watches, where clips are few enough to look at all
    /// (`InvertedFile.Settings.exactBelow`).
    public var sequence = 100
    public var followed = 50
    public var trending = 50
    public var fresh = 40
    public var latest = 20

    public init() {}
  }

  public init(
    viewer: EntityID, now: Int64, surface: UInt8 = 0, language: UInt64? = nil, followed: [EntityID] = [],
    limits: Limits = Limits(), isExcluded: @escaping (EntityID) -> Bool = { _ in false }
  ) {
    self.viewer = viewer
    self.now = now
    self.surface = surface
    self.language = language
    self.followed = followed
    self.limits = limits
    self.isExcluded = isExcluded
  }
}

/// Where a candidate was found.
public struct Sources: OptionSet, Sendable, Hashable {
  public let rawValue: UInt8
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let vectors = Sources(rawValue: 1)
  public static let coWatch = Sources(rawValue: 2)
  public static let followed = Sources(rawValue: 4)
  public static let trending = Sources(rawValue: 8)
  public static let fresh = Sources(rawValue: 16)
  public static let latest = Sources(rawValue: 32)
  /// What comes next by the order of the last watches.
  public static let sequence = Sources(rawValue: 64)
}

/// A clip that may be shown.
public struct Candidate: Sendable, Equatable {
  public let clip: EntityID
  /// Its number in the ranker: good until the next `refit()` or `remove`.
  let number: UInt32
  public let sources: Sources
  /// What it has in common with the viewer's history.
  let coWatch: Float
  /// Of the blend, among these candidates; for comparison only.
  public let score: Float
}

/// Why a clip is on a page, in facts that a person can check.
public enum Reason: Sendable, Hashable {
  /// The viewer follows the author.
  case followedAuthor(EntityID)
  /// People who liked that clip, which the viewer liked, liked this one too.
  case likedClip(EntityID)
  /// The viewer liked so many clips of this author.
  case likedAuthor(EntityID, count: Int)
  /// The viewer liked clips with this tag.
  case likedTag(UInt64)
  /// What the viewer liked resembles it.
  case resembling
  /// New, and shown to a few first.
  case new
  /// Liked by many these days.
  case trending
  /// New, and nothing else is known.
  case latest
  /// Drawn by lot, so that the ranking can be judged.
  case drawn
}

/// A place of a page.
public struct RankedClip: Sendable, Equatable {
  public let clip: EntityID
  public let reason: Reason
  public let sources: Sources
  /// How likely this clip was to come to this place, given the places before it. For the log.
  public let propensity: Double
  /// What may come of it.
  public let probabilities: [Head: Float]
  /// What the order went by: the sum of probabilities times their worth, or what a model elsewhere gave. A
  /// clip that the lot drew from beyond the candidates has the sum.
  public let score: Float
}

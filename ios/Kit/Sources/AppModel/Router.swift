public import Contract
public import Observation

/// What lies over the feed: one screen at a time, each at a place of its own, so that going back leaves it.
///
/// It refuses to know what screens look like and what their models hold.
@MainActor @Observable public final class Router {
  /// A place that people can be at, beside the feed.
  public enum Destination: Hashable, Sendable {
    case comments(clip: String)
    /// What happened, and what of it somebody hears of.
    case notifications
    case notificationSettings
    case conversations
    case conversation(with: String)
    case account
    case recording
    case upload
    case settings
    case keptClips
    case search
    /// Grids of clips.
    case tag(String)
    case trending
    case similar(clip: String)
    /// What the feed goes by.
    case taste
    /// How a clip of one's own does.
    case insights(clip: String)
    /// Somebody by their handle, and their lists of people.
    case profile(String)
    case followers(of: String)
    case following(of: String)
    /// What one says of oneself.
    case profileEditing
    /// A clip from words: asking for one, all that were asked for, and one of them.
    case generating
    case generations
    case generation(String)
    /// Something is reported to moderators.
    case report(ReportedKind, of: String)
  }

  /// The screens over the feed, the last one on top.
  public private(set) var path: [Destination] = []

  public init() {}

  /// The one that is seen; `nil` is the feed.
  public var top: Destination? { path.last }

  /// Opens a screen on top, or comes back to it if it lies below.
  public func open(_ destination: Destination) {
    if let index = path.firstIndex(of: destination) {
      path.removeSubrange((index + 1)...)
    } else {
      path.append(destination)
    }
  }

  /// Leaves the screen on top.
  public func back() { _ = path.popLast() }

  /// Leaves all screens: the feed is seen.
  public func showFeed() { path = [] }

  /// Goes back to screens that were left for the feed.
  public func reopen(_ screens: [Destination]) { path = screens }
}

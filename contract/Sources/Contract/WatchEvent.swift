/// One thing that happened while somebody watched. Sent in batches, and again as often as need be: an id
/// counts once.
public struct WatchEvent: Codable, Sendable, Equatable {
  public enum Kind: String, Codable, Sendable, CaseIterable {
    /// The clip became the current one.
    case impression
    /// Its first frame was shown, `took_ms` after that.
    case firstFrame = "first_frame"
    /// It goes on, `watched_ms` so far.
    case progress
    /// It began anew.
    case loop
    /// It was shown to its end for the first time.
    case completion
    /// The viewer went on before its end, after `watched_ms`.
    case skip
    /// It stood still for `took_ms`.
    case stall
  }

  /// Where the clip was come upon. It is a closed set: each is counted apart for the clip's owner.
  public enum Source: String, Codable, Sendable, CaseIterable {
    /// A tab of the feed.
    case forYou = "for_you"
    case following, latest
    /// The feed, of a client that does not tell its tabs apart.
    case feed
    /// What rises now, and "More like this".
    case trending, similar
    case search
    /// The clip's own address.
    case link
    case likes, bookmarks
    /// The clips of one author.
    case author
    /// The list of one's own clips.
    case own
    /// Anywhere else, or not said.
    case other
  }

  /// Chosen by the client, anew for each event.
  public var id: String
  public var clipId: String
  public var kind: Kind
  /// By the client's clock, in milliseconds since 1970.
  public var atMs: Int64
  public var tookMs: Int64?
  public var watchedMs: Int64?
  public var source: Source?
  /// The how-manieth clip of this visit it was, from 0.
  public var position: Int64?

  public init(
    id: String, clipID: String, kind: Kind, atMs: Int64, tookMs: Int64? = nil, watchedMs: Int64? = nil,
    source: Source? = nil, position: Int64? = nil
  ) {
    self.id = id
    self.clipId = clipID
    self.kind = kind
    self.atMs = atMs
    self.tookMs = tookMs
    self.watchedMs = watchedMs
    self.source = source
    self.position = position
  }
}

/// The body of a batch.
public struct WatchEvents: Codable, Sendable, Equatable {
  /// When it is sent, by the clock of the events: from it the server learns how wrong that clock is. Without
  /// it the clock counts as right.
  public var sentAtMs: Int64?
  public var events: [WatchEvent]

  public init(_ events: [WatchEvent], sentAtMs: Int64? = nil) {
    self.sentAtMs = sentAtMs
    self.events = events
  }
}

public struct WatchEventsTaken: Codable, Sendable, Equatable {
  /// How many counted, now or when they came before. The others are of clips that are not there (any more),
  /// or too old, or from the future; sending them again does not help.
  public var accepted: Int

  public init(accepted: Int) {
    self.accepted = accepted
  }
}

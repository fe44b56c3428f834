public import Foundation

/// How a clip does, for its owner alone. It holds numbers and no names: nobody learns who watched.
public struct ClipInsights: Codable, Sendable, Equatable {
  /// Where viewers came upon it.
  public struct Found: Codable, Sendable, Hashable {
    public var source: WatchEvent.Source
    public var impressions: Int
    /// The views among them.
    public var views: Int

    public init(source: WatchEvent.Source, impressions: Int, views: Int) {
      self.source = source
      self.impressions = impressions
      self.views = views
    }
  }

  /// One day, in UTC: what came on it, less what was taken back on it.
  public struct Day: Codable, Sendable, Equatable {
    /// Its first instant.
    public var day: Date
    public var impressions: Int
    public var views: Int
    public var likes: Int
    public var bookmarks: Int
    public var shares: Int
    public var comments: Int

    public init(
      day: Date, impressions: Int = 0, views: Int = 0, likes: Int = 0, bookmarks: Int = 0, shares: Int = 0,
      comments: Int = 0
    ) {
      self.day = day
      self.impressions = impressions
      self.views = views
      self.likes = likes
      self.bookmarks = bookmarks
      self.shares = shares
      self.comments = comments
    }
  }

  /// How long those stay who start it. Shares are in millionths.
  public struct Staying: Codable, Sendable, Equatable {
    /// How much of the clip was watched, in the mean over visits, each at most once through.
    public var watchedShare: Int
    /// Of the visits, those that came to its end.
    public var completionShare: Int
    /// As `Playback.retention`, of all visits so far.
    public var retention: [Int]

    public init(watchedShare: Int, completionShare: Int, retention: [Int]) {
      self.watchedShare = watchedShare
      self.completionShare = completionShare
      self.retention = retention
    }
  }

  /// How often it was the clip on a screen.
  public var impressions: Int
  public var views: Int
  /// How many have viewed it, each once; a guest who comes back without a cookie is another.
  public var viewers: Int
  public var likes: Int
  public var bookmarks: Int
  public var shares: Int
  public var comments: Int
  /// Null: impressions, `found` and `days` are counted since there is the clip. Else they begin here, and may
  /// be less than `views`, which never began anew.
  public var countedSince: Date?
  /// The most frequent first; places where it was never come upon are left out.
  public var found: [Found]
  /// The last 28, the oldest first, today last.
  public var days: [Day]
  public var durationMs: Int
  /// Visits whose end is known, once for each viewer in half an hour.
  public var starts: Int
  /// So many it takes for `staying`: fewer would tell of people and not of the clip.
  public var startsNeeded: Int
  /// Null until there are enough.
  public var staying: Staying?

  public init(
    impressions: Int, views: Int, viewers: Int, likes: Int, bookmarks: Int, shares: Int, comments: Int,
    countedSince: Date? = nil, found: [Found] = [], days: [Day] = [], durationMs: Int, starts: Int,
    startsNeeded: Int, staying: Staying? = nil
  ) {
    self.impressions = impressions
    self.views = views
    self.viewers = viewers
    self.likes = likes
    self.bookmarks = bookmarks
    self.shares = shares
    self.comments = comments
    self.countedSince = countedSince
    self.found = found
    self.days = days
    self.durationMs = durationMs
    self.starts = starts
    self.startsNeeded = startsNeeded
    self.staying = staying
  }
}

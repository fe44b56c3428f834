/// What whoever asks has to do with a clip. It comes with the clip only if something of it is so.
public struct ClipViewer: Codable, Sendable, Equatable {
  public var liked: Bool
  public var bookmarked: Bool
  /// The author of the clip, that is.
  public var following: Bool
  /// Said by the feed alone: it has run out of clips that are new to the viewer, and shows this one again.
  public var seen: Bool

  public init(liked: Bool = false, bookmarked: Bool = false, following: Bool = false, seen: Bool = false) {
    self.liked = liked
    self.bookmarked = bookmarked
    self.following = following
    self.seen = seen
  }
}

/// How a like stands after it was given or taken back.
public struct LikeState: Codable, Sendable, Equatable {
  public var liked: Bool
  /// Of everybody.
  public var likes: Int

  public init(liked: Bool, likes: Int) {
    self.liked = liked
    self.likes = likes
  }
}

public struct BookmarkState: Codable, Sendable, Equatable {
  public var bookmarked: Bool

  public init(bookmarked: Bool) {
    self.bookmarked = bookmarked
  }
}

public struct FollowState: Codable, Sendable, Equatable {
  public var following: Bool
  public var followers: Int

  public init(following: Bool, followers: Int) {
    self.following = following
    self.followers = followers
  }
}

public struct BlockState: Codable, Sendable, Equatable {
  public var blocked: Bool

  public init(blocked: Bool) {
    self.blocked = blocked
  }
}

/// How often a clip was shared so far.
public struct ShareCount: Codable, Sendable, Equatable {
  public var shares: Int

  public init(shares: Int) {
    self.shares = shares
  }
}

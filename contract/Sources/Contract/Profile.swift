public import Foundation

/// Somebody who makes clips, on a page of their own.
public struct Profile: Codable, Sendable, Equatable {
  public var author: Author
  /// Some lines about them; empty: they said nothing.
  public var bio: String
  /// Addresses of the web that they show, `https` or `http`.
  public var links: [String]
  /// Public ones.
  public var clips: Int
  public var followers: Int
  /// Authors whom they follow.
  public var following: Int
  /// Others are shown the public clips that they like.
  public var likesPublic: Bool
  public var joinedAt: Date
  /// What whoever asks has to do with them.
  public var viewer: ProfileViewer

  public init(
    author: Author, bio: String, links: [String], clips: Int, followers: Int, following: Int,
    likesPublic: Bool = false, joinedAt: Date, viewer: ProfileViewer
  ) {
    self.author = author
    self.bio = bio
    self.links = links
    self.clips = clips
    self.followers = followers
    self.following = following
    self.likesPublic = likesPublic
    self.joinedAt = joinedAt
    self.viewer = viewer
  }
}

/// What whoever asks has to do with somebody.
public struct ProfileViewer: Codable, Sendable, Equatable {
  /// It is their own profile.
  public var isSelf: Bool
  public var following: Bool
  /// The other way round.
  public var followed: Bool
  /// Whoever asks has blocked them, and is told who they are and nothing else. The other way round there is
  /// no profile.
  public var blocked: Bool

  public init(isSelf: Bool = false, following: Bool = false, followed: Bool = false, blocked: Bool = false) {
    self.isSelf = isSelf
    self.following = following
    self.followed = followed
    self.blocked = blocked
  }
}

/// The body of `PATCH account/profile`. What is null stays as it is.
public struct ProfileChange: Codable, Sendable, Equatable {
  public var bio: String?
  public var links: [String]?
  /// Whether others are shown the public clips that they like.
  public var likesPublic: Bool?

  public init(bio: String? = nil, links: [String]? = nil, likesPublic: Bool? = nil) {
    self.bio = bio
    self.links = links
    self.likesPublic = likesPublic
  }
}

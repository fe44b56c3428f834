public import Foundation

/// One clip as the feed shows it, with all that a player needs for its first frame.
public struct Clip: Codable, Sendable, Equatable {
  public var id: String
  public var caption: String
  /// Without `#`, lower case.
  public var tags: [String]
  public var createdAt: Date
  public var author: Author
  public var counts: Counts
  public var comments: Commenting
  /// Size of the best rendition, in square pixels.
  public var width: Int
  public var height: Int
  public var poster: Poster
  /// Null: the poster is the cover.
  public var cover: Cover?
  public var playback: Playback
  /// Null for a public clip. If it is another, every media address in here is sealed: it ends after an hour
  /// or two, and asking again gives a new one (`media_address_expired`).
  public var visibility: Visibility?
  /// True for a clip that is for adults alone; null for every other one.
  public var forAdults: Bool?
  /// Null: whoever asks has nothing to do with it yet.
  public var viewer: ClipViewer?
  /// Why it is shown; only in the tab "For you".
  public var reason: ClipReason?
  /// True: it was made by AI, here or by the word of the file that was uploaded; null for all others.
  public var aiGenerated: Bool?
  /// The sound that it shares with other public clips (`Route.soundPage`); null: none is known to.
  public var soundId: String?

  public init(
    id: String, caption: String, tags: [String] = [], createdAt: Date, author: Author, counts: Counts,
    comments: Commenting = .open, width: Int, height: Int, poster: Poster, cover: Cover? = nil,
    playback: Playback, visibility: Visibility? = nil, forAdults: Bool? = nil, viewer: ClipViewer? = nil,
    reason: ClipReason? = nil, aiGenerated: Bool? = nil, soundID: String? = nil
  ) {
    self.id = id
    self.caption = caption
    self.tags = tags
    self.createdAt = createdAt
    self.author = author
    self.counts = counts
    self.comments = comments
    self.width = width
    self.height = height
    self.poster = poster
    self.cover = cover
    self.playback = playback
    self.visibility = visibility
    self.forAdults = forAdults
    self.viewer = viewer
    self.reason = reason
    self.aiGenerated = aiGenerated
    soundId = soundID
  }
}

/// Whether a clip takes comments and reactions now. Those it has can be read all the same.
public enum Commenting: String, Codable, Sendable, CaseIterable { case open, off }

public struct Author: Codable, Sendable, Equatable {
  public var id: String
  public var handle: String
  public var name: String
  /// Nil: they have none, or it plays no part where this stands.
  public var picture: AuthorPicture?

  /// The handle of the author that all guests share, and of a guest who writes.
  public static let guestHandle = "guest"

  /// Somebody without an account, by the id that they are known by.
  public static func guest(_ id: String) -> Author { Author(id: id, handle: guestHandle, name: "Guest") }

  public init(id: String, handle: String, name: String, picture: AuthorPicture? = nil) {
    self.id = id
    self.handle = handle
    self.name = name
    self.picture = picture
  }
}

public struct Counts: Codable, Sendable, Equatable {
  public var likes: Int
  public var comments: Int
  public var shares: Int
  public var views: Int
  /// How often the clip got each reaction; those that it never got are left out.
  public var reactions: [String: Int]

  public init(
    likes: Int = 0, comments: Int = 0, shares: Int = 0, views: Int = 0, reactions: [String: Int] = [:]
  ) {
    self.likes = likes
    self.comments = comments
    self.shares = shares
    self.views = views
    self.reactions = reactions
  }
}

/// The exact first frame of the clip.
public struct Poster: Codable, Sendable, Equatable {
  public var url: String
  public var width: Int
  public var height: Int
  /// A ThumbHash in base64: some 25 bytes that become a blurred picture at once.
  public var placeholder: String

  public init(url: String, width: Int, height: Int, placeholder: String) {
    self.url = url
    self.width = width
    self.height = height
    self.placeholder = placeholder
  }
}

/// The moment that stands for the clip wherever it does not play, as its creator chose it. What plays starts
/// with the poster all the same.
public struct Cover: Codable, Sendable, Equatable {
  public var url: String
  public var width: Int
  public var height: Int
  /// As that of the poster.
  public var placeholder: String

  public init(url: String, width: Int, height: Int, placeholder: String) {
    self.url = url
    self.width = width
    self.height = height
    self.placeholder = placeholder
  }
}

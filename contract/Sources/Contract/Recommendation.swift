/// An order in which the feed can be watched.
public enum FeedTab: String, Codable, Sendable, CaseIterable {
  /// What may please whoever asks, learned from what they watched and liked.
  case forYou = "for_you"
  /// Of authors whom whoever asks follows, newest first.
  case following
  /// All public clips, newest first.
  case latest
}

/// Why a clip is in "For you", as a fact that whoever asks can check.
public struct ClipReason: Codable, Sendable, Equatable {
  public enum Kind: String, Codable, Sendable, CaseIterable {
    /// Whoever asks follows the author.
    case followedAuthor = "followed_author"
    /// People who liked `clip_id`, as whoever asks did, liked this one too.
    case likedClip = "liked_clip"
    /// Whoever asks liked `count` clips of the author, or watched them to the end.
    case likedAuthor = "liked_author"
    /// Whoever asks liked clips with `tag`, or watched them to the end.
    case likedTag = "liked_tag"
    /// It resembles what whoever asks liked.
    case resembling
    /// It is new, and shown to a few first.
    case new
    /// It is liked by many these days.
    case trending
    /// It is recent, and nothing else is known.
    case latest
    /// It was drawn by lot, so that the order can be judged.
    case drawn
  }

  public var kind: Kind
  /// With `liked_clip`.
  public var clipId: String?
  /// Who that clip is of.
  public var author: Author?
  /// With `liked_author`.
  public var count: Int?
  /// With `liked_tag`.
  public var tag: String?

  public init(
    _ kind: Kind, clipID: String? = nil, author: Author? = nil, count: Int? = nil, tag: String? = nil
  ) {
    self.kind = kind
    clipId = clipID
    self.author = author
    self.count = count
    self.tag = tag
  }
}

/// What whoever asks wants less of in "For you": one of a clip, an author, a tag and a sound.
public struct Dismissal: Codable, Sendable, Equatable {
  public enum Kind: String, Codable, Sendable, CaseIterable { case clip, author, tag, sound }

  public var kind: Kind
  /// The id of the clip, of the author or of the sound, or the tag.
  public var subject: String

  public init(_ kind: Kind, _ subject: String) {
    self.kind = kind
    self.subject = subject
  }
}

/// What "For you" goes by, for the person that it is about.
public struct Taste: Codable, Sendable, Equatable {
  public struct LikedTag: Codable, Sendable, Equatable {
    public var tag: String
    /// Of the last hundred clips that were liked or watched to the end, so many have it.
    public var clips: Int

    public init(tag: String, clips: Int) {
      self.tag = tag
      self.clips = clips
    }
  }

  public struct LikedAuthor: Codable, Sendable, Equatable {
    public var author: Author
    /// As that of a tag.
    public var clips: Int

    public init(author: Author, clips: Int) {
      self.author = author
      self.clips = clips
    }
  }

  /// An author, a tag or a sound that "For you" leaves out, as whoever asks wished.
  public struct Dismissed: Codable, Sendable, Equatable {
    public var dismissal: Dismissal
    /// With an author; with a sound, whoever made the first public clip that has it.
    public var author: Author?

    public init(_ dismissal: Dismissal, author: Author? = nil) {
      self.dismissal = dismissal
      self.author = author
    }
  }

  /// Whether "For you" is learned from what whoever asks does. If not, it is what `latest` is.
  public var personalised: Bool
  /// The most frequent first.
  public var tags: [LikedTag]
  public var authors: [LikedAuthor]
  /// The last one first. Clips are not among them: they do not come back.
  public var dismissed: [Dismissed]

  public init(
    personalised: Bool = true, tags: [LikedTag] = [], authors: [LikedAuthor] = [],
    dismissed: [Dismissed] = []
  ) {
    self.personalised = personalised
    self.tags = tags
    self.authors = authors
    self.dismissed = dismissed
  }
}

/// Whether "For you" may learn.
public struct Personalisation: Codable, Sendable, Equatable {
  public var personalised: Bool

  public init(personalised: Bool) {
    self.personalised = personalised
  }
}

public import Contract

/// What a clip's page shows beside its picture: whose it is, what is said of it, how it is counted, and how
/// whoever watches stands to it.
public struct ClipStanding: Equatable, Sendable {
  public let id: String
  public let authorID: String
  public let name: String
  /// Empty where there is none.
  public let handle: String
  public let caption: CaptionText
  public let counts: Counts
  public let takesComments: Bool
  public let isPrivate: Bool
  public let isMadeByAI: Bool
  /// `nil`: no other public clip is known to have its sound.
  public let soundID: String?
  public let isLiked: Bool
  public let isBookmarked: Bool
  public let isFollowing: Bool
  /// Nobody follows themselves; nor the author that all guests share, of whom whoever asks may be one.
  public let canFollow: Bool
  /// Guests share one author, who has none.
  public let hasProfile: Bool
  /// Whether whoever asks has made it.
  public let owner: Ownership.Owner
  /// This device knows the upload, with which anybody sees the clip, whatever its visibility.
  public let hasSecret: Bool

  init(
    _ clip: Clip, counts: Counts, viewer: ClipViewer, owner: Ownership.Owner, hasSecret: Bool = false
  ) {
    id = clip.id
    authorID = clip.author.id
    name = clip.author.name.isEmpty ? clip.author.handle : clip.author.name
    handle = clip.author.handle
    caption = CaptionText(clip.caption, tags: clip.tags)
    self.counts = counts
    takesComments = clip.comments == .open
    isPrivate = clip.visibility == .private
    isMadeByAI = clip.aiGenerated == true
    soundID = clip.soundId
    isLiked = viewer.liked
    isBookmarked = viewer.bookmarked
    isFollowing = viewer.following
    self.owner = owner
    self.hasSecret = hasSecret
    canFollow = !clip.author.id.isEmpty && owner == .other && clip.author.handle != Author.guestHandle
    hasProfile = clip.author.hasProfile
  }

  /// Stands where a picture of the author would.
  public var initial: String {
    name.unicodeScalars.first.map { String($0).uppercased() } ?? ""
  }
}

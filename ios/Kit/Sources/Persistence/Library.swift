public import Contract
public import Foundation

/// What one visit leaves to the next: clips that stand there at once while the feed is asked for what is
/// new.
public struct LastFeed: Codable, Equatable, Sendable {
  /// As many as the core has on disk at most, and the one on the screen.
  public static let most = 6
  private static let days = 7.0

  /// The one on the screen comes first.
  public let clips: [Clip]
  public let shown: String
  public let until: Date
  /// Of which they are; `nil`: written when there was but one.
  public let tab: FeedTab?

  /// `nil`: there is nothing to leave.
  public init?(_ clips: [Clip], of tab: FeedTab? = nil, at now: Date) {
    guard let first = clips.first else { return nil }
    // What this person has to do with a clip is asked for anew.
    self.clips = clips.prefix(Self.most).map { clip in
      var clip = clip
      clip.viewer = nil
      return clip
    }
    shown = first.id
    self.tab = tab
    until = now.addingTimeInterval(Self.days * 86_400)
  }

  /// Clips that nobody has seen yet, for the next visit; `nil`: there are none.
  public init?(fresh clips: [Clip], of tab: FeedTab? = nil, at now: Date) {
    guard let left = LastFeed(clips, of: tab, at: now) else { return nil }
    self.clips = left.clips
    self.tab = tab
    shown = ""
    until = left.until
  }

  /// None if it is long ago, or of another tab than `wanted`. The one that was on the screen is for whoever
  /// `returns` to it; others have watched it.
  public func clips(returns: Bool, of wanted: FeedTab? = nil, at now: Date) -> [Clip] {
    guard now < until, tab == nil || wanted == nil || tab == wanted else { return [] }
    return clips.filter { returns || $0.id != shown }
  }
}

/// The files of this app that are not media.
public struct Library: Sendable {
  public let lastFeed: StoredFile<LastFeed>
  /// What is written: in the message bar by clip, under clips, and in conversations by person.
  public let drafts: StoredFile<Drafts>
  public let commentDrafts: StoredFile<Drafts>
  public let conversationDrafts: StoredFile<Drafts>
  /// Whether somebody without an account has written to anybody, and so may get answers.
  public let hasWritten: StoredFile<Bool>
  /// Where the proxy listened last time.
  public let port: StoredFile<UInt16>

  public init(root: URL) {
    lastFeed = StoredFile(root.appending(path: "last-feed"))
    drafts = StoredFile(root.appending(path: "drafts"), version: 2)
    commentDrafts = StoredFile(root.appending(path: "comment-drafts"))
    conversationDrafts = StoredFile(root.appending(path: "conversation-drafts"))
    hasWritten = StoredFile(root.appending(path: "has-written"))
    port = StoredFile(root.appending(path: "port"))
  }
}

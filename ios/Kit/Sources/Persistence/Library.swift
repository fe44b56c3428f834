public import Contract
public import Foundation

/// What one visit leaves to the next: clips that stand there at once while the feed is asked for what is new.
public struct LastFeed: Codable, Equatable, Sendable {
  /// As many as the core has on disk at most, and the one on the screen.
  public static let most = 6
  private static let days = 7.0

  /// The one on the screen comes first.
  public let clips: [Clip]
  public let shown: String
  public let until: Date

  /// `nil`: there is nothing to leave.
  public init?(_ clips: [Clip], at now: Date) {
    guard let first = clips.first else { return nil }
    // What this person has to do with a clip is asked for anew.
    self.clips = clips.prefix(Self.most).map { clip in
      var clip = clip
      clip.viewer = nil
      return clip
    }
    shown = first.id
    until = now.addingTimeInterval(Self.days * 86_400)
  }

  /// None if it is long ago. The one that was on the screen is for whoever `returns` to it; others have
  /// watched it.
  public func clips(returns: Bool, at now: Date) -> [Clip] {
    guard now < until else { return [] }
    return clips.filter { returns || $0.id != shown }
  }
}

/// A text that is not sent yet, and the key under which it was: so that it is sent again without a second
/// copy.
public struct Draft: Codable, Equatable, Sendable {
  public var clip: String
  public var text: String
  public var key: String?

  public init(clip: String, text: String, key: String? = nil) {
    self.clip = clip
    self.text = text
    self.key = key
  }
}

/// Drafts by clip, the newest last.
public struct Drafts: Codable, Equatable, Sendable {
  /// Whoever begins more has forgotten the first.
  static let most = 100

  public private(set) var all: [Draft] = []

  public init() {}

  public subscript(clip: String) -> Draft? {
    get { all.first { $0.clip == clip } }
    set {
      all.removeAll { $0.clip == clip }
      if let newValue { all.append(newValue) }
      all.removeFirst(max(0, all.count - Self.most))
    }
  }
}

/// The files of this app that are not media.
public struct Library: Sendable {
  public let lastFeed: StoredFile<LastFeed>
  public let drafts: StoredFile<Drafts>
  /// Where the proxy listened last time.
  public let port: StoredFile<UInt16>

  public init(root: URL) {
    lastFeed = StoredFile(root.appending(path: "last-feed"))
    drafts = StoredFile(root.appending(path: "drafts"))
    port = StoredFile(root.appending(path: "port"))
  }
}

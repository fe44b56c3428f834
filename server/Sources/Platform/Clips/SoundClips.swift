public import Contract

/// Public clips that have a sound, newest first, as everybody sees them.
public struct SoundClips: Sendable {
  /// Clips that are counted of one sound, at most.
  public static let mostCounted = 10_000

  public let id: String
  /// How many clips have it, on all pages; one more than `mostCounted` means more than that.
  public let clips: Int
  /// Whoever made the first of them.
  public let author: Author
  public let items: [Clip]
  public let nextCursor: String?

  public init(id: String, clips: Int, author: Author, items: [Clip], nextCursor: String?) {
    self.id = id
    self.clips = clips
    self.author = author
    self.items = items
    self.nextCursor = nextCursor
  }
}

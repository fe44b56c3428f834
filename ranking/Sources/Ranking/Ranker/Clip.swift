/// What a ranker is told of a clip.
public struct Clip: Sendable, Equatable {
  public var id: EntityID
  public var author: EntityID
  /// Hashes (`StableHash.of`) of its tags; the first eight count.
  public var tags: ClipTags
  public var sound: UInt64?
  public var language: UInt64?
  /// In milliseconds.
  public var duration: Int64
  /// When it became public, in milliseconds since 1970.
  public var publishedAt: Int64

  public init(
    id: EntityID, author: EntityID, tags: [UInt64] = [], sound: UInt64? = nil, language: UInt64? = nil,
    duration: Int64, publishedAt: Int64
  ) {
    self.id = id
    self.author = author
    self.tags = ClipTags(tags)
    self.sound = sound
    self.language = language
    self.duration = min(max(duration, 0), 86_400_000)
    self.publishedAt = publishedAt
  }
}

/// A clip and what came of its impressions. Its number is its place in all arrays of the ranker.
struct ClipRecord: Sendable, Equatable {
  var clip: Clip
  var isGone = false
  var rates = Rates()
  var exploration = Exploration.Posterior()
}

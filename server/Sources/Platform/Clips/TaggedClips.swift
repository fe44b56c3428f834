public import Contract

/// Public clips that have a tag, newest first, as everybody sees them.
public struct TaggedClips: Sendable {
  /// As it is spelled.
  public let tag: String
  public let items: [Clip]
  public let nextCursor: String?

  public init(tag: String, items: [Clip], nextCursor: String?) {
    self.tag = tag
    self.items = items
    self.nextCursor = nextCursor
  }
}

/// What another site needs to show a clip in one of its pages: the `video` type of oEmbed 1.0 (oembed.com).
/// Lengths are in pixels of a page.
public struct Embed: Codable, Sendable, Equatable {
  public var version: String
  public var type: String
  public var title: String
  public var authorName: String
  public var providerName: String
  public var providerUrl: String
  /// Null if it is larger than was asked for.
  public var thumbnailUrl: String?
  public var thumbnailWidth: Int?
  public var thumbnailHeight: Int?
  public var width: Int
  public var height: Int
  /// An `iframe` of the player's page.
  public var html: String

  public init(
    title: String, authorName: String, providerName: String, providerUrl: String, width: Int, height: Int,
    html: String
  ) {
    version = "1.0"
    type = "video"
    self.title = title
    self.authorName = authorName
    self.providerName = providerName
    self.providerUrl = providerUrl
    self.width = width
    self.height = height
    self.html = html
  }
}

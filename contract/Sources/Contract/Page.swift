/// One page of a list, newest first.
public struct Page<Item: Codable & Sendable & Equatable>: Codable, Sendable, Equatable {
  public var items: [Item]
  /// Where the next page starts; `null` when there is nothing more.
  public var nextCursor: String?

  public init(items: [Item], nextCursor: String?) {
    self.items = items
    self.nextCursor = nextCursor
  }

  // NB: written by hand, because the synthesised form leaves the key out instead of writing `null`,
  // and clients tell "the end" from "an older server" by it.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(items, forKey: .items)
    try container.encode(nextCursor, forKey: .nextCursor)
  }

  enum CodingKeys: String, CodingKey { case items, nextCursor }
}

public typealias FeedPage = Page<Clip>
public typealias AuthorPage = Page<Author>
public typealias NoticePage = Page<AccountNotice>
public typealias CommentPage = Page<ClipComment>

/// The body of `/healthz` and `/readyz`.
public struct Health: Codable, Sendable, Equatable {
  public var status: String
  /// Each part that was looked at, with "ok" or what is wrong with it.
  public var checks: [String: String]

  public init(status: String, checks: [String: String] = [:]) {
    self.status = status
    self.checks = checks
  }
}

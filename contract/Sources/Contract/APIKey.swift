public import Foundation

/// What a key of an account may be used for. There will be more.
public enum APIKeyScope: String, Codable, Sendable, CaseIterable {
  /// To look at videos from words and to download them.
  case readVideos = "videos:read"
  /// To have them made, for the account's credits, and to delete them.
  case writeVideos = "videos:write"
}

/// A key by which a program acts for an account, at the addresses of the videos dialect alone.
public struct APIKey: Codable, Sendable, Equatable, Identifiable {
  public var id: String
  /// What its owner calls it.
  public var name: String
  public var scopes: [APIKeyScope]
  public var createdAt: Date
  /// Nil: nobody came by it yet. To the minute.
  public var usedAt: Date?
  /// Nil: it does not expire.
  public var expiresAt: Date?

  public init(
    id: String, name: String, scopes: [APIKeyScope], createdAt: Date, usedAt: Date? = nil,
    expiresAt: Date? = nil
  ) {
    self.id = id
    self.name = name
    self.scopes = scopes
    self.createdAt = createdAt
    self.usedAt = usedAt
    self.expiresAt = expiresAt
  }
}

/// Newest first, without those that were revoked. They are bounded in number, so there are no pages.
public struct APIKeys: Codable, Sendable, Equatable {
  public var items: [APIKey]

  public init(items: [APIKey]) { self.items = items }
}

/// The body of `POST account/keys`.
public struct NewAPIKey: Codable, Sendable, Equatable {
  public var name: String
  public var scopes: [APIKeyScope]
  /// Nil: it does not expire.
  public var expiresInDays: Int?
  public var owner: OwnerProof

  public init(name: String, scopes: [APIKeyScope], expiresInDays: Int? = nil, owner: OwnerProof) {
    self.name = name
    self.scopes = scopes
    self.expiresInDays = expiresInDays
    self.owner = owner
  }
}

/// The only answer that has the secret.
public struct MadeAPIKey: Codable, Sendable, Equatable {
  public var key: APIKey
  /// What goes behind `Bearer`.
  public var secret: String

  public init(key: APIKey, secret: String) {
    self.key = key
    self.secret = secret
  }
}

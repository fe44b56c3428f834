public import Foundation

/// An account, as its owner sees it. Others see its author.
public struct Account: Codable, Sendable, Equatable {
  /// Also the id of its author.
  public var id: String
  public var handle: String
  public var name: String
  /// Only once the owner has shown that messages to it arrive.
  public var email: String?
  /// Waits for that.
  public var pendingEmail: String?
  /// `member`, `moderator` or `admin`.
  public var role: String
  /// May sign in, read and be deleted, nothing else.
  public var suspended: Bool
  /// Without one it is opened by providers alone.
  public var hasPassword: Bool
  public var createdAt: Date

  public init(
    id: String, handle: String, name: String, email: String? = nil, pendingEmail: String? = nil, role: String,
    suspended: Bool = false, hasPassword: Bool = true, createdAt: Date
  ) {
    self.id = id
    self.handle = handle
    self.name = name
    self.email = email
    self.pendingEmail = pendingEmail
    self.role = role
    self.suspended = suspended
    self.hasPassword = hasPassword
    self.createdAt = createdAt
  }
}

/// How a client keeps its tokens: a browser in cookies that no script can read, an app by itself.
public enum TokenTransport: String, Codable, Sendable, CaseIterable { case cookie, token }

/// The body of `POST accounts`.
public struct NewAccount: Codable, Sendable, Equatable {
  public var handle: String
  public var password: String
  /// Nil: the handle.
  public var name: String?
  public var email: String?
  public var transport: TokenTransport

  public init(
    handle: String, password: String, name: String? = nil, email: String? = nil, transport: TokenTransport
  ) {
    self.handle = handle
    self.password = password
    self.name = name
    self.email = email
    self.transport = transport
  }
}

/// The body of `POST sessions`.
public struct NewSession: Codable, Sendable, Equatable {
  /// Or the e-mail address.
  public var handle: String
  public var password: String
  public var transport: TokenTransport

  public init(handle: String, password: String, transport: TokenTransport) {
    self.handle = handle
    self.password = password
    self.transport = transport
  }
}

/// The body of `POST sessions/refresh` where the token is not in a cookie.
public struct SessionRefresh: Codable, Sendable, Equatable {
  public var refreshToken: String?

  public init(refreshToken: String? = nil) { self.refreshToken = refreshToken }
}

/// Who has signed in, and by what the next requests show it.
public struct Session: Codable, Sendable, Equatable {
  public var id: String
  public var account: Account
  /// Nil where cookies hold them.
  public var accessToken: String?
  public var refreshToken: String?
  /// When the access token ends; before that the client refreshes.
  public var expiresAt: Date
  /// When the session ends, unless it is refreshed before.
  public var refreshExpiresAt: Date

  public init(
    id: String, account: Account, accessToken: String?, refreshToken: String?, expiresAt: Date,
    refreshExpiresAt: Date
  ) {
    self.id = id
    self.account = account
    self.accessToken = accessToken
    self.refreshToken = refreshToken
    self.expiresAt = expiresAt
    self.refreshExpiresAt = refreshExpiresAt
  }
}

/// One of an account's sessions, in its owner's list.
public struct OpenSession: Codable, Sendable, Equatable {
  public var id: String
  /// The one that asks.
  public var current: Bool
  /// What the client called itself (`User-Agent`), cleaned; empty if it did not.
  public var client: String
  public var createdAt: Date
  /// To within the life of an access token.
  public var usedAt: Date

  public init(id: String, current: Bool, client: String, createdAt: Date, usedAt: Date) {
    self.id = id
    self.current = current
    self.client = client
    self.createdAt = createdAt
    self.usedAt = usedAt
  }
}

/// Most recently used first. They are bounded in number, so there are no pages.
public struct OpenSessions: Codable, Sendable, Equatable {
  public var items: [OpenSession]

  public init(items: [OpenSession]) { self.items = items }
}

/// The body of `PATCH account`. What is null stays as it is.
public struct AccountChange: Codable, Sendable, Equatable {
  public var name: String?
  /// Waits until it is confirmed; empty: the account has none any more. Needs the password, since whoever
  /// reads the address's mail can set a new one.
  public var email: String?
  public var password: String?
  /// Instead of the password.
  public var proof: String?

  public init(name: String? = nil, email: String? = nil, password: String? = nil, proof: String? = nil) {
    self.name = name
    self.email = email
    self.password = password
    self.proof = proof
  }
}

/// The body of `PUT account/password`.
public struct PasswordChange: Codable, Sendable, Equatable {
  /// Or a proof, such as where there is no password yet.
  public var currentPassword: String?
  public var newPassword: String
  public var proof: String?

  public init(currentPassword: String? = nil, newPassword: String, proof: String? = nil) {
    self.currentPassword = currentPassword
    self.newPassword = newPassword
    self.proof = proof
  }
}

/// The body of `POST account/deletion`.
public struct AccountDeletion: Codable, Sendable, Equatable {
  /// Or a proof.
  public var password: String?
  public var proof: String?

  public init(password: String? = nil, proof: String? = nil) {
    self.password = password
    self.proof = proof
  }
}

/// The body of `POST password-resets`.
public struct PasswordResetRequest: Codable, Sendable, Equatable {
  /// Or the e-mail address.
  public var handle: String

  public init(handle: String) { self.handle = handle }
}

/// The body of `PUT password-resets/{token}`.
public struct NewPassword: Codable, Sendable, Equatable {
  public var password: String

  public init(password: String) { self.password = password }
}

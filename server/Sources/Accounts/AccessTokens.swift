public import Platform

/// What an access token says.
public struct AccessClaims: Sendable, Equatable {
  public var account: String
  public var session: String
  public var role: Viewer.Role
  public var isSuspended: Bool
  public var madeMs: Int64
  public var expiresMs: Int64

  public init(
    account: String, session: String, role: Viewer.Role, isSuspended: Bool, madeMs: Int64, expiresMs: Int64
  ) {
    self.account = account
    self.session = session
    self.role = role
    self.isSuspended = isSuspended
    self.madeMs = madeMs
    self.expiresMs = expiresMs
  }
}

/// Makes and reads access tokens, with keys that all processes of the instance have.
public protocol AccessTokens: Sendable {
  func make(_ claims: AccessClaims) async throws -> String
  /// Nil for what this instance did not make. Whether it is over is not looked at.
  func read(_ token: String) async throws -> AccessClaims?
}

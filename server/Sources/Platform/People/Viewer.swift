public import Contract

/// Who asks, as far as features need to know: an id by which rows are kept, and what stands behind it.
///
/// Guests have ids too, so that what somebody does without an account has an owner. An account that is made
/// by a guest takes the guest's id over, and with it everything that the guest left.
public struct Viewer: Sendable, Equatable {
  public enum Role: String, Sendable, CaseIterable { case member, moderator, admin }

  public enum Standing: Sendable, Equatable {
    case guest
    /// `session` is the one of the account's sessions that asks.
    case account(session: String, role: Role)
    /// A program with a key of the account's, good for these and for nothing else.
    case key(scopes: Set<APIKeyScope>)
  }

  public let id: String
  public let standing: Standing
  /// The account may read, sign out and be deleted, and change nothing else.
  public let isSuspended: Bool

  public init(id: String, standing: Standing, isSuspended: Bool = false) {
    self.id = id
    self.standing = standing
    self.isSuspended = isSuspended
  }

  public var isGuest: Bool { standing == .guest }
  /// Nil for guests.
  public var accountID: String? { isGuest ? nil : id }

  /// Nil for guests, and for programs.
  public var role: Role? {
    guard case .account(_, let role) = standing else { return nil }
    return role
  }

  /// Nil for guests, and for programs.
  public var session: String? {
    guard case .account(let session, _) = standing else { return nil }
    return session
  }

  /// Nil for whoever came by no key.
  public var scopes: Set<APIKeyScope>? {
    guard case .key(let scopes) = standing else { return nil }
    return scopes
  }
}

/// A feature that keeps rows by viewer: somebody who was a guest signs in to an account that exists.
public protocol ViewerMerging: Sendable {
  /// What the guest left becomes the account's, unless the account has the same already; nothing stays the
  /// guest's. Counts that others see are right afterwards: what both did counts once. In the transaction of
  /// the sign-in, so it is over soon whatever the guest did.
  func merge(_ guest: String, into account: String, in transaction: any Transaction) throws
}

/// A feature that keeps rows by viewer: an account is deleted.
public protocol ViewerErasing: Sendable {
  /// Removes everything that the viewer left, and takes it out of counts that others see.
  func erase(_ viewer: String, in transaction: any Transaction) throws
}

public import Platform

/// Which accounts are more than a name and a password that somebody chose: somebody else vouched for them (a
/// confirmed e-mail address, a provider), or a device holds a key of theirs.
public struct VerifiedSignIns: Sendable {
  public init() {}

  public func isVerified(_ account: String, in transaction: any Transaction) throws -> Bool {
    for condition in [
      "SELECT id FROM accounts WHERE id = ? AND email IS NOT NULL",
      "SELECT id FROM identities WHERE account_id = ? LIMIT 1",
      "SELECT id FROM passkeys WHERE account_id = ? LIMIT 1",
    ] where try !transaction.query(condition, [.text(account)]).isEmpty {
      return true
    }
    return false
  }
}

internal import Contract
public import Platform

/// What other features do to accounts and tell their owners of, each in the transaction in which it happens.
/// Clients learn of what moderators decide at their next request.
extension Accounts {
  /// Nil: there is no such account.
  public func role(of account: String, in transaction: any Transaction) throws -> Viewer.Role? {
    try store.find(account, in: transaction)?.role
  }

  public func isSuspended(_ account: String, in transaction: any Transaction) throws -> Bool {
    try store.find(account, in: transaction)?.isSuspended ?? false
  }

  /// One that is suspended already stays so since then.
  public func suspend(_ account: String, atMs: Int64, in transaction: any Transaction) throws {
    try store.suspend(account, atMs: atMs, in: transaction)
    try noteChange(of: account, in: transaction)
  }

  /// Ends a suspension that began at one of these instants.
  public func endSuspension(
    of account: String, begunAtMs: [Int64], in transaction: any Transaction
  ) throws {
    for instant in begunAtMs { try store.endSuspension(of: account, begunAtMs: instant, in: transaction) }
    try noteChange(of: account, in: transaction)
  }

  /// Tells the owner of a decision, or of the answer to an appeal.
  public func tell(_ account: String, ofReview isReview: Bool, in transaction: any Transaction) throws {
    guard let row = try store.find(account, in: transaction) else { return }
    try tell(
      isReview ? .decisionReviewed : .decided, of: account, by: "", to: row.email, in: transaction)
    transaction.afterCommit("notices") { [outbox] in outbox.sendNotices() }
  }

  /// Tells the owner that what it takes along can be downloaded.
  public func tellExportReady(_ account: String, in transaction: any Transaction) throws {
    guard let row = try store.find(account, in: transaction) else { return }
    try tell(.exportReady, of: account, by: "", to: row.email, in: transaction)
    transaction.afterCommit("notices") { [outbox] in outbox.sendNotices() }
  }

  private func noteChange(of account: String, in transaction: any Transaction) throws {
    let subjects = [Revocations.Subject.account(account)]
    try revocations.note(subjects, in: transaction)
    transaction.afterCommit("revocation of \(account)") { [revocations] in revocations.remember(subjects) }
  }
}

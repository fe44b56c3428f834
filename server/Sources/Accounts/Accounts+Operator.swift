public import Contract
internal import Foundation
public import Platform

/// What the operator may do to any account. Each throws `account_not_found` for a handle that nobody has.
extension Accounts {
  public func newest(_ limit: Int) async throws -> [Account] {
    try await database.read { try store.newest(limit, in: $0).map(\.account) }
  }

  public func account(handle: String) async throws -> Account { try await row(handle: handle).account }

  /// What follows `/#reset=` in a link that is good for a day.
  public func resetToken(handle: String) async throws -> String {
    let row = try await row(handle: handle)
    guard
      let token = try await link(.reset, of: row.id, lifeMs: Self.operatorLinkLifeMs, limited: false)
    else { throw AppError(.internalError) }
    return token
  }

  /// For whoever has lost both the app and the recovery codes. False: there was nothing to turn off.
  public func endSecondFactor(handle: String) async throws -> Bool {
    let row = try await row(handle: handle)
    let wasOn = try await database.write { transaction in
      try transaction.lock(row.id)
      let wasOn = try secondFactors.isOn(for: row.id, in: transaction)
      try secondFactors.remove(of: row.id, in: transaction)
      if wasOn { try tell(.codeAppOff, of: row.id, by: "", to: row.email, in: transaction) }
      return wasOn
    }
    outbox.sendNotices()
    return wasOn
  }

  /// Its clients learn of it at their next request.
  public func setSuspended(_ isSuspended: Bool, handle: String) async throws {
    let row = try await row(handle: handle)
    try await change(row) { try store.setSuspended(isSuspended, row.id, in: $0) }
  }

  public func setRole(_ role: Viewer.Role, handle: String) async throws {
    let row = try await row(handle: handle)
    try await change(row) { try store.setRole(role, of: row.id, in: $0) }
  }

  public func delete(handle: String) async throws { try await erase(try await row(handle: handle).id) }

  private func change(
    _ row: AccountStore.Row, _ work: @escaping @Sendable (any Transaction) throws -> Void
  ) async throws {
    let subjects = [Revocations.Subject.account(row.id)]
    try await database.write { transaction in
      try work(transaction)
      try revocations.note(subjects, in: transaction)
    }
    revocations.remember(subjects)
  }

  private func row(handle: String) async throws -> AccountStore.Row {
    guard let row = try await database.read({ try store.find(handle: Handle.folded(handle), in: $0) }) else {
      throw AppError(.accountNotFound, "There is no account @\(Handle.folded(handle)).")
    }
    return row
  }
}

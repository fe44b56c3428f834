public import Contract
internal import Foundation
internal import Platform

/// By what an account can be got into, and how its owner shows that it is still them.
extension Accounts {
  /// Throws `account_not_found`.
  public func waysIn(_ id: String) async throws -> WaysIn {
    let (row, connected) = try await database.read { transaction in
      (try store.find(id, in: transaction), try identities.list(of: id, in: transaction))
    }
    guard let row else { throw AppError(.accountNotFound) }
    return WaysIn(password: row.hasPassword, items: connected.map(shown))
  }

  /// Throws `sign_in_over`, `identity_taken`, `password_wrong` and `proof_needed`.
  public func connect(_ new: NewIdentity, to id: String, client: String = "") async throws
    -> ConnectedIdentity
  {
    let owner = try await requireOwner(id, password: new.password, proof: new.proof, client: client)
    let row = try await database.write { transaction in
      try transaction.lock(id)
      try use(owner, of: id, in: transaction)
      let ticket = try identities.take(new.ticket, .newcomer, for: id, in: transaction)
      if let row = try identities.connect(id, ticket.identity, in: transaction) {
        try tell(.providerConnected, of: id, by: client, with: row, in: transaction)
        return row
      }
      let own = try identities.list(of: id, in: transaction).first { $0.issuer == ticket.identity.issuer }
      let known = try identities.account(
        of: ticket.identity.issuer, ticket.identity.subject, in: transaction)
      guard let own else { throw AppError(.identityTaken) }
      guard known == id else {
        throw AppError(
          .identityTaken, "The account is connected with another identity there; disconnect that one first.")
      }
      return own
    }
    outbox.sendNotices()
    return shown(row)
  }

  /// Throws `identity_not_found`, `last_way_in`, `password_wrong`, `proof_needed` and `sign_in_over`.
  public func disconnect(
    _ identity: String, from id: String, _ removal: IdentityRemoval, client: String = ""
  ) async throws {
    // A stolen session must not take its owner's way in away.
    let owner = try await requireOwner(id, password: removal.password, proof: removal.proof, client: client)
    try await database.write { transaction in
      // Two at once must not each count on the other.
      try transaction.lock(id)
      try use(owner, of: id, in: transaction)
      let all = try identities.list(of: id, in: transaction)
      guard let row = all.first(where: { $0.id == identity }) else { throw AppError(.identityNotFound) }
      guard let account = try store.find(id, in: transaction) else { throw AppError(.accountNotFound) }
      let hasAnother = all.contains { $0.id != identity && provider(of: $0) != nil }
      guard account.hasPassword || hasAnother || provider(of: row) == nil else { throw AppError(.lastWayIn) }
      try identities.remove(row, in: transaction)
      try secondFactors.removeSteps(of: id, in: transaction)
      try tell(.providerDisconnected, of: id, by: client, with: row, in: transaction)
    }
    outbox.add(.revocations)
    outbox.sendNotices()
  }

  /// Gives back to providers what was lent for people who have left. Throws the last thing that went wrong;
  /// it is tried again later.
  public func sendRevocations() async throws {
    var failure: (any Error)?
    while let revocation = try await database.write({ try identities.takeRevocation(in: $0) }) {
      // Nobody to tell any more.
      if let provider = around.providers.first(where: { $0.issuer == revocation.issuer }) {
        do {
          try await provider.giveBack(revocation.grant)
        } catch {
          failure = error
          continue
        }
      }
      try await database.write { try identities.remove(revocation, in: $0) }
    }
    if let failure { throw failure }
  }

  // MARK: The owner

  /// What somebody showed to be the owner.
  struct Owner: Sendable {
    fileprivate(set) var passwordHash: String
    fileprivate(set) var proof: String?
  }

  /// By a password, or by a proof of a provider. Throws `password_wrong`, `proof_needed` and `sign_in_over`.
  func requireOwner(
    _ id: String, password: String?, proof: String?, field: String = "password", client: String
  ) async throws -> Owner {
    guard let proof else {
      return Owner(
        passwordHash: try await requirePassword(password ?? "", of: id, field: field, client: client))
    }
    let hash = try await row(id).passwordHash
    guard try await database.read({ try identities.find(proof, .proof, for: id, in: $0) }) != nil else {
      throw AppError(.signInOver, field: "proof")
    }
    return Owner(passwordHash: hash, proof: proof)
  }

  /// In the transaction of what was shown for: a proof is good once.
  func use(_ owner: Owner, of id: String, in transaction: any Transaction) throws {
    guard let proof = owner.proof else { return }
    _ = try identities.take(proof, .proof, for: id, in: transaction)
  }

  private func tell(
    _ kind: AccountNotice.Kind, of id: String, by client: String, with identity: IdentityStore.Row,
    in transaction: any Transaction
  ) throws {
    try tell(
      kind, of: id, by: client, provider: provider(of: identity)?.name ?? identity.issuer,
      to: try store.find(id, in: transaction)?.email, in: transaction)
  }

  private func provider(of row: IdentityStore.Row) -> (any IdentityProvider)? {
    around.providers.first { $0.issuer == row.issuer }
  }

  private func shown(_ row: IdentityStore.Row) -> ConnectedIdentity {
    let provider = provider(of: row)
    return ConnectedIdentity(
      id: row.id, provider: provider?.id, name: provider?.name ?? row.issuer, email: row.email,
      connectedAt: Date(timeIntervalSince1970: Double(row.connectedAtMs) / 1000))
  }
}

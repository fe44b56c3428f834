public import Contract
internal import Foundation
internal import Platform

extension Accounts {
  /// For how long a link in a message is good, and one that the operator hands over.
  static let linkLifeMs: Int64 = 3_600_000
  static let operatorLinkLifeMs: Int64 = 24 * 3_600_000
  static let confirmationLifeMs: Int64 = 24 * 3_600_000

  /// Also sets the first one, by a proof. Ends every other session. Throws `password_wrong`, `proof_needed`,
  /// `sign_in_over` and the errors of new passwords.
  public func changePassword(
    of id: String, session: String?, _ change: PasswordChange, client: String = ""
  ) async throws {
    let row = try await row(id)
    let new = try Password.checked(
      change.newPassword, handle: row.handle, email: row.email, field: "new_password")
    let owner = try await requireOwner(
      id, password: change.currentPassword, proof: change.proof, field: "current_password",
      client: client)
    let hash = try await hashing.hash(new)
    let ended = try await database.write { transaction in
      try transaction.lock(id)
      // Of two changes at once the second does not have the right old one any more.
      try use(owner, of: id, in: transaction)
      guard try store.setPassword(of: id, from: owner.passwordHash, to: hash, in: transaction) else {
        throw AppError(.passwordWrong, field: "current_password")
      }
      try store.removeLinks(.reset, of: id, in: transaction)
      // Whoever knew the old one may have asked for it; a first one was known to nobody.
      if owner.passwordHash != AccountStore.noPassword { try store.removePending(of: id, in: transaction) }
      try secondFactors.removeSteps(of: id, in: transaction)
      let ended = try sessions.endAll(of: id, except: session, in: transaction).map(
        Revocations.Subject.session)
      try revocations.note(ended, in: transaction)
      try tell(
        .passwordChanged, of: id, by: client, to: try store.find(id, in: transaction)?.email, in: transaction)
      return ended
    }
    revocations.remember(ended)
    outbox.sendNotices()
  }

  /// Nothing tells whether there is such an account: what there is to do is done later.
  public func requestReset(of name: String) {
    // Longer than anything that can be found.
    guard name.utf8.count <= Limits.emailBytes else { return }
    outbox.add(.reset(name))
  }

  /// Ends every session of the account, and answers which it is. A second step stays: whoever reads the
  /// owner's mail has one thing of two. Throws `link_over` and the errors of new
  /// passwords.
  @discardableResult public func reset(
    _ token: String, to password: String, client: String = ""
  ) async throws -> String {
    guard let link = Link(token) else { throw AppError(.linkOver) }
    let found = try await database.read { transaction in
      try store.hasLink(link.hash, .reset, of: link.account, in: transaction)
        ? try store.find(link.account, in: transaction) : nil
    }
    // Whoever has no link must not have us make hashes.
    guard let row = found else { throw AppError(.linkOver) }
    let new = try Password.checked(password, handle: row.handle, email: row.email)
    let hash = try await hashing.hash(new)
    let ended = try await database.write { transaction in
      try transaction.lock(row.id)
      guard try store.takeLink(link.hash, .reset, of: row.id, in: transaction) != nil else {
        throw AppError(.linkOver)
      }
      try store.removeLinks(.reset, of: row.id, in: transaction)
      try store.removePending(of: row.id, in: transaction)
      try store.setPassword(of: row.id, to: hash, in: transaction)
      try secondFactors.removeSteps(of: row.id, in: transaction)
      let ended = try sessions.endAll(of: row.id, in: transaction).map(Revocations.Subject.session)
      try revocations.note(ended, in: transaction)
      try tell(
        .passwordReset, of: row.id, by: client, to: try store.find(row.id, in: transaction)?.email,
        in: transaction)
      return ended
    }
    revocations.remember(ended)
    outbox.sendNotices()
    return row.id
  }

  /// Answers whose address it is. Throws `link_over` and `email_taken`.
  @discardableResult public func confirmEmail(_ token: String, client: String = "") async throws -> String {
    guard let link = Link(token) else { throw AppError(.linkOver) }
    do {
      try await database.write { transaction in
        guard let taken = try store.takeLink(link.hash, .email, of: link.account, in: transaction),
          let email = taken
        else { throw AppError(.linkOver) }
        let row = try store.find(link.account, in: transaction)
        // A message that was on its way when the address was given up.
        guard row?.pendingEmail == email else { throw AppError(.linkOver) }
        guard try store.confirm(email, of: link.account, in: transaction) else { throw AppError(.emailTaken) }
        // The one before too: whoever changes it may be somebody else.
        try tell(.emailChanged, of: link.account, by: client, to: row?.email, email, in: transaction)
        // Those that went to the address before.
        try store.removeLinks(.reset, of: link.account, in: transaction)
      }
    } catch let error as ConstraintViolation where error.rule == .unique {
      // Two accounts confirm it at once, and the other was first.
      throw AppError(.emailTaken)
    }
    outbox.sendNotices()
    return link.account
  }

  // MARK: Messages

  /// Does what there is to write to people, until cancelled or `finishOutbox`. `failed` hears what could not
  /// be sent.
  public func runOutbox(failed: @escaping @Sendable (any Error) -> Void) async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await run(outbox.stream, failed) { try await run($0) } }
      group.addTask { await run(outbox.guesses, failed) { try await run($0) } }
      group.addTask { await run(outbox.notices, failed) { try await sendNotices() } }
    }
    guard !Task.isCancelled else { return }
    // What the last of them asked for.
    do {
      try await sendNotices()
    } catch {
      failed(error)
    }
  }

  private func run<Job: Sendable>(
    _ outbox: AsyncStream<Job>, _ failed: @Sendable (any Error) -> Void,
    _ work: (Job) async throws -> Void
  ) async {
    for await job in outbox {
      do {
        try await work(job)
      } catch {
        failed(error)
      }
    }
  }

  /// `runOutbox` ends once it has done what there is.
  public func finishOutbox() { outbox.finish() }

  private func run(_ job: Outbox.Job) async throws {
    if case .revocations = job { return try await sendRevocations() }
    guard let mail = around.mail, let origin = around.origin else { return }
    switch job {
    case .revocations: break
    case .reset(let name):
      guard let row = try await database.read({ try store.find(named: name, in: $0) }),
        let address = row.email,
        let token = try await link(.reset, of: row.id, lifeMs: Self.linkLifeMs)
      else { return }
      try await mail.send(
        Mail(
          to: address, subject: "A new password for @\(row.handle)",
          text: """
            Somebody, probably you, asked for a new password for @\(row.handle).
            Choose one here within an hour:

            \(origin)/#reset=\(token)

            If it was not you, nothing needs to be done.
            """))
    case .confirmation(let account, let email):
      guard let row = try await database.read({ try store.find(account, in: $0) }), row.pendingEmail == email,
        let token = try await link(.email, email: email, of: account, lifeMs: Self.confirmationLifeMs)
      else { return }
      try await mail.send(
        Mail(
          to: email, subject: "Is this your address, @\(row.handle)?",
          text: """
            @\(row.handle) gave this address. If that is you, confirm it here within a day:

            \(origin)/#confirm=\(token)

            If it was not you, nothing needs to be done.
            """))
    }
  }

  /// A new link's token; nil if enough are open.
  func link(
    _ purpose: AccountStore.Purpose, email: String? = nil, of account: String, lifeMs: Int64,
    limited: Bool = true
  ) async throws -> String? {
    let secret = SecretToken.make()
    let isAdded = try await database.write {
      try store.addLink(
        SecretToken.hash(of: secret), purpose, email: email, of: account, lifeMs: lifeMs, limited: limited,
        in: $0)
    }
    return isAdded ? "\(account).\(secret)" : nil
  }
}

/// What stands in a link that was sent, or in a challenge: whose it is, and a secret.
struct Link {
  let account: String
  let hash: String

  /// Nil for what cannot be one.
  init?(_ token: String) {
    let parts = token.split(atByte: UInt8(ascii: "."), omittingEmpty: false)
    guard token.utf8.count <= 100, parts.count == 2 else { return nil }
    account = String(parts[0])
    hash = SecretToken.hash(of: String(parts[1]))
  }
}

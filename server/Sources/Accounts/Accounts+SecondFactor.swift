public import Contract
internal import Foundation
internal import Platform

/// A second step of signing in: a code of an app, whichever way the first one was shown. A recovery code
/// takes its place for whoever has lost the app; a new password does not.
extension Accounts {
  /// What signing in comes to.
  enum Entry: Sendable {
    case session(SessionStore.Opened, ended: [Revocations.Subject])
    case secondStep(challenge: String)
  }

  /// Throws `second_step_needed`.
  func session(_ entry: Entry, of row: AccountStore.Row) async throws -> Session {
    switch entry {
    case .secondStep(let challenge): throw AppError(.secondStepNeeded, challenge: challenge)
    case .session(let opened, let ended):
      revocations.remember(ended)
      outbox.sendNotices()
      return try await session(opened, of: row)
    }
  }

  /// Whose sign-in waits with this challenge. Throws `sign_in_over`. NB: asked before a guess is counted, or
  /// strangers would use up those of any account.
  public func waiting(_ challenge: String) async throws -> String {
    guard let link = Link(challenge), try await database.read({ try secondFactors.hasStep(link, in: $0) })
    else {
      throw AppError(.signInOver, field: "challenge")
    }
    return link.account
  }

  /// `guest` and `knownTo` as for `signIn`. `recovered`: by a recovery code. Throws `sign_in_over` and
  /// `code_wrong`.
  public func takeSecondStep(
    _ step: SecondStep, guest: String?, client: String, knownTo accounts: [String] = []
  ) async throws -> (session: Session, recovered: Bool) {
    guard let link = Link(step.challenge) else { throw AppError(.signInOver, field: "challenge") }
    let (row, entry, recovered) = try await notingWrongCodes(of: link.account, by: client) {
      try await database.write { transaction in
        try transaction.lock(link.account)
        guard try secondFactors.hasStep(link, in: transaction),
          let row = try store.find(link.account, in: transaction)
        else { throw AppError(.signInOver, field: "challenge") }
        let recovered = try take(step.code, of: row.id, orRecovery: true, in: transaction)
        try secondFactors.removeStep(link, in: transaction)
        if recovered { try tell(.recoveryCodeUsed, of: row.id, by: client, to: row.email, in: transaction) }
        let entry = try begin(row, guest: guest, client: client, knownTo: accounts, in: transaction)
        return (row, entry, recovered)
      }
    }
    return (try await session(entry, of: row), recovered)
  }

  /// Throws `account_not_found`.
  public func secondFactors(of id: String) async throws -> SecondFactors {
    try await database.read { transaction in
      guard try store.find(id, in: transaction) != nil else { throw AppError(.accountNotFound) }
      let sinceMs = try secondFactors.codeApp(of: id, in: transaction)?.confirmedAtMs
      return SecondFactors(
        codeAppSince: sinceMs.map { Date(timeIntervalSince1970: Double($0) / 1000) },
        recoveryCodes: try secondFactors.recoveryCodesLeft(of: id, in: transaction))
    }
  }

  /// Throws `code_app_set_up` and what `requireOwner` throws.
  public func beginCodeApp(
    of id: String, _ proof: OwnerProof, client: String = ""
  ) async throws -> CodeAppSetup {
    // There is no app yet whose code it could be.
    guard proof.code == nil else { throw AppError(.codeAppMissing, field: "code") }
    let owner = try await requireOwner(id, password: proof.password, proof: proof.proof, client: client)
    let secret = TimeCode.makeSecret()
    let handle = try await database.write { transaction in
      try transaction.lock(id)
      try use(owner, of: id, in: transaction)
      guard let row = try store.find(id, in: transaction) else { throw AppError(.accountNotFound) }
      guard try !secondFactors.isOn(for: id, in: transaction) else { throw AppError(.codeAppSetUp) }
      try secondFactors.begin(secret, of: id, in: transaction)
      return row.handle
    }
    return CodeAppSetup(secret: Base32.text(secret), uri: address(of: secret, handle: handle))
  }

  /// Throws `code_app_missing`, `code_app_set_up` and `code_wrong`.
  public func confirmCodeApp(of id: String, code: String, client: String = "") async throws -> RecoveryCodes {
    let codes = try await database.write { transaction in
      try transaction.lock(id)
      guard let app = try secondFactors.codeApp(of: id, in: transaction),
        time.nowMs - app.madeAtMs < Limits.codeAppSetupMs || app.confirmedAtMs != nil,
        let row = try store.find(id, in: transaction)
      else { throw AppError(.codeAppMissing) }
      guard app.confirmedAtMs == nil else { throw AppError(.codeAppSetUp) }
      guard let typed = TypedCode(code),
        let step = TimeCode.step(of: typed.text, app.secret, atMs: time.nowMs, after: app.usedStep)
      else { throw AppError(.codeWrong, field: "code") }
      try secondFactors.confirm(id, step: step, in: transaction)
      try tell(.codeAppOn, of: id, by: client, to: row.email, in: transaction)
      return try secondFactors.makeRecoveryCodes(of: id, in: transaction)
    }
    outbox.sendNotices()
    return RecoveryCodes(items: codes)
  }

  /// Throws `code_app_missing`, `code_wrong` and what `requireOwner` throws.
  public func removeCodeApp(of id: String, _ proof: OwnerProof, client: String = "") async throws {
    try await change(id, proof, client) { row, transaction in
      try secondFactors.remove(of: id, in: transaction)
      try tell(.codeAppOff, of: id, by: client, to: row.email, in: transaction)
    }
  }

  /// In place of those before. Throws as `removeCodeApp`.
  public func makeRecoveryCodes(
    of id: String, _ proof: OwnerProof, client: String = ""
  ) async throws -> RecoveryCodes {
    let codes = try await change(id, proof, client) { row, transaction in
      try tell(.recoveryCodesMade, of: id, by: client, to: row.email, in: transaction)
      return try secondFactors.makeRecoveryCodes(of: id, in: transaction)
    }
    return RecoveryCodes(items: codes)
  }

  // MARK: Parts

  /// Uses a code up. True: it was a recovery code. Throws `code_wrong`, and `code_app_missing` where none is
  /// set up.
  private func take(
    _ text: String, of id: String, orRecovery: Bool, in transaction: any Transaction
  ) throws -> Bool {
    guard let app = try secondFactors.codeApp(of: id, in: transaction), app.confirmedAtMs != nil else {
      throw AppError(.codeAppMissing, field: "code")
    }
    guard let code = TypedCode(text) else { throw AppError(.codeWrong, field: "code") }
    if code.isOfApp,
      let step = TimeCode.step(of: code.text, app.secret, atMs: time.nowMs, after: app.usedStep),
      try secondFactors.use(step: step, of: id, in: transaction)
    {
      return false
    }
    guard orRecovery, try secondFactors.use(code, of: id, in: transaction) else {
      throw AppError(.codeWrong, field: "code")
    }
    return true
  }

  /// Of an app that is set up, by whoever shows to be the owner.
  private func change<Value: Sendable>(
    _ id: String, _ proof: OwnerProof, _ client: String,
    _ work: @escaping @Sendable (AccountStore.Row, any Transaction) throws -> Value
  ) async throws -> Value {
    try await showing(id, proof, client) { row, transaction in
      guard try secondFactors.isOn(for: id, in: transaction) else { throw AppError(.codeAppMissing) }
      return try work(row, transaction)
    }
  }

  /// What only the owner may, who shows it by a password, by a provider's proof or by a fresh code.
  func showing<Value: Sendable>(
    _ id: String, _ proof: OwnerProof, _ client: String,
    _ work: @escaping @Sendable (AccountStore.Row, any Transaction) throws -> Value
  ) async throws -> Value {
    let owner =
      proof.code == nil
      ? try await requireOwner(id, password: proof.password, proof: proof.proof, client: client) : nil
    let value = try await notingWrongCodes(of: id, by: client) {
      try await database.write { transaction in
        try transaction.lock(id)
        guard let row = try store.find(id, in: transaction) else { throw AppError(.accountNotFound) }
        if let owner { try use(owner, of: id, in: transaction) }
        // NB: no recovery code: whoever finds a list of them must not be able to keep the owner out.
        if let code = proof.code { _ = try take(code, of: id, orRecovery: false, in: transaction) }
        return try work(row, transaction)
      }
    }
    outbox.sendNotices()
    return value
  }

  private func notingWrongCodes<Value>(
    of id: String, by client: String, _ work: () async throws -> Value
  ) async throws -> Value {
    do {
      return try await work()
    } catch let error as AppError where error.code == .codeWrong {
      if wrongCodes.isEnough(with: id) {
        outbox.add(Outbox.Guesses(account: id, client: client, kind: .wrongCodes))
      }
      throw error
    }
  }

  /// What apps read, as they all agreed on: by the site's name people tell their codes apart.
  private func address(of secret: [UInt8], handle: String) -> String {
    let site = Route.encoded(around.origin.flatMap { URL(string: $0)?.host() } ?? "Clipfeed")
    return "otpauth://totp/\(site):\(Route.encoded(handle))?secret=\(Base32.text(secret))&issuer=\(site)"
  }
}

public import Contract
internal import Foundation
internal import Platform

/// Keys of devices. One by itself is two things at once, the device and what it knows of its holder, so it
/// needs no second step; behind a password or a provider it is the second step.
extension Accounts {
  public func passkeys(of id: String) async throws -> Passkeys {
    Passkeys(
      items: try await database.read { try passkeys.list(of: id, in: $0).map(\.passkey) },
      site: around.passkeys?.site)
  }

  /// Throws `passkeys_off`, `passkeys_too_many` and as `removeCodeApp`.
  public func beginPasskey(
    of id: String, _ proof: OwnerProof, client: String = ""
  ) async throws -> PasskeySetup {
    guard let reader = around.passkeys else { throw AppError(.passkeysOff) }
    let challenge = makeChallenge(.make, for: id)
    // What opens the account is the owner's to add: a session alone is not enough.
    return try await showing(id, proof, client) { row, transaction in
      let known = try passkeys.list(of: id, in: transaction)
      guard known.count < Limits.passkeys else { throw AppError(.passkeysTooMany) }
      return PasskeySetup(
        challenge: challenge, site: reader.site, user: Base64URL.text(Array(id.utf8)), handle: row.handle,
        name: row.name, known: known.map(\.credential))
    }
  }

  /// Throws `passkeys_off`, `passkey_refused`, `passkey_taken`, `passkeys_too_many`, `sign_in_over` and
  /// `name_invalid`.
  public func addPasskey(
    of id: String, _ new: NewPasskey, client: String = ""
  ) async throws -> Passkey {
    guard let reader = around.passkeys else { throw AppError(.passkeysOff) }
    let name =
      try new.name.flatMap { $0.isEmpty ? nil : $0 }.map { try PersonName.checked($0) }
      ?? DeviceName.of(client) ?? "Passkey"
    guard let clientData = Base64URL.bytes(new.clientData),
      let attestation = Base64URL.bytes(new.attestation)
    else { throw AppError(.passkeyRefused) }
    let made = try reader.registration(clientData, attestation)
    let challenge = try read(made.challenge, .make, for: id)
    // NB: by itself it opens the account, so its device has to know who holds it.
    guard made.isVerified else { throw AppError(.passkeyRefused) }
    let row = PasskeyStore.Row(
      account: id, id: Identifier.make(at: time), credential: Base64URL.text(made.credential), key: made.key,
      signCount: Int64(made.signCount), name: name, createdAtMs: time.nowMs)
    try await database.write { transaction in
      try transaction.lock(id)
      guard let account = try store.find(id, in: transaction) else { throw AppError(.accountNotFound) }
      guard try passkeys.use(challenge, in: transaction) else { throw AppError(.signInOver) }
      guard try passkeys.list(of: id, in: transaction).count < Limits.passkeys else {
        throw AppError(.passkeysTooMany)
      }
      guard try passkeys.insert(row, in: transaction) else { throw AppError(.passkeyTaken) }
      try tell(.passkeyAdded, of: id, by: client, to: account.email, in: transaction)
    }
    outbox.sendNotices()
    return row.passkey
  }

  /// Throws `passkey_not_found` and `name_invalid`.
  public func renamePasskey(_ passkey: String, of id: String, to name: String) async throws -> Passkey {
    let name = try PersonName.checked(name)
    return try await database.write { transaction in
      try passkeys.rename(passkey, of: id, to: name, in: transaction)
      guard let row = try passkeys.find(passkey, of: id, in: transaction) else {
        throw AppError(.passkeyNotFound)
      }
      return row.passkey
    }
  }

  /// Throws `passkey_not_found` and as `removeCodeApp`.
  public func removePasskey(
    _ passkey: String, of id: String, _ proof: OwnerProof, client: String = ""
  ) async throws {
    try await showing(id, proof, client) { row, transaction in
      guard try passkeys.remove(passkey, of: id, in: transaction) else { throw AppError(.passkeyNotFound) }
      try tell(.passkeyRemoved, of: id, by: client, to: row.email, in: transaction)
    }
  }

  // MARK: Signing in

  /// Throws `passkeys_off`.
  public func passkeyQuestion() throws -> PasskeyQuestion {
    guard let reader = around.passkeys else { throw AppError(.passkeysOff) }
    return PasskeyQuestion(challenge: makeChallenge(.signIn, for: ""), site: reader.site)
  }

  /// `guest` and `knownTo` as for `signIn`. Throws `passkeys_off`, `passkey_refused` and `sign_in_over`.
  public func signIn(
    _ answer: PasskeyAnswer, guest: String?, client: String, knownTo accounts: [String] = []
  ) async throws -> Session {
    guard let reader = around.passkeys else { throw AppError(.passkeysOff) }
    let link = answer.challenge.flatMap(Link.init)
    if answer.challenge != nil, link == nil { throw AppError(.signInOver, field: "challenge") }
    guard let clientData = Base64URL.bytes(answer.clientData),
      let data = Base64URL.bytes(answer.authenticatorData),
      let signature = Base64URL.bytes(answer.signature),
      let found = try await database.read({ try passkeys.find(credential: answer.credential, in: $0) }),
      answer.user == nil || answer.user == Base64URL.text(Array(found.account.utf8))
    else { throw AppError(.passkeyRefused) }
    let assertion = try reader.assertion(clientData, data, signature: signature, by: found.key)
    let challenge = try read(assertion.challenge, .signIn, for: "")
    guard link != nil || assertion.isVerified else { throw AppError(.passkeyRefused) }
    let (row, entry) = try await database.write { transaction in
      try transaction.lock(found.account)
      guard let row = try store.find(found.account, in: transaction),
        let passkey = try passkeys.find(found.id, of: found.account, in: transaction),
        try passkeys.use(passkey, signCount: Int64(assertion.signCount), in: transaction)
      else { throw AppError(.passkeyRefused) }
      guard try passkeys.use(challenge, in: transaction) else { throw AppError(.signInOver) }
      if let link {
        guard link.account == row.id, try secondFactors.hasStep(link, in: transaction) else {
          throw AppError(.signInOver, field: "challenge")
        }
        try secondFactors.removeStep(link, in: transaction)
      }
      return (
        row, try begin(row, guest: guest, client: client, knownTo: accounts, in: transaction)
      )
    }
    return try await session(entry, of: row)
  }

  // MARK: Parts

  private func makeChallenge(_ purpose: PasskeyChallenge.Purpose, for account: String) -> String {
    let challenge = PasskeyChallenge(
      purpose: purpose, account: account, expiresMs: time.nowMs + Limits.passkeyMs,
      secret: SecretToken.make())
    return Base64URL.text(Array(challenge.text(refreshTokens.keys.making).utf8))
  }

  /// Throws `sign_in_over` for what was not asked here, for this, or not any more.
  private func read(
    _ bytes: [UInt8], _ purpose: PasskeyChallenge.Purpose, for account: String
  ) throws -> PasskeyChallenge {
    guard let challenge = PasskeyChallenge.read(bytes, refreshTokens.keys.reading),
      challenge.purpose == purpose, challenge.account == account, time.nowMs < challenge.expiresMs
    else { throw AppError(.signInOver) }
    return challenge
  }
}

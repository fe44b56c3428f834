public import Contract
internal import Foundation
public import Platform

extension Accounts {
  /// Throws `refresh_token_invalid`, `session_ended` and `refresh_token_reused`.
  public func refresh(_ token: String, client: String) async throws -> Session {
    await refreshTokens.keys.catchUp()
    guard let token = refreshTokens.read(token) else { throw AppError(.refreshTokenInvalid) }
    let (outcome, row) = try await database.write { transaction in
      let outcome = try sessions.refresh(token, client: client, in: transaction)
      if case .reused = outcome { try revocations.note([.session(token.session)], in: transaction) }
      return (outcome, try store.find(token.account, in: transaction))
    }
    switch outcome {
    case .refreshed(let opened):
      guard let row else { throw AppError(.sessionEnded) }
      return try await session(opened, of: row)
    case .reused:
      revocations.remember([.session(token.session)])
      throw AppError(.refreshTokenReused)
    case .unknown: throw AppError(.sessionEnded)
    }
  }

  /// The session that a refresh token of ours is for, and whose it is; nil for any other text.
  public func session(ofRefreshToken token: String) -> (id: String, account: String)? {
    refreshTokens.read(token).map { ($0.session, $0.account) }
  }

  /// Most recently used first.
  public func sessions(of viewer: Viewer) async throws -> OpenSessions {
    var items = try await database.read { try sessions.list(of: viewer.id, in: $0) }
    for index in items.indices { items[index].current = items[index].id == viewer.session }
    return OpenSessions(items: items)
  }

  /// Throws `session_not_found`, also for a session of somebody else.
  public func endSession(_ id: String, of account: String) async throws {
    try await database.write { transaction in
      guard try sessions.end(id, of: account, in: transaction) else { throw AppError(.sessionNotFound) }
      try revocations.note([.session(id)], in: transaction)
    }
    revocations.remember([.session(id)])
  }

  /// Signs the account out wherever it is signed in.
  public func endSessions(of account: String, client: String = "") async throws {
    let ended = try await database.write { transaction in
      // No session begins beside the end of all.
      try transaction.lock(account)
      try secondFactors.removeSteps(of: account, in: transaction)
      let ended = try sessions.endAll(of: account, in: transaction).map(Revocations.Subject.session)
      try revocations.note(ended, in: transaction)
      if let row = try store.find(account, in: transaction) {
        try tell(.signedOutEverywhere, of: account, by: client, to: row.email, in: transaction)
      }
      return ended
    }
    revocations.remember(ended)
    outbox.sendNotices()
  }

  /// Ends the session of a token that this instance made; for any other there is nothing to end.
  public func signOut(refreshToken text: String) async throws {
    guard let token = refreshTokens.read(text) else { return }
    do {
      try await endSession(token.session, of: token.account)
    } catch let error as AppError where error.code == .sessionNotFound {}
  }

  /// Removes sessions and tickets that nobody came back to, and keys and notices that are too old.
  public func sweep() async throws {
    try await database.write { transaction in
      try sessions.forget(in: transaction)
      try identities.forget(in: transaction)
      try secondFactors.forget(in: transaction)
      try passkeys.forget(in: transaction)
      try apiKeys.forget(in: transaction)
    }
    while try await database.write({ try notices.forget(in: $0) }) {}
  }

  /// Whose token is over, while the session goes on. Asks the database: what was ended long ago is in no
  /// memory any more.
  func reader(ofOverToken token: String) async throws -> Viewer? {
    guard let claims = try await accessTokens.read(token) else { return nil }
    let row = try await database.read { transaction in
      try sessions.isOpen(claims.session, of: claims.account, in: transaction)
        ? try store.find(claims.account, in: transaction) : nil
    }
    return row.map { row in
      Viewer(
        id: row.id, standing: .account(session: claims.session, role: row.role), isSuspended: row.isSuspended)
    }
  }

  /// For what goes on longer than a request and begins now: whether the viewer's right to it is over, since
  /// the session has ended or what the token says of the account is no longer so. Guests have neither.
  public func rightEnds(of viewer: Viewer) -> @Sendable () async -> Bool {
    guard let session = viewer.session else { return { false } }
    let begunMs = time.nowMs
    return { [revocations] in
      await revocations.isOver(session: session, of: viewer.id, begunMs: begunMs)
    }
  }

  /// Throws `access_token_invalid`, `access_token_expired` and `session_ended`. Asks no database.
  func viewer(ofAccessToken token: String) async throws -> Viewer {
    guard let claims = try await accessTokens.read(token) else { throw AppError(.accessTokenInvalid) }
    guard time.nowMs < claims.expiresMs else { throw AppError(.accessTokenExpired) }
    try await revocations.check(claims)
    return Viewer(
      id: claims.account, standing: .account(session: claims.session, role: claims.role),
      isSuspended: claims.isSuspended)
  }
}

public import Contract
internal import Foundation
internal import Platform

/// Keys by which programs act for an account, at the addresses of the dialect alone. A new password ends none
/// of them: programs go on.
extension Accounts {
  /// How a key begins, so that whoever finds one knows what it is.
  static let keyPrefix = "cf_"
  /// How often it is written down that a key is in use, in milliseconds.
  static let keyUseMs: Int64 = 60_000

  public func apiKeys(of id: String) async throws -> APIKeys {
    APIKeys(items: try await database.read { try apiKeys.list(of: id, in: $0).map(\.key) })
  }

  /// Throws `name_invalid`, `invalid_parameter`, `api_keys_too_many` and as `removeCodeApp`.
  public func makeAPIKey(
    of id: String, _ new: NewAPIKey, client: String = ""
  ) async throws -> MadeAPIKey {
    let name = try PersonName.checked(new.name)
    if let days = new.expiresInDays, !Limits.apiKeyDays.contains(days) {
      throw AppError(.invalidParameter, field: "expires_in_days")
    }
    let now = time.nowMs
    let row = APIKeyStore.Row(
      account: id, id: Identifier.make(at: time), name: name,
      scopes: APIKeyScope.allCases.filter(new.scopes.contains), createdAtMs: now,
      expiresAtMs: new.expiresInDays.map { now + Int64($0) * 86_400_000 })
    let secret = Self.keyPrefix + SecretToken.make()
    // What acts for the account is the owner's to make: a session alone is not enough.
    return try await showing(id, new.owner, client) { account, transaction in
      guard try apiKeys.list(of: id, in: transaction).count < Limits.apiKeys else {
        throw AppError(.apiKeysTooMany)
      }
      try apiKeys.insert(row, secret: secret, in: transaction)
      try tell(.apiKeyMade, of: id, by: client, to: account.email, in: transaction)
      return MadeAPIKey(key: row.key, secret: secret)
    }
  }

  /// Throws `api_key_not_found` and `account_not_found`. A session is enough: it takes nothing from the owner
  /// that they cannot make anew.
  public func revokeAPIKey(_ key: String, of id: String, client: String = "") async throws {
    try await database.write { transaction in
      try transaction.lock(id)
      guard let account = try store.find(id, in: transaction) else { throw AppError(.accountNotFound) }
      guard try apiKeys.revoke(key, of: id, in: transaction) else { throw AppError(.apiKeyNotFound) }
      try tell(.apiKeyRevoked, of: id, by: client, to: account.email, in: transaction)
    }
    outbox.sendNotices()
  }

  /// Throws `api_key_invalid`. Asks the database each time, so a key that was revoked opens nothing from then
  /// on, in any process.
  func viewer(ofKey secret: String) async throws -> Viewer {
    guard secret.utf8.starts(with: Self.keyPrefix.utf8) else { throw AppError(.apiKeyInvalid) }
    let found = try await database.read { transaction in
      try apiKeys.find(secret: secret, in: transaction).flatMap { key in
        try store.find(key.account, in: transaction).map { (key: key, account: $0) }
      }
    }
    guard let (key, account) = found else { throw AppError(.apiKeyInvalid) }
    let beforeMs = time.nowMs - Self.keyUseMs
    if !account.isSuspended, (key.usedAtMs ?? .min) <= beforeMs {
      try await database.write { try apiKeys.use(key, since: beforeMs, in: $0) }
    }
    return Viewer(
      id: account.id, standing: .key(scopes: Set(key.scopes)), isSuspended: account.isSuspended)
  }
}

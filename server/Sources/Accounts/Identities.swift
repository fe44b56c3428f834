internal import Contract
public import Platform

/// Who stands behind a token.
public struct Identities: Sendable {
  /// How long it counts that a guest is none any more, or still is one. This process hears of its own
  /// sign-ups at once.
  private static let lifeMs: Int64 = 30_000
  private static let remembered = 10_000

  private let guests: GuestTokens
  private let time: any TimeSource
  private let accounts: Accounts?
  private let taken: TTLCache<String, Bool>
  private let deviceTokens: DeviceTokens

  /// Without accounts there are guests alone.
  public init(
    guests: GuestTokens, devices: DeviceTokens = DeviceTokens(secret: ""), accounts: Accounts? = nil,
    time: any TimeSource
  ) {
    self.guests = guests
    deviceTokens = devices
    self.accounts = accounts
    self.time = time
    taken = TTLCache(lifeMs: Self.lifeMs, limit: Self.remembered, time: time)
  }

  /// Throws `access_token_invalid`, `access_token_expired` and `session_ended`.
  public func account(ofAccessToken token: String) async throws -> Viewer {
    guard let accounts else { throw AppError(.accessTokenInvalid) }
    return try await accounts.viewer(ofAccessToken: token)
  }

  /// Of a token that is over while its session goes on; nil for any other. For reading alone.
  public func reader(ofOverToken token: String) async throws -> Viewer? {
    try await accounts?.reader(ofOverToken: token)
  }

  /// Throws `api_key_invalid`.
  public func account(ofKey secret: String) async throws -> Viewer {
    guard let accounts else { throw AppError(.apiKeyInvalid) }
    return try await accounts.viewer(ofKey: secret)
  }

  /// NB: nil for a guest who is an account by now, or was one until a moment ago. Otherwise whoever planted a
  /// guest's token in somebody's browser would be able to act and look as the account that comes of it.
  public func guest(ofToken token: String) async throws -> Viewer? {
    await guests.catchUp()
    guard let id = guests.read(token) else { return nil }
    if let accounts, try await taken.value(id, orFind: { try await accounts.exists(id) }) { return nil }
    return Viewer(id: id, standing: .guest)
  }

  public func makeGuest() -> (viewer: Viewer, token: String) {
    let made = guests.make(at: time)
    return (Viewer(id: made.id, standing: .guest), made.token)
  }

  public func renewed(guestToken token: String) -> String? { guests.renewed(token) }

  /// Guests may be accounts that were none a moment ago.
  public func guestsChanged() { taken.forget() }

  public func devices(in text: String) -> [(account: String, id: String)] {
    deviceTokens.read(text).map { ($0.account, $0.id) }
  }

  public func remember(_ account: String, in devices: String) -> String {
    deviceTokens.remember(account, in: devices, at: time)
  }
}

extension Accounts {
  /// Or existed until a moment ago: what is written with its id now will be removed.
  func exists(_ id: String) async throws -> Bool {
    try await database.read { try isTaken(id, in: $0) }
  }

  func isTaken(_ id: String, in transaction: any Transaction) throws -> Bool {
    try !transaction.query("SELECT 1 AS n FROM accounts WHERE id = ?", [.text(id)]).isEmpty
      || ErasureLog(time: time).isGone(.viewer, id, in: transaction)
  }
}

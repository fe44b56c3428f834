internal import Synchronization

/// Keys that all processes of an instance share, in its database: the newest, and the one before it, so that what was made
/// with that stays good after a rotation.
public final class KeyRing: Sendable {
  public enum Purpose: String, Sendable {
    case media = "media_seal_keys"
    case accessTokens = "access_token_keys"
  }

  /// How much the caller knows already.
  public enum Freshness: Sendable { case usual, inDoubt }

  /// For how long another process's change may go unnoticed. Nothing breaks meanwhile: what was the newest key is still
  /// good as the one before.
  private static let lifeMs: Int64 = 30_000
  /// Nobody makes us read the database more often than this by things that no key fits.
  private static let doubtMs: Int64 = 1000

  private let setting: String
  private let database: any Database
  private let time: any TimeSource
  private let known = Mutex<(keys: [String], readMs: Int64)?>(nil)

  public init(_ purpose: Purpose, database: any Database, time: any TimeSource) {
    setting = purpose.rawValue
    self.database = database
    self.time = time
  }

  /// The newest first; at least one, at most two.
  public func keys(_ freshness: Freshness = .usual) async throws -> [String] {
    let (nowMs, lifeMs) = (time.nowMs, freshness == .usual ? Self.lifeMs : Self.doubtMs)
    if let known = known.withLock({ $0 }), (0..<lifeMs).contains(nowMs - known.readMs) { return known.keys }
    var keys = try await database.read { [self] in try stored(in: $0) }
    if keys.isEmpty {
      keys = try await database.write { [self] transaction in
        // Two processes that start together must end up with the same.
        try transaction.execute(
          "INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT (name) DO NOTHING",
          [.text(setting), .text(Self.makeKey())])
        return try stored(in: transaction)
      }
    }
    known.withLock { [keys] in $0 = (keys, nowMs) }
    return keys
  }

  /// Makes a new key. What was made with the one before stays good; what was made with any older one does not.
  public func rotate() async throws {
    try await database.write { [self] transaction in
      try transaction.lock(setting)
      let keys = [Self.makeKey()] + (try stored(in: transaction).prefix(1))
      try transaction.execute(
        "INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        [.text(setting), .text(keys.joined(separator: " "))])
    }
    known.withLock { $0 = nil }
  }

  private func stored(in transaction: any Transaction) throws -> [String] {
    let rows = try transaction.query("SELECT value FROM settings WHERE name = ?", [.text(setting)])
    return try rows.first?.text("value").split(separator: " ").map(String.init) ?? []
  }

  /// 256 bits.
  private static func makeKey() -> String { TokenTag.makeSecret() + TokenTag.makeSecret() }
}

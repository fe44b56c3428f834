internal import Synchronization

/// Names for what is not to be kept, such as the addresses of guests. The same thing has the same name for a
/// day, in all processes of an instance, and the key that made it is forgotten a day later: from then on
/// nobody can tell what a name stood for, with the whole database before them.
public final class DailyNames: Sendable {
  private static let setting = "daily_name_keys"
  private static let dayMs: Int64 = 86_400_000

  private struct Key: Sendable {
    /// Days since 1970, in UTC.
    let day: Int64
    let secret: String
  }

  private let database: any Database
  private let time: any TimeSource
  private let known = Mutex<[Key]>([])

  public init(database: any Database, time: any TimeSource) {
    self.database = database
    self.time = time
  }

  /// The name of today, and that of yesterday if anybody asked then: what began within 24 hours bears one of
  /// the two.
  public func names(of text: String) async throws -> [String] {
    try await keys().map { key in
      SecretToken.derived(from: text, salt: "daily-name/1\n\(key.day)", key: key.secret)
    }
  }

  private func keys() async throws -> [Key] {
    let day = time.nowMs / Self.dayMs
    let held = known.withLock { $0 }
    // NB: another process's clock may be ahead a little; then its newest key is ours too.
    let fitting = day...day + 1
    if let newest = held.first, fitting.contains(newest.day) { return held }
    let keys = try await database.write { [self] transaction in
      try transaction.lock(Self.setting)
      let kept = try stored(in: transaction)
      if let newest = kept.first, fitting.contains(newest.day) { return kept }
      let keys =
        [Key(day: day, secret: TokenTag.makeSecret() + TokenTag.makeSecret())]
        + kept.filter { $0.day == day - 1 }
      try transaction.execute(
        "INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        [
          .text(Self.setting), .text(keys.map { "\($0.day):\($0.secret)" }.joined(separator: " ")),
        ])
      return keys
    }
    known.withLock { $0 = keys }
    return keys
  }

  private func stored(in transaction: any Transaction) throws -> [Key] {
    let rows = try transaction.query("SELECT value FROM settings WHERE name = ?", [.text(Self.setting)])
    return try (rows.first?.text("value") ?? "").split(atByte: UInt8(ascii: " ")).compactMap { word in
      let parts = word.split(atByte: UInt8(ascii: ":")).map(String.init)
      guard parts.count == 2, let day = SafeInteger.read(parts[0]).map(Int64.init) else { return nil }
      return Key(day: day, secret: parts[1])
    }
  }
}

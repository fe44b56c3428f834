internal import Contract
internal import Synchronization

/// Keys that all processes of an instance share, in its database: the newest, and those before it, so that
/// what was made with them stays good for a while after a rotation.
public final class KeyRing: Sendable {
  public enum Purpose: String, Sendable, CaseIterable {
    case media = "media_seal_keys"
    case accessTokens = "access_token_keys"
    case guests = "guest_secret"
    case devices = "device_secret"
    case refreshTokens = "refresh_secret"
    case cursors = "cursor_secret"

    /// For how long after a rotation what the key before made is still read. Nil: until the next rotation,
    /// since what it made ends by itself long before.
    var graceMs: Int64? {
      switch self {
      case .media, .accessTokens: nil
      // A day longer than a session sleeps at most (`SessionStore`).
      case .guests, .devices, .refreshTokens: 61 * 86_400_000
      case .cursors: 86_400_000
      }
    }

    /// How many keys there are at most: what a guess costs us.
    fileprivate var limit: Int { graceMs == nil ? 2 : 8 }
  }

  /// How much the caller knows already.
  public enum Freshness: Sendable { case usual, inDoubt }

  /// In the database: the secret, and `@` with the time at which it was made. One that has none is of a
  /// version that made tags of 64 bits, or of a purpose whose keys need no time.
  private struct Key: Sendable {
    let secret: String
    let madeMs: Int64?

    init(_ secret: String, madeMs: Int64? = nil) {
      self.secret = secret
      self.madeMs = madeMs
    }

    init?(stored text: Substring) {
      let parts = text.split(atByte: UInt8(ascii: "@")).map(String.init)
      guard let secret = parts.first, parts.count <= 2 else { return nil }
      self.init(secret, madeMs: parts.count == 2 ? SafeInteger.read(parts[1]).map(Int64.init) : nil)
    }

    var stored: String { madeMs.map { "\(secret)@\($0)" } ?? secret }
  }

  /// The newest first; there is always one.
  private struct Keys: Sendable {
    let newest: Key
    let older: [Key]

    var all: [Key] { [newest] + older }
    var oldest: Key { older.last ?? newest }

    init?(_ keys: [Key]) {
      guard let newest = keys.first else { return nil }
      self.newest = newest
      older = Array(keys.dropFirst())
    }

    /// Those that are read now: an older one ends a while after the next one was made.
    func good(_ nowMs: Int64, graceMs: Int64?) -> Keys {
      guard let graceMs else { return self }
      let good = zip(all, older).filter { next, _ in next.madeMs.map { nowMs - $0 < graceMs } ?? true }
      return Keys(newest: newest, older: good.map(\.1))
    }

    private init(newest: Key, older: [Key]) {
      self.newest = newest
      self.older = older
    }
  }

  private struct Known: Sendable {
    var keys: Keys
    var readMs: Int64
    var isReading = false
  }

  /// For how long another process's change may go unnoticed. Nothing breaks meanwhile: what was the newest
  /// key is still good as the one before.
  private static let lifeMs: Int64 = 30_000
  /// Nobody makes us read the database more often than this by things that no key fits.
  private static let doubtMs: Int64 = 1000
  /// Where nobody can wait for the database to say which key it was, a new key makes nothing before every
  /// process has read it, clocks that differ by seconds included.
  static let silentMs: Int64 = 2 * lifeMs

  private let purpose: Purpose
  private let database: any Database
  private let time: any TimeSource
  private let known = Mutex<Known?>(nil)

  public init(_ purpose: Purpose, database: any Database, time: any TimeSource) {
    self.purpose = purpose
    self.database = database
    self.time = time
  }

  /// The newest first; at least one.
  public func keys(_ freshness: Freshness = .usual) async throws -> [String] {
    try await read(freshness).all.map(\.secret)
  }

  private func read(_ freshness: Freshness) async throws -> Keys {
    let (nowMs, lifeMs) = (time.nowMs, freshness == .usual ? Self.lifeMs : Self.doubtMs)
    if let known = known.withLock({ $0 }), (0..<lifeMs).contains(nowMs - known.readMs) {
      return good(known.keys, nowMs)
    }
    var keys = try await database.read { [self] in Keys(try stored(in: $0)) }
    if keys == nil {
      let first = newKey(nowMs).stored
      keys = try await database.write { [self] transaction in
        // Two processes that start together must end up with the same.
        try transaction.execute(
          "INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT (name) DO NOTHING",
          [.text(purpose.rawValue), .text(first)])
        return Keys(try stored(in: transaction))
      }
    }
    guard let keys else {
      throw AppError(.internalError, "The setting \(purpose.rawValue) has no key in it.")
    }
    known.withLock { $0 = Known(keys: keys, readMs: nowMs) }
    return good(keys, nowMs)
  }

  /// For those who cannot wait for the database: as the keys were when it was asked last, at most half a
  /// minute ago wherever somebody asks now and then.
  public func tokenKeys() async throws -> TokenKeys {
    let first = try await read(.usual)
    return TokenKeys(held: { [self] in held(orElse: first) }, catchUp: { [self] in _ = try? await keys() })
  }

  /// Makes a new key. What older ones made stays good for a while, or not: `endingOld`.
  public func rotate(endingOld: Bool = false) async throws {
    try await database.write { [self] transaction in
      try transaction.lock(purpose.rawValue)
      let nowMs = time.nowMs
      let old = endingOld ? nil : Keys(try stored(in: transaction)).map { good($0, nowMs) }
      let all = [newKey(nowMs)] + (old?.all.prefix(purpose.limit - 1) ?? [])
      try transaction.execute(
        "INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        [.text(purpose.rawValue), .text(all.map(\.stored).joined(separator: " "))])
    }
    // NB: read anew, and never forgotten: who makes tokens here cannot wait for the database.
    known.withLock { $0?.readMs = time.nowMs - Self.lifeMs }
  }

  private func good(_ keys: Keys, _ nowMs: Int64) -> Keys { keys.good(nowMs, graceMs: purpose.graceMs) }

  private func newKey(_ nowMs: Int64) -> Key {
    Key(Self.makeSecret(), madeMs: purpose.graceMs == nil ? nil : nowMs)
  }

  /// `first`: what was read before there was anything to make a token with.
  private func held(orElse first: Keys) -> TokenKeys.Held {
    let nowMs = time.nowMs
    let (keys, isDue) = known.withLock { known -> (Keys?, Bool) in
      guard let now = known, !now.isReading, !(0..<Self.lifeMs).contains(nowMs - now.readMs) else {
        return (known?.keys, false)
      }
      known?.isReading = true
      return (now.keys, true)
    }
    if isDue {
      Task { [weak self] in
        _ = try? await self?.keys()
        // Also if it failed: the next who asks tries again.
        self?.known.withLock { $0?.isReading = false }
      }
    }
    let good = good(keys ?? first, nowMs)
    let making = good.all.first { $0.madeMs.map { nowMs - $0 >= Self.silentMs } ?? true }
    return TokenKeys.Held(
      making: (making ?? good.oldest).secret,
      reading: good.all.map { TokenKeys.Key($0.secret, mayHaveShortTags: $0.madeMs == nil) })
  }

  private func stored(in transaction: any Transaction) throws -> [Key] {
    let rows = try transaction.query(
      "SELECT value FROM settings WHERE name = ?", [.text(purpose.rawValue)])
    return try (rows.first?.text("value") ?? "").split(atByte: UInt8(ascii: " ")).compactMap(
      Key.init(stored:))
  }

  /// 256 bits.
  private static func makeSecret() -> String { TokenTag.makeSecret() + TokenTag.makeSecret() }
}

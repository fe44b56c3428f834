internal import Foundation
internal import Synchronization

/// The keys of an instance's seals, in its database, so that all of its processes have the same: the one that seals are
/// made with, and the one before it, whose seals are still good.
public final class SealKeys: Sendable {
  private static let setting = "media_seal_keys"
  /// For how long another process's change may go unnoticed. Nothing breaks meanwhile: what was the newest key is still
  /// good as the one before.
  private static let lifeMs: Int64 = 30_000
  /// Nobody makes us read the database more often than this by seals that are wrong.
  private static let doubtMs: Int64 = 1000

  private let database: any Database
  private let time: any TimeSource
  private let known = Mutex<(keys: [String], readMs: Int64)?>(nil)

  public init(database: any Database, time: any TimeSource) {
    self.database = database
    self.time = time
  }

  public func make(clip: String, reader: MediaSeal.Reader, expires: Int64) async throws -> String {
    MediaSeal.make(clip: clip, reader: reader, expires: expires, key: try await keys(Self.lifeMs)[0])
  }

  /// As `MediaSeal.read`, also for a key that another process made a moment ago.
  public func read(_ seal: String, clip: String) async throws -> (reader: MediaSeal.Reader, expires: Int64)? {
    if let read = MediaSeal.read(seal, clip: clip, keys: try await keys(Self.lifeMs)) { return read }
    return MediaSeal.read(seal, clip: clip, keys: try await keys(Self.doubtMs))
  }

  /// Makes a new key. Seals of the one before stay good; those of any older one do not.
  public func rotate() async throws {
    try await database.write { transaction in
      try transaction.lock(Self.setting)
      let keys = [TokenTag.makeSecret()] + (try Self.stored(in: transaction).prefix(1))
      try Self.store(keys, in: transaction)
    }
    known.withLock { $0 = nil }
  }

  private func keys(_ lifeMs: Int64) async throws -> [String] {
    let nowMs = time.nowMs
    if let known = known.withLock({ $0 }), (0..<lifeMs).contains(nowMs - known.readMs) { return known.keys }
    var keys = try await database.read { try Self.stored(in: $0) }
    if keys.isEmpty {
      keys = try await database.write { transaction in
        // Two processes that start together must end up with the same.
        try transaction.lock(Self.setting)
        let there = try Self.stored(in: transaction)
        guard there.isEmpty else { return there }
        let made = [TokenTag.makeSecret()]
        try Self.store(made, in: transaction)
        return made
      }
    }
    known.withLock { [keys] in $0 = (keys, nowMs) }
    return keys
  }

  private static func stored(in transaction: any Transaction) throws -> [String] {
    let rows = try transaction.query("SELECT value FROM settings WHERE name = ?", [.text(setting)])
    return try rows.first?.text("value").split(separator: " ").map(String.init) ?? []
  }

  private static func store(_ keys: [String], in transaction: any Transaction) throws {
    try transaction.execute(
      "INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
      [.text(setting), .text(keys.joined(separator: " "))])
  }
}

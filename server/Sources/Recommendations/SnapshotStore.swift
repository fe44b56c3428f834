public import Foundation
public import Platform

/// Everything by which another process goes on where this one stands.
struct SavedRanking: Sendable, Equatable {
  /// The last event that was learned, and those shortly before, of which others may come late.
  var position: String
  var recent: [String]
  /// Of the ranker, and of whom it believes.
  var model: [UInt8]
  var trust: [UInt8]

  /// How the model did.
  var judgement: [UInt8]

  private static let magic = Array("clipfeed ranking 2\n".utf8)
  /// Nothing was kept of how it did.
  private static let firstMagic = Array("clipfeed ranking 1\n".utf8)

  /// A line that names the format, one for the position, one for the recent events, one with the bytes of the
  /// trust and of the judgement, these, then the model.
  var bytes: [UInt8] {
    Self.magic
      + Array(
        "\(position)\n\(recent.joined(separator: " "))\n\(trust.count) \(judgement.count)\n".utf8)
      + trust + judgement + model
  }

  init(position: String, recent: [String], model: [UInt8], trust: [UInt8], judgement: [UInt8]) {
    (self.position, self.recent, self.model, self.trust) = (position, recent, model, trust)
    self.judgement = judgement
  }

  /// Nil for what is of another format, or cut short.
  init?(_ bytes: [UInt8]) {
    let isFirst = bytes.starts(with: Self.firstMagic)
    guard isFirst || bytes.starts(with: Self.magic) else { return nil }
    let parts = bytes.dropFirst(Self.magic.count).split(
      separator: UInt8(ascii: "\n"), maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count == 4 else { return nil }
    let sizes = parts[2].split(separator: UInt8(ascii: " ")).map {
      SafeInteger.read(String(decoding: $0, as: UTF8.self))
    }
    let rest = parts[3]
    guard sizes.count == (isFirst ? 1 : 2), let trusted = sizes[0], (0...rest.count).contains(trusted),
      let judged = isFirst ? 0 : sizes[1], (0...rest.count - trusted).contains(judged)
    else { return nil }
    position = String(decoding: parts[0], as: UTF8.self)
    recent = parts[1].split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
    trust = Array(rest.prefix(trusted))
    judgement = Array(rest.dropFirst(trusted).prefix(judged))
    model = Array(rest.dropFirst(trusted + judged))
  }
}

/// Snapshots of what was learned: blobs, and a row that names the last one. A blob is there whole or not at
/// all, and the row comes behind it, so a kill costs what was learned since the one before, which is learned
/// again from the events.
public struct SnapshotStore: Sendable {
  /// Between two snapshots.
  public static let everyMs: Int64 = 600_000
  /// After which another process makes it, if the one that began has died.
  static let leaseMs: Int64 = 120_000
  /// Older than this, one may hold people of whom nobody knows any more that they left (`ErasureLog`).
  static let trustedMs: Int64 = ErasureLog.settledMs * 2 / 3
  private static let lease = "lease"

  private let database: any Database
  private let time: any TimeSource
  private let blobs: any BlobStore
  private let workFolder: URL

  public init(database: any Database, time: any TimeSource, blobs: any BlobStore, workFolder: URL) {
    self.database = database
    self.time = time
    self.blobs = blobs
    self.workFolder = workFolder
  }

  /// Hashes of blobs that a sweep of their store must leave alone.
  public func inUse() async throws -> Set<String> {
    let names = try await database.read {
      try $0.query("SELECT blob FROM ranking_snapshots WHERE id <> ?", [.text(Self.lease)])
        .map { try $0.text("blob") }
    }
    return Set(names.compactMap { BlobName($0)?.hash })
  }

  /// Nil: there is none, or its blob is gone or damaged: then learning begins with the events that are kept.
  func last() async throws -> SavedRanking? {
    let rows = try await database.read {
      try $0.query(
        "SELECT blob FROM ranking_snapshots WHERE id <> ? ORDER BY id DESC LIMIT 1", [.text(Self.lease)])
    }
    guard let name = try rows.first.flatMap({ BlobName(try $0.text("blob")) }),
      let bytes = try await blobs.bytes(name), !bytes.isEmpty
    else { return nil }
    return SavedRanking(bytes)
  }

  /// Whether it is this process's turn to make one: one process at a time, each `everyMs`.
  func takeTurn() async throws -> Bool {
    let nowMs = time.nowMs
    return try await database.write { transaction in
      try transaction.lock("ranking snapshots")
      let rows = try transaction.query("SELECT id, at_ms FROM ranking_snapshots")
      for row in rows {
        let atMs = try row.integer("at_ms")
        // A clock that was set back holds nobody up.
        let isLease = try row.text("id") == Self.lease
        if atMs <= nowMs + Self.everyMs, isLease ? nowMs < atMs : nowMs - atMs < Self.everyMs { return false }
      }
      try transaction.execute(
        """
        INSERT INTO ranking_snapshots (id, blob, at_ms) VALUES (?, ?, ?)
        ON CONFLICT (id) DO UPDATE SET at_ms = excluded.at_ms
        """, [.text(Self.lease), .text(""), .integer(nowMs + Self.leaseMs)])
      return true
    }
  }

  /// Ends the turn. `takenMs`: when what is saved was taken, or before: people may have left since. False: it
  /// is too old, or another process was quicker.
  func save(_ saved: SavedRanking, takenMs: Int64) async throws -> Bool {
    let name = try await blobs.put(Data(saved.bytes), ext: "bin", in: workFolder)
    return try await database.write { [time] transaction in
      try transaction.lock("ranking snapshots")
      let newer = try transaction.query(
        "SELECT id FROM ranking_snapshots WHERE id <> ? AND at_ms > ? AND at_ms <= ?",
        [.text(Self.lease), .integer(takenMs), .integer(time.nowMs)])
      guard newer.isEmpty, time.nowMs - takenMs < Self.trustedMs else { return false }
      try transaction.execute("DELETE FROM ranking_snapshots")
      try transaction.execute(
        "INSERT INTO ranking_snapshots (id, blob, at_ms) VALUES (?, ?, ?)",
        [.text(Identifier.make(at: time)), .text(name.description), .integer(takenMs)])
      return true
    }
  }

  /// A person is erased: nothing is learned again from a snapshot that nobody replaces.
  func erase(in transaction: any Transaction) throws {
    try transaction.execute(
      "DELETE FROM ranking_snapshots WHERE at_ms < ? AND id <> ?",
      [.integer(time.nowMs - Self.trustedMs), .text(Self.lease)])
  }
}

internal import Foundation
public import Platform

/// What moderators did, each entry with the hash of the one before: whoever changes, removes or adds one
/// between others afterwards is found out by `verify`. What was cut off at the end is not: write down the
/// last hash where nobody can change it.
///
/// Who did it is covered by a hash of its own with a salt, so that the name can go with its account and the
/// chain still holds.
public struct ModerationLog: Sendable {
  public enum Event: String, Sendable { case decided, appealed, reviewed, ended }

  public struct Entry: Sendable, Equatable {
    public var number: Int64
    public var atMs: Int64
    public var event: String
    public var caseID: String
    /// What was decided, without anybody's words; of those there is a hash.
    public var detail: String
    /// Nil: the account is gone, or nobody did it but time.
    public var actor: String?
    public var hash: String
  }

  /// Where the chain does not hold.
  public struct Broken: Error, Sendable, Equatable {
    public let number: Int64

    public init(number: Int64) { self.number = number }
  }

  /// The hash before the first entry.
  static let start = String(repeating: "0", count: 64)

  private let time: any TimeSource

  init(time: any TimeSource) {
    self.time = time
  }

  /// In the transaction of what happened.
  func append(
    _ event: Event, _ caseID: String, _ detail: String, by actor: String?, in transaction: any Transaction
  ) throws {
    try transaction.lock("moderation log")
    let last = try transaction.query(
      "SELECT number, hash FROM moderation_log ORDER BY number DESC LIMIT 1"
    ).first
    let number = try last.map { try $0.integer("number") + 1 } ?? 1
    let salt = TokenTag.makeSecret()
    let actorHash = Self.hash(ofActor: actor ?? "", salt)
    let entry = Entry(
      number: number, atMs: time.nowMs, event: event.rawValue, caseID: caseID, detail: detail, actor: actor,
      hash: "")
    try transaction.execute(
      """
      INSERT INTO moderation_log (number, at_ms, event, case_id, detail, actor_viewer_id, actor_salt, actor_hash, hash)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        .integer(number), .integer(entry.atMs), .text(entry.event), .text(caseID), .text(detail),
        SQLValue(actor), .text(salt), .text(actorHash),
        .text(Self.hash(of: entry, actorHash, behind: try last?.text("hash") ?? Self.start)),
      ])
  }

  /// Reads entry by entry from the first; `seen` is called with each that holds. Throws `Broken`.
  public static func verify(
    in database: any Database, _ seen: (Entry) throws -> Void = { _ in }
  ) async throws {
    var (number, hash): (Int64, String) = (0, start)
    while true {
      let place = number
      let rows = try await database.read {
        try $0.query(
          "SELECT * FROM moderation_log WHERE number > ? ORDER BY number LIMIT 500", [.integer(place)])
      }
      guard !rows.isEmpty else { return }
      for row in rows {
        let entry = try entry(row)
        guard entry.number == number + 1, try holds(row, entry, behind: hash) else {
          throw Broken(number: number + 1)
        }
        (number, hash) = (entry.number, entry.hash)
        try seen(entry)
      }
    }
  }

  private static func holds(_ row: Row, _ entry: Entry, behind last: String) throws -> Bool {
    let actorHash = try row.text("actor_hash")
    if let salt = row.optionalText("actor_salt"), hash(ofActor: entry.actor ?? "", salt) != actorHash {
      return false
    }
    return hash(of: entry, actorHash, behind: last) == entry.hash
  }

  private static func entry(_ row: Row) throws -> Entry {
    Entry(
      number: try row.integer("number"), atMs: try row.integer("at_ms"), event: try row.text("event"),
      caseID: try row.text("case_id"), detail: try row.text("detail"),
      actor: row.optionalText("actor_viewer_id"), hash: try row.text("hash"))
  }

  private static func hash(ofActor actor: String, _ salt: String) -> String {
    ContentHash.of(Array("\(salt)/\(actor)".utf8))
  }

  /// Of lines: none of the parts has an end of line in it.
  private static func hash(of entry: Entry, _ actorHash: String, behind last: String) -> String {
    let lines = [
      last, "\(entry.number)", "\(entry.atMs)", entry.event, entry.caseID, actorHash, entry.detail,
    ]
    return ContentHash.of(Array(lines.joined(separator: "\n").utf8))
  }
}

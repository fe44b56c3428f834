public import Contract

/// Whom somebody follows.
public protocol FollowReading: Sendable {
  /// Those of these authors that the viewer follows.
  func followed(
    by viewer: String, among authors: [String], in transaction: any Transaction
  ) throws -> Set<String>
}

/// Tells of people as lists show them to a viewer.
public struct PersonReading: Sendable {
  private let follows: any FollowReading
  private let blocking: any BlockChecking

  public init(follows: any FollowReading, blocking: any BlockChecking) {
    self.follows = follows
    self.blocking = blocking
  }

  /// Those of these authors from whom the viewer is not kept apart, by id. `viewer`: nil for somebody of whom
  /// nothing is known. Guests have no face, and are left out.
  public func people(
    _ ids: [String], for viewer: String?, in transaction: any Transaction
  ) throws -> [String: FoundPerson] {
    guard !ids.isEmpty else { return [:] }
    var strangers: Set<String> = []
    if let viewer, try blocking.hasAnyBlock(viewer, in: transaction) {
      strangers = try blocking.blocked(from: viewer, among: ids, in: transaction)
    }
    let shown = ids.filter { !strangers.contains($0) }
    guard !shown.isEmpty else { return [:] }
    let followed = try viewer.map { try follows.followed(by: $0, among: shown, in: transaction) } ?? []
    let counts = try Counters.authors.counts(of: shown, in: transaction)
    let list = SQLList(shown)
    let rows = try transaction.query(
      "SELECT id, handle, name, picture FROM authors WHERE id IN \(list.marks)", list.values)
    return try rows.reduce(into: [:]) { people, row in
      let id = try row.text("id")
      people[id] = FoundPerson(
        author: try row.author(id), followers: counts[id]?[.followers] ?? 0, following: followed.contains(id))
    }
  }

  /// Who has this handle, in the spelling in which handles are kept; nobody has the one that guests share.
  public func id(ofHandle handle: String, in transaction: any Transaction) throws -> String? {
    guard !handle.isEmpty, !handle.hasSameBytes(as: Author.guestHandle) else { return nil }
    return try transaction.query("SELECT id FROM authors WHERE handle = ?", [.text(handle)]).first?
      .text("id")
  }
}

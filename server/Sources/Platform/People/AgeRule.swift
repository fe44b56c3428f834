public import Contract
internal import Foundation
internal import Synchronization

/// Who is shown clips that are for adults alone: whoever is not in restricted mode, and whoever made them
/// (docs/design/visibility.md).
///
/// It is one rule in one place: a list of clips has `condition` in its statement, and what leads to one clip
/// asks `requireShown`. One for all features of a process.
public final class AgeRule: Sendable {
  public static let migrations = [
    Migration(
      "0058_restricted_mode",
      [
        // Only of those who said something about it.
        """
        CREATE TABLE restricted_modes (
            viewer_id TEXT PRIMARY KEY, is_restricted BIGINT NOT NULL, confirmed_at_ms BIGINT)
        """
      ])
  ]

  private let isOnByDefault = Mutex(true)

  public init() {}

  /// Whether whoever said nothing is in restricted mode, as the operator wants it.
  public var restrictsByDefault: Bool {
    get { isOnByDefault.withLock { $0 } }
    set { isOnByDefault.withLock { $0 = newValue } }
  }

  /// What holds of a clip that the viewer is shown, by the name that the statement has for its row. `viewer`:
  /// nil for somebody of whom nothing is known.
  ///
  /// NB: first what holds of nearly all clips, so that nobody's setting is looked at for them.
  public func condition(
    on clip: String = "c", for viewer: String?
  ) -> (sql: String, values: [SQLValue]) {
    let restricts = restrictsByDefault
    guard let viewer else { return (restricts ? "\(clip).for_adults = 0" : "1 = 1", []) }
    let exception = "SELECT 1 FROM restricted_modes WHERE viewer_id = ? AND"
    // NB: an end of it counts only from who said to be an adult, also where it was none of the operator's
    // wishes then.
    let isOff =
      restricts
      ? "EXISTS (\(exception) is_restricted = 0 AND confirmed_at_ms IS NOT NULL)"
      : "NOT EXISTS (\(exception) is_restricted = 1)"
    return (
      "(\(clip).for_adults = 0 OR \(clip).author_id = ? OR \(isOff))", [.text(viewer), .text(viewer)]
    )
  }

  /// Throws `clip_for_adults` for one that the viewer is not shown. One that is not there is nobody's.
  public func requireShown(
    _ clipID: String, to viewer: String?, in transaction: any Transaction
  ) throws {
    let shown = condition(for: viewer)
    let hidden = try transaction.query(
      "SELECT c.id FROM clips c WHERE c.id = ? AND c.for_adults <> 0 AND NOT \(shown.sql)",
      [.text(clipID)] + shown.values)
    guard hidden.isEmpty else { throw AppError(.clipForAdults) }
  }

  // MARK: What somebody wants

  public func mode(of viewer: String?, in transaction: any Transaction) throws -> RestrictedMode {
    let row = try viewer.flatMap {
      try transaction.query(
        "SELECT is_restricted, confirmed_at_ms FROM restricted_modes WHERE viewer_id = ?", [.text($0)]
      ).first
    }
    let confirmedAtMs = row?.optionalInteger("confirmed_at_ms")
    let restricts = restrictsByDefault
    var isRestricted = try row.map { try $0.integer("is_restricted") == 1 } ?? restricts
    if restricts, confirmedAtMs == nil { isRestricted = true }
    return RestrictedMode(
      restricted: isRestricted,
      confirmedAt: confirmedAtMs.map { Date(timeIntervalSince1970: Double($0) / 1000) })
  }

  /// Anybody can begin it. Where everybody is in it, it is ended by an account that says to be an adult's:
  /// once, and the first time counts. Throws `sign_in_needed` and `adult_unconfirmed`.
  public func change(
    _ change: RestrictedModeChange, of viewer: Viewer, atMs now: Int64, in transaction: any Transaction
  ) throws -> RestrictedMode {
    let mayConfirm = viewer.accountID != nil
    let confirms = mayConfirm && change.isAdult == true
    if !change.restricted, restrictsByDefault {
      guard mayConfirm else { throw AppError(.signInNeeded) }
      guard try confirms || mode(of: viewer.id, in: transaction).confirmedAt != nil else {
        throw AppError(.adultUnconfirmed)
      }
    }
    try transaction.execute(
      """
      INSERT INTO restricted_modes (viewer_id, is_restricted, confirmed_at_ms) VALUES (?, ?, ?)
      ON CONFLICT (viewer_id) DO UPDATE SET is_restricted = excluded.is_restricted,
          confirmed_at_ms = COALESCE(restricted_modes.confirmed_at_ms, excluded.confirmed_at_ms)
      """,
      [.text(viewer.id), SQLValue(change.restricted ? 1 : 0), SQLValue(confirms ? now : nil)])
    return try mode(of: viewer.id, in: transaction)
  }
}

extension AgeRule: ViewerMerging, ViewerErasing {
  /// A guest who wanted it goes on wanting it, unless the account has said something itself.
  public func merge(_ guest: String, into account: String, in transaction: any Transaction) throws {
    try transaction.execute(
      """
      INSERT INTO restricted_modes (viewer_id, is_restricted, confirmed_at_ms)
      SELECT CAST(? AS TEXT), is_restricted, confirmed_at_ms FROM restricted_modes WHERE viewer_id = ?
      ON CONFLICT (viewer_id) DO NOTHING
      """, [.text(account), .text(guest)])
    try erase(guest, in: transaction)
  }

  public func erase(_ viewer: String, in transaction: any Transaction) throws {
    try transaction.execute("DELETE FROM restricted_modes WHERE viewer_id = ?", [.text(viewer)])
  }
}

extension AgeRule: ViewerExporting {
  public var exported: [ExportedRecords] {
    [
      ExportedRecords(
        "restricted_mode",
        "Whether the account sees clips for adults, and when it said that it is an adult's.",
        of: ["restricted_modes.viewer_id"], fields: ["is_restricted", "confirmed_at_ms"],
        sql: """
          SELECT viewer_id AS place, is_restricted, confirmed_at_ms FROM restricted_modes WHERE viewer_id = ?
          """)
    ]
  }
}

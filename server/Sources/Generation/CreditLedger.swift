internal import Contract
internal import Platform

/// What people may have made, as double entry: each entry has an amount in several places, which sum to zero.
///
/// Balances are changed in the transaction of their entry, with the person locked. An entry is made once,
/// since its name and a place are the key: whoever makes it again changes nothing.
struct CreditLedger: Sendable {
  enum Place: String, Sendable {
    /// Where credits come from, and where those go that nobody has any more.
    case issued
    case available, held, spent
  }

  static let tables = [
    """
    CREATE TABLE generation_people (
        viewer_id TEXT PRIMARY KEY, day BIGINT NOT NULL, available BIGINT NOT NULL CHECK (available >= 0),
        held BIGINT NOT NULL CHECK (held >= 0), served BIGINT NOT NULL)
    """,
    "CREATE INDEX generation_people_in_turn ON generation_people (served)",
    """
    CREATE TABLE credit_entries (
        entry TEXT NOT NULL, place TEXT NOT NULL, viewer_id TEXT, generation TEXT, amount BIGINT NOT NULL,
        day BIGINT NOT NULL, at_ms BIGINT NOT NULL, PRIMARY KEY (entry, place))
    """,
    "CREATE INDEX credit_entries_of_day ON credit_entries (day, place)",
    "CREATE INDEX credit_entries_of_viewer ON credit_entries (viewer_id, entry)",
  ]

  static let dayMs: Int64 = 86_400_000

  let time: any TimeSource

  var today: Int64 { time.nowMs / Self.dayMs }

  struct Balance: Sendable, Equatable {
    var available: Int64
    var held: Int64
  }

  func lock(_ viewer: String, in transaction: any Transaction) throws {
    try transaction.lock("credits of \(viewer)")
  }

  /// What somebody would have now, without writing anything.
  func balance(
    of viewer: String, allowance: Int64, in transaction: any Transaction
  ) throws -> Balance {
    guard let row = try find(viewer, in: transaction) else { return Balance(available: allowance, held: 0) }
    let isOfToday = try row.integer("day") >= today
    return Balance(
      available: isOfToday ? try row.integer("available") : allowance, held: try row.integer("held"))
  }

  /// Begins the day of somebody who is locked, if it has not begun. What was left is not added.
  @discardableResult
  func open(
    _ viewer: String, allowance: Int64, in transaction: any Transaction
  ) throws -> Balance {
    try transaction.execute(
      """
      INSERT INTO generation_people (viewer_id, day, available, held, served) VALUES (?, -1, 0, 0, 0)
      ON CONFLICT (viewer_id) DO NOTHING
      """, [.text(viewer)])
    guard let row = try find(viewer, in: transaction) else { throw AppError(.internalError) }
    let (available, held) = (try row.integer("available"), try row.integer("held"))
    // NB: a clock that was set back begins no day anew.
    guard try row.integer("day") < today else { return Balance(available: available, held: held) }
    let more = allowance - available
    if more != 0 {
      _ = try write(
        Identifier.make(at: time), [(.available, more), (.issued, -more)], of: viewer, about: nil, day: today,
        in: transaction)
    }
    try transaction.execute(
      "UPDATE generation_people SET day = ?, available = ? WHERE viewer_id = ?",
      [.integer(today), .integer(allowance), .text(viewer)])
    return Balance(available: allowance, held: held)
  }

  /// Holds the price of a generation, of somebody who is locked and whose day has begun. Throws
  /// `insufficient_credits`.
  func reserve(
    _ price: Int64, for generation: String, by viewer: String, in transaction: any Transaction
  ) throws {
    guard price > 0 else { return }
    let held = try transaction.execute(
      """
      UPDATE generation_people SET available = available - ?, held = held + ? WHERE viewer_id = ? AND available >= ?
      """, [.integer(price), .integer(price), .text(viewer), .integer(price)])
    guard held == 1 else { throw AppError(.insufficientCredits) }
    _ = try write(
      "reserve/\(generation)", [(.available, -price), (.held, price)], of: viewer, about: generation,
      day: today, in: transaction)
  }

  /// Spends what is held of a generation, or gives it back; once, whoever says it how often. `day`: the one
  /// on which it was reserved. `viewer`: nil: the account is gone, and so are its credits.
  func settle(
    _ price: Int64, of generation: String, by viewer: String?, day: Int64, isSpent: Bool,
    in transaction: any Transaction
  ) throws {
    guard price > 0 else { return }
    if let viewer { try lock(viewer, in: transaction) }
    let target: Place = isSpent ? .spent : viewer == nil ? .issued : .available
    let isFirst = try write(
      "settle/\(generation)", [(.held, -price), (target, price)], of: viewer, about: generation, day: day,
      in: transaction)
    guard isFirst, let viewer else { return }
    try transaction.execute(
      "UPDATE generation_people SET held = held - ?, available = available + ? WHERE viewer_id = ?",
      [.integer(price), .integer(isSpent ? 0 : price), .text(viewer)])
  }

  /// What all people together have held or spent of a day's credits, with `"all credits"` locked by who goes
  /// by it.
  func committed(on day: Int64, in transaction: any Transaction) throws -> Int64 {
    try transaction.query(
      """
      SELECT CAST(COALESCE(SUM(amount), 0) AS BIGINT) AS n FROM credit_entries
      WHERE day = ? AND place IN ('held', 'spent')
      """, [.integer(day)])[0].integer("n")
  }

  /// False: it was made before, and nothing changed.
  private func write(
    _ entry: String, _ amounts: [(Place, Int64)], of viewer: String?, about generation: String?, day: Int64,
    in transaction: any Transaction
  ) throws -> Bool {
    for (place, amount) in amounts {
      let written = try transaction.execute(
        """
        INSERT INTO credit_entries (entry, place, viewer_id, generation, amount, day, at_ms)
        VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (entry, place) DO NOTHING
        """,
        [
          .text(entry), .text(place.rawValue), SQLValue(viewer), SQLValue(generation), .integer(amount),
          .integer(day), .integer(time.nowMs),
        ])
      guard written == 1 else { return false }
    }
    return true
  }

  private func find(_ viewer: String, in transaction: any Transaction) throws -> Row? {
    try transaction.query(
      "SELECT day, available, held FROM generation_people WHERE viewer_id = ?", [.text(viewer)]
    ).first
  }

  /// The person is in no entry any more; what it was is still true.
  func forget(_ viewer: String, in transaction: any Transaction) throws {
    try transaction.execute(
      "UPDATE credit_entries SET viewer_id = NULL WHERE viewer_id = ?", [.text(viewer)])
    try transaction.execute("DELETE FROM generation_people WHERE viewer_id = ?", [.text(viewer)])
  }
}

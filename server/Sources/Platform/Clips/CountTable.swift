/// A table of counts: the id of what is counted on, a day where they are kept by day, and a column for each
/// counter. Or the table of what is counted on itself.
struct CountTable: Sendable {
  struct Row {
    let subject: String
    var day: Int64?
    /// As the columns stand.
    let counts: [Int64]
  }

  /// Rows of one statement.
  static let rows = 100

  let name: String
  private let key: String
  private let subjects: String
  private let isByDay: Bool
  /// The counts stand in the rows of the subjects.
  private let isOfSubjects: Bool
  private let columns: [String]

  /// `key`: a column that refers to one of `subjects`.
  init(name: String, key: String, of subjects: String, isByDay: Bool = false, columns: [String]) {
    self.name = name
    self.key = key
    self.subjects = subjects
    self.isByDay = isByDay
    isOfSubjects = false
    self.columns = columns
  }

  /// Columns of the subjects themselves, by their `id`.
  init(inRowsOf subjects: String, columns: [String]) {
    name = subjects
    key = "id"
    self.subjects = subjects
    isByDay = false
    isOfSubjects = true
    self.columns = columns
  }

  /// Adds each to what is there. What belongs to nothing any more is dropped.
  ///
  /// NB: in the order of their keys, so that two who add never wait for each other in a ring. Without a
  /// WHERE, SQLite takes the ON of the conflict for that of a join.
  func add(_ new: [Row], in transaction: any Transaction) throws {
    if isOfSubjects { return try addInPlace(new, in: transaction) }
    var rest = new.sorted { ($0.subject, $0.day ?? 0) < ($1.subject, $1.day ?? 0) }[...]
    let keys = [key] + (isByDay ? ["day"] : [])
    let numbers = (isByDay ? ["day"] : []) + columns
    let row = "(?" + numbers.map { _ in ", CAST(? AS BIGINT)" }.joined() + ")"
    let all = ([key] + numbers).joined(separator: ", ")
    let counted = ([key] + numbers).map { "counted.\($0)" }.joined(separator: ", ")
    let order = keys.map { "counted.\($0)" }.joined(separator: ", ")
    let additions = columns.map { "\($0) = \(name).\($0) + excluded.\($0)" }.joined(separator: ", ")
    while !rest.isEmpty {
      let some = rest.prefix(Self.rows)
      rest = rest.dropFirst(some.count)
      try transaction.execute(
        """
        WITH counted (\(all)) AS (VALUES \(some.map { _ in row }.joined(separator: ", ")))
        INSERT INTO \(name) (\(all))
        SELECT \(counted) FROM counted JOIN \(subjects) subject ON subject.id = counted.\(key)
        WHERE 1 = 1 ORDER BY \(order)
        ON CONFLICT (\(keys.joined(separator: ", "))) DO UPDATE SET \(additions)
        """,
        some.flatMap { row in
          [.text(row.subject)] + (isByDay ? [.integer(row.day ?? 0)] : []) + row.counts.map(SQLValue.integer)
        })
    }
  }

  /// In the order of their keys as well.
  private func addInPlace(_ new: [Row], in transaction: any Transaction) throws {
    let additions = columns.map { "\($0) = \($0) + ?" }.joined(separator: ", ")
    for row in new.sorted(by: { $0.subject < $1.subject }) {
      try transaction.execute(
        "UPDATE \(name) SET \(additions) WHERE \(key) = ?",
        row.counts.map(SQLValue.integer) + [.text(row.subject)])
    }
  }
}

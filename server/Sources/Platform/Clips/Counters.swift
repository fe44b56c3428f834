/// Exact counts without a row that everybody waits for.
///
/// Each change is a row of its own, appended in the transaction of what it counts. Now and then a fold takes
/// rows and adds them to the total, in one transaction, so each counts once whatever is killed. A count is
/// the total and what is not folded yet, read in one statement: it is right at any time, and a fold only
/// makes it cheaper.
///
/// NB: nothing else writes the totals. A fold counts what its own DELETE removed, so any number of processes
/// may fold at the same time.
public struct Counters: Sendable {
  public static let clips = Counters(
    of: "clips", name: "clip", [.likes, .comments, .shares, .views] + Counted.reactions,
    days: [.likes: .likes, .comments: .comments, .shares: .shares, .views: .views])
  public static let authors = Counters(of: "authors", name: "author", [.followers])
  /// Their totals stand in the comments themselves, since one order of them goes by likes.
  public static let comments = Counters(inRowsOf: "comments", name: "comment", [.likes, .replies])

  public static let migrations = [
    Migration(
      "0015_counts",
      [
        """
        CREATE TABLE clip_counts (
            clip_id TEXT NOT NULL REFERENCES clips (id) ON DELETE CASCADE, counter TEXT NOT NULL,
            total BIGINT NOT NULL, PRIMARY KEY (clip_id, counter))
        """,
        // Without a reference to the clip: appending must not touch the clip's row. A fold drops what belongs
        // to nothing.
        """
        CREATE TABLE clip_count_changes (
            clip_id TEXT NOT NULL, id TEXT NOT NULL, counter TEXT NOT NULL, change BIGINT NOT NULL,
            PRIMARY KEY (clip_id, id))
        """,
        """
        CREATE TABLE author_counts (
            author_id TEXT NOT NULL REFERENCES authors (id) ON DELETE CASCADE, counter TEXT NOT NULL,
            total BIGINT NOT NULL, PRIMARY KEY (author_id, counter))
        """,
        """
        CREATE TABLE author_count_changes (
            author_id TEXT NOT NULL, id TEXT NOT NULL, counter TEXT NOT NULL, change BIGINT NOT NULL,
            PRIMARY KEY (author_id, id))
        """,
        "INSERT INTO clip_counts (clip_id, counter, total) SELECT id, 'comments', comments FROM clips WHERE comments <> 0",
        "ALTER TABLE clips DROP COLUMN likes", "ALTER TABLE clips DROP COLUMN comments",
        "ALTER TABLE clips DROP COLUMN shares", "ALTER TABLE clips DROP COLUMN views",
      ]),
    Migration(
      "0022_totals",
      // One row for all counters of a subject: whoever shows it looks once, and gets them with it.
      [
        """
        CREATE TABLE clip_totals (
            clip_id TEXT PRIMARY KEY REFERENCES clips (id) ON DELETE CASCADE, likes BIGINT NOT NULL,
            comments BIGINT NOT NULL, shares BIGINT NOT NULL, views BIGINT NOT NULL)
        """,
        """
        INSERT INTO clip_totals (clip_id, likes, comments, shares, views)
        SELECT clip_id, SUM(CASE counter WHEN 'likes' THEN total ELSE 0 END),
            SUM(CASE counter WHEN 'comments' THEN total ELSE 0 END), SUM(CASE counter WHEN 'shares' THEN total ELSE 0 END),
            SUM(CASE counter WHEN 'views' THEN total ELSE 0 END)
        FROM clip_counts GROUP BY clip_id
        """,
        "DROP TABLE clip_counts",
        """
        CREATE TABLE author_totals (
            author_id TEXT PRIMARY KEY REFERENCES authors (id) ON DELETE CASCADE, followers BIGINT NOT NULL)
        """,
        """
        INSERT INTO author_totals (author_id, followers)
        SELECT author_id, total FROM author_counts WHERE counter = 'followers'
        """,
        "DROP TABLE author_counts",
      ]),
    Migration(
      "0031_reactions_counted",
      // In rows of their own no longer, for which everybody waited who reacted to one clip.
      ["heart", "laugh", "wow", "clap", "fire", "cry"].map {
        "ALTER TABLE clip_totals ADD COLUMN \($0) BIGINT NOT NULL DEFAULT 0"
      } + [
        """
        INSERT INTO clip_totals (clip_id, likes, comments, shares, views, heart, laugh, wow, clap, fire)
        SELECT clip_id, 0, 0, 0, 0, SUM(CASE reaction WHEN 'heart' THEN total ELSE 0 END),
            SUM(CASE reaction WHEN 'laugh' THEN total ELSE 0 END), SUM(CASE reaction WHEN 'wow' THEN total ELSE 0 END),
            SUM(CASE reaction WHEN 'clap' THEN total ELSE 0 END), SUM(CASE reaction WHEN 'fire' THEN total ELSE 0 END)
        FROM reactions WHERE 1 = 1 GROUP BY clip_id
        ON CONFLICT (clip_id) DO UPDATE SET heart = excluded.heart, laugh = excluded.laugh, wow = excluded.wow,
            clap = excluded.clap, fire = excluded.fire
        """,
        "DROP TABLE reactions",
      ]),
    reachMigration,
    Migration(
      "0045_comment_counts",
      [
        """
        CREATE TABLE comment_count_changes (
            comment_id TEXT NOT NULL, id TEXT NOT NULL, counter TEXT NOT NULL, change BIGINT NOT NULL,
            PRIMARY KEY (comment_id, id))
        """
      ]),
    .keepingRowsByKey(
      "0077_changes_by_key",
      ["clip", "clip_reach", "author", "comment"].map { name in
        let subject = name == "clip_reach" ? "clip" : name
        let columns = [
          ("\(subject)_id", "TEXT NOT NULL"), ("id", "TEXT NOT NULL"), ("counter", "TEXT NOT NULL"),
          ("change", "BIGINT NOT NULL"),
        ]
        return ("\(name)_count_changes", subject == "clip" ? columns + [("day", "BIGINT")] : columns)
      }),
  ]

  public struct Change: Sendable, Equatable {
    public let subject: String
    public let counter: Counted
    public let by: Int

    public init(_ subject: String, _ counter: Counted, by: Int) {
      self.subject = subject
      self.counter = counter
      self.by = by
    }
  }

  /// Changes that one transaction of a fold takes: some milliseconds, for which nobody but another fold
  /// waits, and on SQLite everybody who writes.
  static let batch = 200

  /// What the changes call a subject, and what the totals do.
  private let key: String
  private let totalsKey: String
  private let totals: String
  private let table: CountTable
  let changes: String
  let counters: [Counted]
  /// What is added up by day as well, and as what.
  let days: [Counted: ClipDays.Column]
  private let columns: String

  /// `key`: what the tables call a subject.
  init(
    of subjects: String, name: String, key: String? = nil, _ counters: [Counted],
    days: [Counted: ClipDays.Column] = [:]
  ) {
    let names = counters.map(\.rawValue)
    self.counters = counters
    self.days = days
    self.key = key ?? "\(name)_id"
    totalsKey = self.key
    totals = "\(name)_totals"
    changes = "\(name)_count_changes"
    columns = names.joined(separator: ", ")
    table = CountTable(name: totals, key: self.key, of: subjects, columns: names)
  }

  /// Of subjects that have a column for each counter.
  init(inRowsOf subjects: String, name: String, _ counters: [Counted]) {
    let names = counters.map(\.rawValue)
    self.counters = counters
    days = [:]
    key = "\(name)_id"
    totalsKey = "id"
    totals = subjects
    changes = "\(name)_count_changes"
    columns = names.joined(separator: ", ")
    table = CountTable(inRowsOf: subjects, columns: names)
  }

  public func add(_ new: [Change], at time: any TimeSource, in transaction: any Transaction) throws {
    var rest = new[...]
    while !rest.isEmpty {
      let some = rest.prefix(CountTable.rows)
      rest = rest.dropFirst(some.count)
      let names = "\(key), id, counter, change" + (days.isEmpty ? "" : ", day")
      let row = days.isEmpty ? "(?, ?, ?, ?)" : "(?, ?, ?, ?, ?)"
      let day = ClipDays.day(atMs: time.nowMs)
      try transaction.execute(
        "INSERT INTO \(changes) (\(names)) VALUES \(some.map { _ in row }.joined(separator: ", "))",
        some.flatMap { change -> [SQLValue] in
          [
            .text(change.subject), .text(Identifier.make(at: time)), .text(change.counter.rawValue),
            SQLValue(change.by),
          ] + (days.isEmpty ? [] : [.integer(day)])
        })
    }
  }

  /// What was counted on each of these; what is missing is 0.
  public func counts(
    of ids: [String], in transaction: any Transaction
  ) throws -> [String: [Counted: Int]] {
    guard !ids.isEmpty else { return [:] }
    let list = SQLList(ids)
    let nothing = counters.map { _ in "0" }.joined(separator: ", ")
    // NB: one statement, since a fold between two would be counted twice or not at all.
    let rows = try transaction.query(
      """
      SELECT \(totalsKey) AS subject, NULL AS counter, 0 AS change, \(columns) FROM \(totals)
      WHERE \(totalsKey) IN \(list.marks)
      UNION ALL
      SELECT \(key), counter, CAST(SUM(change) AS BIGINT), \(nothing) FROM \(changes) WHERE \(key) IN \(list.marks)
      GROUP BY \(key), counter
      """, list.values + list.values)
    var counts: [String: [Counted: Int]] = [:]
    for row in rows {
      let subject = try row.text("subject")
      guard let changed = row.optionalText("counter") else {
        for counter in counters {
          counts[subject, default: [:]][counter, default: 0] += Int(try row.integer(counter.rawValue))
        }
        continue
      }
      let counter = Counted(rawValue: changed)
      guard counters.contains(counter) else { continue }
      counts[subject, default: [:]][counter, default: 0] += Int(try row.integer("change"))
    }
    return counts
  }

  /// The totals as columns of a statement in which they are joined as `n`; nothing where nothing was folded
  /// yet.
  public var totalColumns: String { counters.map { "n.\($0.rawValue)" }.joined(separator: ", ") }

  /// What joins them to a row of the subject.
  public func totalsJoin(_ id: String) -> String { "LEFT JOIN \(totals) n ON n.\(totalsKey) = \(id)" }

  /// What goes behind a statement that shows subjects: every change of theirs that is not in their totals
  /// yet. Rows of the id, the counter and what is to be added to it, and of what else has to stand there,
  /// such as `, NULL`. `page`: where their ids are found, by that name.
  public func alsoSelectChanges(of page: String, besides rest: String, on engine: DatabaseEngine) -> String {
    let rows = "UNION ALL SELECT t.\(key), t.counter, t.change\(rest) FROM"
    return switch engine {
    case .sqlite: "\(rows) \(page) JOIN \(changes) t ON t.\(key) = page.id"
    // NB: it might go through all of a table for a join, if it believes that the table is small; changes come
    // and go quicker than it counts them.
    case .postgreSQL: "\(rows) \(changes) t WHERE t.\(key) = ANY (ARRAY(SELECT id FROM \(page)))"
    }
  }

  public func count(_ counter: Counted, of id: String, in transaction: any Transaction) throws -> Int {
    try counts(of: [id], in: transaction)[id]?[counter] ?? 0
  }

  /// Adds all changes to the totals that are there when it comes by. Counts them.
  @discardableResult
  public func fold(in database: any Database) async throws -> Int {
    var folded = 0
    var place: (subject: String, id: String) = ("", "")
    while true {
      let from = place
      // Most of the time there is nothing to do, and that costs no write.
      let last = try await database.read { transaction in
        try transaction.query(
          """
          SELECT \(key) AS subject, id FROM \(changes) WHERE (\(key), id) > (?, ?)
          ORDER BY \(key), id LIMIT \(Self.batch)
          """, [.text(from.subject), .text(from.id)]
        ).last.map { (subject: try $0.text("subject"), id: try $0.text("id")) }
      }
      guard let last else { return folded }
      folded += try await database.write { try fold(from, last, in: $0) }
      place = last
    }
  }

  /// Changes of one that goes, which nobody adds up any more.
  public func forget(_ subject: String, in transaction: any Transaction) throws {
    try transaction.execute("DELETE FROM \(changes) WHERE \(key) = ?", [.text(subject)])
  }

  private func fold(
    _ from: (subject: String, id: String), _ last: (subject: String, id: String),
    in transaction: any Transaction
  ) throws -> Int {
    let known = SQLList(counters.map(\.rawValue))
    // What this program does not know waits for one that does.
    let taken = try transaction.query(
      """
      DELETE FROM \(changes) WHERE (\(key), id) > (?, ?) AND (\(key), id) <= (?, ?) AND counter IN \(known.marks)
      RETURNING \(key) AS subject, counter, change\(days.isEmpty ? "" : ", day")
      """,
      [.text(from.subject), .text(from.id), .text(last.subject), .text(last.id)] + known.values)
    var sums: [String: [Counted: Int64]] = [:]
    var byDay = ClipDays.Sums()
    for row in taken {
      let (subject, counter) = (try row.text("subject"), Counted(rawValue: try row.text("counter")))
      let change = try row.integer("change")
      sums[subject, default: [:]][counter, default: 0] += change
      if let column = days[counter] {
        byDay.add(change, to: column, of: subject, on: row.optionalInteger("day"))
      }
    }
    let changed = sums.filter { $0.value.contains { $0.value != 0 } }
    try table.add(
      changed.map { subject, sum in CountTable.Row(subject: subject, counts: counters.map { sum[$0] ?? 0 }) },
      in: transaction)
    try ClipDays.table.add(byDay.rows, in: transaction)
    return taken.count
  }
}

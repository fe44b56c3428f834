/// What was counted on each clip on each of its last days, in UTC, for its owner.
///
/// Nothing is written for it beside what counts: a change's row of `Counters` has its day, and the fold that
/// adds it to the total adds it here, in the same transaction.
public enum ClipDays {
  public enum Column: String, Sendable, CaseIterable {
    case impressions, views, likes, bookmarks, shares, comments
  }

  /// Days that are kept, today among them.
  public static let kept: Int64 = 28
  private static let dayMs: Int64 = 86_400_000
  /// Rows that one transaction of a sweep removes.
  private static let sweepBatch = 2000

  static let table = CountTable(
    name: "clip_days", key: "clip_id", of: "clips", isByDay: true, columns: Column.allCases.map(\.rawValue))

  /// The number of days since 1970.
  public static func day(atMs ms: Int64) -> Int64 {
    let (day, rest) = ms.quotientAndRemainder(dividingBy: dayMs)
    return rest < 0 ? day - 1 : day
  }

  public static func startMs(of day: Int64) -> Int64 { day * dayMs }

  /// What is to be added, by clip, day and column.
  struct Sums {
    private struct Place: Hashable {
      let clip: String
      let day: Int64
    }

    private var sums: [Place: [Column: Int64]] = [:]

    /// `day` is nil for what was counted before there were days.
    mutating func add(_ change: Int64, to column: Column, of clip: String, on day: Int64?) {
      guard let day else { return }
      sums[Place(clip: clip, day: day), default: [:]][column, default: 0] += change
    }

    var rows: [CountTable.Row] {
      sums.filter { $0.value.contains { $0.value != 0 } }.map { place, counts in
        CountTable.Row(
          subject: place.clip, day: place.day, counts: Column.allCases.map { counts[$0] ?? 0 })
      }
    }

    var byDay: [Int64: [Column: Int64]] {
      sums.reduce(into: [:]) { days, sum in
        days[sum.key.day, default: [:]].merge(sum.value, uniquingKeysWith: +)
      }
    }
  }

  /// Those of one clip that are added up, from a day on.
  static func counts(
    of clip: String, from day: Int64, in transaction: any Transaction
  ) throws -> [Int64: [Column: Int64]] {
    let columns = Column.allCases.map(\.rawValue).joined(separator: ", ")
    let rows = try transaction.query(
      "SELECT day, \(columns) FROM clip_days WHERE clip_id = ? AND day >= ?", [.text(clip), .integer(day)])
    return try rows.reduce(into: [:]) { days, row in
      let day = try row.integer("day")
      for column in Column.allCases { days[day, default: [:]][column] = try row.integer(column.rawValue) }
    }
  }

  /// Removes days that nobody is told of any more. Counts them.
  @discardableResult
  public static func sweep(in database: any Database, at time: any TimeSource) async throws -> Int {
    let first = day(atMs: time.nowMs) - kept + 1
    var removed = 0
    while true {
      let some = try await database.write {
        try $0.execute(
          """
          DELETE FROM clip_days WHERE (clip_id, day) IN
              (SELECT clip_id, day FROM clip_days WHERE day < ? ORDER BY day LIMIT \(sweepBatch))
          """, [.integer(first)])
      }
      removed += some
      if some < sweepBatch { return removed }
    }
  }
}

internal import Ranking
internal import RankingJudgement

/// What the model said of impressions before it learned them, and what came: by day, for two weeks.
///
/// Days are those of the events and not of a clock, so servers that read the same events have the same table.
struct CalibrationTable: Codable, Equatable, Sendable {
  static let dayMs: Int64 = 86_400_000
  static let days = 14

  /// By day since 1970, then by head; the oldest first.
  private(set) var rows: [Row] = []

  struct Row: Codable, Equatable, Sendable {
    let day: Int64
    fileprivate(set) var heads: [CalibratedHead: ProgressiveCalibration] = [:]
  }

  mutating func observe(_ lesson: Lesson, atMs: Int64) {
    let day = Self.day(of: atMs)
    guard let place = place(of: day) else { return }
    for (head, outcome) in lesson.outcome {
      guard let predicted = lesson.predicted[head] else { continue }
      rows[place].heads[CalibratedHead(head), default: ProgressiveCalibration()].observe(
        Double(predicted), Double(outcome))
    }
  }

  /// Of the last so many days of which there is anything, as one.
  func last(_ days: Int, of head: CalibratedHead) -> ProgressiveCalibration {
    var sum = ProgressiveCalibration()
    for row in rows.suffix(days) { if let one = row.heads[head] { sum.add(one) } }
    return sum
  }

  /// Below 0: before 1970, of an id that is none.
  static func day(of atMs: Int64) -> Int64 { max(atMs, 0) / dayMs }

  /// Nil: it is older than all that are kept.
  private mutating func place(of day: Int64) -> Int? {
    if let last = rows.last, last.day == day { return rows.count - 1 }
    if let place = rows.firstIndex(where: { $0.day >= day }) {
      if rows[place].day == day { return place }
      guard rows.count < Self.days else { return place > 0 ? insert(day, place - 1) : nil }
      rows.insert(Row(day: day), at: place)
      return place
    }
    rows.append(Row(day: day))
    if rows.count > Self.days { rows.removeFirst() }
    return rows.count - 1
  }

  /// In place of the oldest.
  private mutating func insert(_ day: Int64, _ place: Int) -> Int {
    rows.removeFirst()
    rows.insert(Row(day: day), at: place)
    return place
  }

  /// What was kept elsewhere may be anything.
  var isSound: Bool {
    rows.count <= Self.days && zip(rows, rows.dropFirst()).allSatisfy { $0.day < $1.day }
      && rows.allSatisfy { row in
        row.heads.values.allSatisfy {
          $0.isSound && $0.buckets.count == ProgressiveCalibration().buckets.count
        }
      }
  }
}

/// What is said of an impression and learned from it, by the names under which it is kept.
public enum CalibratedHead: String, Codable, CaseIterable, Sendable, CodingKeyRepresentable {
  case positive, action, skip, watch

  init(_ head: Head) {
    switch head {
    case .positive: self = .positive
    case .skip: self = .skip
    case .watch: self = .watch
    case .action: self = .action
    }
  }
}

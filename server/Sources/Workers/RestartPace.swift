/// When a process that has ended is started again: at once in the beginning, and ever later as long as it
/// does nothing but end.
struct RestartPace {
  static let first = Duration.milliseconds(250)
  static let longest = Duration.seconds(30)
  /// What lived this long is no process that cannot live.
  static let steady = Duration.seconds(60)
  /// So many ends in a row, without a job between them, and somebody should look.
  static let tooOften = 3

  private(set) var ends = 0

  var keepsEnding: Bool { ends >= Self.tooOften }

  /// It has had a job, however that ended.
  mutating func worked() { ends = 0 }

  /// How long to wait for its next start.
  mutating func ended(after life: Duration) -> Duration {
    if life >= Self.steady { ends = 0 }
    ends += 1
    return min(Self.first * (1 << min(ends - 1, 10)), Self.longest)
  }
}

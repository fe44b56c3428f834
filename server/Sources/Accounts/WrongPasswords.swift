internal import Platform
internal import Synchronization

/// Counts wrong passwords by account, in this process alone: a stranger's try must not be a write to the
/// database, nor take longer where there is an account.
final class WrongPasswords: Sendable {
  /// So many within `windowMs` are no slips of a hand any more.
  static let enough = 5
  static let windowMs: Int64 = 3_600_000
  static let remembered = 10_000

  private struct Count {
    var number = 0
    let sinceMs: Int64
  }

  private let time: any TimeSource
  private let counts = Mutex<[String: Count]>([:])

  init(time: any TimeSource) { self.time = time }

  /// True for the one with which it is enough, once in a window.
  func isEnough(with account: String) -> Bool {
    let now = time.nowMs
    return counts.withLock { counts in
      if counts[account] == nil, counts.count >= Self.remembered {
        counts = counts.filter { now - $0.value.sinceMs < Self.windowMs }
        // Whoever tries at so many accounts within an hour is seen by other things.
        if counts.count >= Self.remembered { counts = [:] }
      }
      var count = counts[account] ?? Count(sinceMs: now)
      if now - count.sinceMs >= Self.windowMs { count = Count(sinceMs: now) }
      count.number = min(count.number + 1, Self.enough + 1)
      counts[account] = count
      return count.number == Self.enough
    }
  }
}

internal import GRDB
internal import Synchronization

/// Writes that wait for one another are committed in one transaction: a commit waits for the disk and writes
/// every page that was touched, and writes of one moment touch the same ones. One that comes alone waits for
/// nobody.
///
/// What a member does is seen by those behind it, as if it were committed. Nobody else sees it, and nobody is
/// answered, until all are.
final class GroupCommit: Sendable {
  /// Members of one transaction: all wait for the last of them.
  static let most = 32

  private struct State {
    var waiting: [any PendingWrite] = []
    var isRunning = false
  }

  private let pool: DatabasePool
  private let state = Mutex(State())

  init(pool: DatabasePool) { self.pool = pool }

  /// Writes of which none has begun.
  var waiting: Int { state.withLock { $0.waiting.count } }

  func add(_ write: some PendingWrite) {
    let isFirst = state.withLock { state in
      state.waiting.append(write)
      defer { state.isRunning = true }
      return !state.isRunning
    }
    if isFirst { pool.asyncWriteWithoutTransaction { self.runAll(on: $0) } }
  }

  private func runAll(on database: GRDB.Database) {
    while true {
      let group = state.withLock { state in
        let some = Array(state.waiting.prefix(Self.most))
        state.waiting.removeFirst(some.count)
        state.isRunning = !some.isEmpty
        return some
      }
      if group.isEmpty { return }
      Self.commit(group, on: database)
    }
  }

  /// `isAgain`: one of them was taken out before.
  private static func commit(
    _ group: [any PendingWrite], on database: GRDB.Database, isAgain: Bool = false
  ) {
    guard group.count > 1 else { return group.forEach { commit($0, on: database) } }
    var refused: [Int: any Error] = [:]
    var hasBegun = false
    // The one that was attempted last; behind them all it is the commit that fails.
    var last = 0
    do {
      try database.inTransaction(.immediate) {
        hasBegun = true
        for (number, write) in group.enumerated() {
          last = number
          do {
            try write.attempt(on: database)
          } catch let error where !write.hasWritten && database.isInsideTransaction {
            refused[number] = error
          }
        }
        last = group.count
        return .commit
      }
    } catch {
      // Nothing of any is kept. NB: savepoints would take one back alone, but cost all of them a copy of each
      // page that they touch.
      if !hasBegun {
        for write in group { write.finish(throwing: error) }
      } else if last < group.count, !isAgain {
        // The one that failed is done by itself, the others once more together.
        commit(group[last], on: database)
        commit(group.enumerated().filter { $0.offset != last }.map(\.element), on: database, isAgain: true)
      } else {
        for write in group { commit(write, on: database) }
      }
      return
    }
    for (number, write) in group.enumerated() { write.finish(throwing: refused[number]) }
  }

  private static func commit(_ write: any PendingWrite, on database: GRDB.Database) {
    do {
      // IMMEDIATE: a transaction that reads first and writes later would fail if another process wrote in
      // between.
      try database.inTransaction(.immediate) {
        try write.attempt(on: database)
        return .commit
      }
      write.finish(throwing: nil)
    } catch {
      write.finish(throwing: error)
    }
  }
}

/// Obligations: what was attempted before and not finished leaves no trace in the next attempt.
protocol PendingWrite: Sendable {
  /// Does it, in a transaction. Called again if that was rolled back.
  func attempt(on database: GRDB.Database) throws
  /// Whether the last attempt has changed anything, or tried to.
  var hasWritten: Bool { get }
  /// It is committed; or rolled back, for that reason. Called once, after the last attempt.
  func finish(throwing error: (any Error)?)
}

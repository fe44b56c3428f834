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

  private static func commit(_ group: [any PendingWrite], on database: GRDB.Database) {
    guard group.count > 1 else { return group.forEach { commit($0, on: database) } }
    var refused: [Int: any Error] = [:]
    var hasBegun = false
    do {
      try database.inTransaction(.immediate) {
        hasBegun = true
        for (number, write) in group.enumerated() {
          do {
            try write.attempt(on: database)
          } catch  where !write.hasWritten && database.isInsideTransaction {
            refused[number] = error
          }
        }
        return .commit
      }
    } catch {
      // Nothing of any is kept. Each by itself, so that only those fail that cannot be done. NB: savepoints
      // would take one back alone, but cost all of them a copy of each page that they touch.
      for write in group {
        if hasBegun { commit(write, on: database) } else { write.finish(throwing: error) }
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

internal import Dispatch
internal import Foundation
internal import Logging
internal import Platform
internal import Synchronization

/// A bounded number of threads with a connection each, and those who wait for one, first come first served.
///
/// libpq blocks the thread that calls it. So each connection has a thread of its own, and no thread of
/// Swift's own pool or of the event loops ever waits for the database.
final class Pool: Sendable {
  /// A thread that has nothing to do waits here.
  private final class ParkedThread: Sendable {
    let bell = DispatchSemaphore(value: 0)
    let given = Mutex<Request?>(nil)
  }

  private struct State {
    /// The last used on top: a little work keeps few connections busy.
    var idle: [ParkedThread] = []
    /// Idle ones without a connection.
    var bare: [ParkedThread] = []
    var threads = 0
    /// Of all threads, idle or not.
    var connections = 0
    var waiting: [Request] = []
    /// Somebody will come by and look who has waited for too long.
    var isWatched = false
    var pause = Duration.zero
    /// Nobody tries to connect before.
    var notBefore = ContinuousClock.now
    var lastFailure: String?
    /// How often a thread asked for a connection.
    var asked = 0
    var isClosed = false
  }

  private enum Step {
    case give(ParkedThread)
    case open
    case wait(isWatched: Bool)
    case refuse(any Error)
  }

  private enum Turn {
    case serve(Request)
    /// Until somebody rings, or it may try to connect again.
    case park(until: ContinuousClock.Instant?)
    case end
  }

  private static let firstPause = Duration.milliseconds(50)

  private let address: PostgreSQLAddress
  private let limits: PostgreSQLLimits
  private let logger: Logger
  private let state = Mutex(State())

  init(_ address: PostgreSQLAddress, _ limits: PostgreSQLLimits, _ logger: Logger) {
    self.address = address
    self.limits = limits
    self.logger = logger
  }

  /// Of connections that are there, threads that work, and transactions that wait.
  var usage: (connections: Int, busy: Int, waiting: Int) {
    state.withLock { ($0.connections, $0.threads - $0.idle.count - $0.bare.count, $0.waiting.count) }
  }

  /// How often a thread asked for a connection, also where it was refused without a try.
  var asked: Int { state.withLock { $0.asked } }

  func makeRequest() -> Request { Request(patientUntil: .now + .seconds(limits.patienceSeconds)) }

  func place(_ request: Request) {
    let step = state.withLock { state -> Step in
      guard !state.isClosed else { return .refuse(CancellationError()) }
      if let thread = state.idle.popLast() { return .give(thread) }
      if ContinuousClock.now >= state.notBefore {
        if let thread = state.bare.popLast() { return .give(thread) }
        if state.threads < limits.connections {
          state.threads += 1
          return .open
        }
      } else if state.connections == 0 {
        // Told at once: whoever waited for the next try could only be told later.
        return .refuse(AppError.databaseUnavailable)
      }
      if state.waiting.count >= limits.waiting { state.waiting.removeAll(where: \.isOver) }
      guard state.waiting.count < limits.waiting else { return .refuse(AppError.databaseBusy) }
      state.waiting.append(request)
      return Self.wait(&state)
    }
    take(step, request)
  }

  /// No connection could be made for it. Where others are, it waits for one of those.
  private func placeAgain(_ request: Request) {
    let step = state.withLock { state -> Step in
      guard !state.isClosed, state.connections > 0, state.waiting.count < limits.waiting else {
        return .refuse(AppError.databaseUnavailable)
      }
      if let thread = state.idle.popLast() { return .give(thread) }
      state.waiting.insert(request, at: 0)
      return Self.wait(&state)
    }
    take(step, request)
  }

  private static func wait(_ state: inout State) -> Step {
    defer { state.isWatched = true }
    return .wait(isWatched: state.isWatched)
  }

  private func take(_ step: Step, _ request: Request) {
    switch step {
    case .give(let thread):
      thread.given.withLock { $0 = request }
      thread.bell.signal()
    case .open:
      let thread = Thread { [self] in follow(ParkedThread(), request) }
      thread.name = "clipfeed.db"
      thread.start()
    case .wait(let isWatched): if !isWatched { watch(until: request.patientUntil) }
    case .refuse(let error): request.end(error)
    }
  }

  /// NB: one timer for all who wait: where all threads are busy, one for each would cost more than what it
  /// waits for.
  private func watch(until next: ContinuousClock.Instant) {
    let left = max(0, (next - .now) / .milliseconds(1))
    DispatchQueue.global().asyncAfter(deadline: .now() + left / 1000) { [weak self] in self?.endPatience() }
  }

  private func endPatience() {
    let now = ContinuousClock.now
    let (tired, next) = state.withLock { state in
      let tired = state.waiting.filter { $0.patientUntil <= now }
      if !tired.isEmpty { state.waiting.removeAll { $0.patientUntil <= now } }
      let next = state.waiting.map(\.patientUntil).min()
      state.isWatched = next != nil
      return (tired, next)
    }
    for request in tired { request.end(AppError.databaseBusy) }
    if let next { watch(until: next) }
  }

  /// Those that wait are refused; threads end with what they have in hand.
  func close() {
    let (parked, waiting) = state.withLock { state in
      state.isClosed = true
      defer { (state.idle, state.bare, state.waiting) = ([], [], []) }
      return (state.idle + state.bare, state.waiting)
    }
    for thread in parked { thread.bell.signal() }
    for request in waiting { request.end(CancellationError()) }
  }

  // MARK: On one of the threads

  private func follow(_ thread: ParkedThread, _ first: Request) {
    let connection = ConnectionThread(self)
    var next: Request? = first
    while let request = next {
      if request.serve(connection) != nil { placeAgain(request) }
      connection.settle()
      next = self.next(thread, connection)
    }
  }

  /// Nil: the pool was closed.
  private func next(_ thread: ParkedThread, _ connection: ConnectionThread) -> Request? {
    while true {
      switch turn(of: thread, connection) {
      case .serve(let request): return request
      case .end: return nil
      case .park(let end):
        guard isRung(thread, before: end) else { continue }
        return thread.given.withLock { given in
          defer { given = nil }
          return given
        }
      }
    }
  }

  private func turn(of thread: ParkedThread, _ connection: ConnectionThread) -> Turn {
    state.withLock { state -> Turn in
      let isPausing = ContinuousClock.now < state.notBefore
      // NB: as long as no connection can be made, a thread without one leaves those that wait to the others:
      // it could only place them again, and would do nothing else. Where there are no others, all are told.
      if connection.isConnected || !isPausing || state.connections == 0 {
        while !state.waiting.isEmpty {
          let request = state.waiting.removeFirst()
          if !request.isOver { return .serve(request) }
        }
      }
      if state.isClosed {
        state.threads -= 1
        return .end
      }
      if connection.isConnected {
        state.idle.append(thread)
        return .park(until: nil)
      }
      state.bare.append(thread)
      // Then it looks again: nobody else may come by for those that wait.
      return .park(until: isPausing ? state.notBefore : nil)
    }
  }

  /// False: the time has come, and the thread is parked no more.
  private func isRung(_ thread: ParkedThread, before end: ContinuousClock.Instant?) -> Bool {
    guard let end else {
      thread.bell.wait()
      return true
    }
    let left = max(0, (end - .now) / .milliseconds(1))
    if thread.bell.wait(timeout: .now() + left / 1000) == .success { return true }
    let isFree = state.withLock { state -> Bool in
      guard let place = state.bare.firstIndex(where: { $0 === thread }) else { return false }
      state.bare.remove(at: place)
      return true
    }
    // Somebody took it in this moment, and rings next.
    if !isFree { thread.bell.wait() }
    return !isFree
  }

  /// Throws `Unreachable`, at once as long as the last failure is not long enough ago.
  func connect() throws -> Connection {
    let failure = state.withLock { state -> String? in
      state.asked += 1
      return ContinuousClock.now < state.notBefore ? state.lastFailure ?? "the database is away" : nil
    }
    if let failure { throw Unreachable(reason: failure) }
    do {
      let made = try Connection(address, limits)
      let wasAway = state.withLock { state in
        defer { (state.pause, state.notBefore, state.lastFailure) = (.zero, .now, nil) }
        state.connections += 1
        return state.lastFailure != nil
      }
      if wasAway { logger.notice("the database is there again") }
      return made
    } catch {
      let reason = "\(error)"
      let isFirst = state.withLock { state in
        state.lastFailure = reason
        // Of threads that fail together one makes the pause longer.
        guard ContinuousClock.now >= state.notBefore else { return false }
        state.pause = min(max(state.pause * 2, Self.firstPause), .seconds(limits.pauseSeconds))
        state.notBefore = .now + state.pause * Double.random(in: 0.5...1)
        return true
      }
      if isFirst { logger.warning("the database cannot be reached", metadata: ["reason": "\(reason)"]) }
      throw error
    }
  }

  func connectionEnded() {
    state.withLock { $0.connections -= 1 }
  }

  func tell(_ trouble: TransactionFailure) {
    logger.warning("a transaction came to nothing", metadata: ["reason": "\(trouble.reason)"])
  }
}

internal import Platform
internal import Synchronization

/// A transaction that somebody waits for. It is answered once: by a connection's thread, by the end of
/// patience, or by its own cancellation.
final class Request: Sendable {
  /// Nil: it was answered. Else there was no connection for it, and it was not.
  typealias Work = @Sendable (ConnectionThread) -> Unreachable?
  typealias Refuse = @Sendable (any Error) -> Void

  private enum State {
    case new
    case pending(Work, Refuse)
    case taken(wasCancelled: Bool)
    case over
  }

  /// Whoever still waits then is told that too many do.
  let patientUntil: ContinuousClock.Instant
  private let state = Mutex(State.new)

  init(patientUntil: ContinuousClock.Instant) { self.patientUntil = patientUntil }

  func begin(_ work: @escaping Work, refuse: @escaping Refuse) {
    let isCancelled = state.withLock { state in
      if case .over = state { return true }
      state = .pending(work, refuse)
      return false
    }
    if isCancelled { refuse(CancellationError()) }
  }

  /// Only as long as it waits: what has begun goes on to its end, which is never far.
  func cancel() { end(CancellationError()) }

  func end(_ error: any Error) {
    let refuse = state.withLock { state -> Refuse? in
      switch state {
      case .new: state = .over
      case .taken: state = .taken(wasCancelled: true)
      case .over: break
      case .pending(_, let refuse):
        state = .over
        return refuse
      }
      return nil
    }
    refuse?(error)
  }

  /// The reason why it must be placed again or refused; nil: it was answered.
  func serve(_ connection: ConnectionThread) -> Unreachable? {
    let pending = state.withLock { state -> (Work, Refuse)? in
      guard case .pending(let work, let refuse) = state else { return nil }
      state = .taken(wasCancelled: false)
      return (work, refuse)
    }
    guard let (work, refuse) = pending else { return nil }
    guard let unreachable = work(connection) else {
      state.withLock { $0 = .over }
      return nil
    }
    let wasCancelled = state.withLock { state in
      guard case .taken(true) = state else {
        state = .pending(work, refuse)
        return false
      }
      state = .over
      return true
    }
    guard wasCancelled else { return unreachable }
    refuse(CancellationError())
    return nil
  }

  var isOver: Bool {
    state.withLock { if case .over = $0 { true } else { false } }
  }
}

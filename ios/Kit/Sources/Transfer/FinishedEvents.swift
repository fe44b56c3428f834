internal import Synchronization

/// That a session of the system's has told all that happened while the app was gone, and who wants to hear of
/// it: whichever comes first waits for the other.
///
/// The session begins to tell as soon as it is made, which is before the app hears why it was started.
final class FinishedEvents: Sendable {
  private enum State {
    case nothing
    case awaited(@Sendable () -> Void)
    case announced
  }

  private let state = Mutex(State.nothing)

  /// `done` is called once, at once if all has been told.
  func onceAnnounced(_ done: @escaping @Sendable () -> Void) {
    let isAnnounced = state.withLock { state in
      if case .announced = state {
        state = .nothing
        return true
      }
      state = .awaited(done)
      return false
    }
    if isAnnounced { done() }
  }

  /// Something begins that the session will tell of: what it told before is not all any more.
  func begun() {
    state.withLock { state in if case .announced = state { state = .nothing } }
  }

  func announced() {
    let done = state.withLock { state -> (@Sendable () -> Void)? in
      guard case .awaited(let done) = state else {
        state = .announced
        return nil
      }
      state = .nothing
      return done
    }
    done?()
  }
}

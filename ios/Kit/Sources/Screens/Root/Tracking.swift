internal import Observation

/// Runs `act` now, and again after anything that it reads has changed, as long as `owner` is there.
@MainActor public func track(_ owner: some AnyObject & Sendable, _ act: @escaping @MainActor () -> Void) {
  withObservationTracking {
    act()
  } onChange: { [weak owner] in
    Task { @MainActor in
      if let owner { track(owner, act) }
    }
  }
}

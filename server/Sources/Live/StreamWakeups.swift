internal import Synchronization

/// What has happened since a stream last looked. However much it is, it takes no more room.
struct LiveSignal: OptionSet, Sendable {
  let rawValue: UInt8
  /// There is something new.
  static let changed = LiveSignal(rawValue: 1)
  /// Something may have become visible late: look back.
  static let late = LiveSignal(rawValue: 2)
  static let heartbeat = LiveSignal(rawValue: 4)
  static let over = LiveSignal(rawValue: 8)
  /// Over, and to come back later rather than at once.
  static let crowded = LiveSignal(rawValue: 16)
}

/// Lets one reader wait for signals of many.
final class StreamWakeups: Sendable {
  private struct State {
    var pending: LiveSignal = []
    var waiting: CheckedContinuation<LiveSignal, Never>?
  }

  private let state = Mutex(State())

  func raise(_ signal: LiveSignal) {
    let (waiting, all) = state.withLock { state in
      state.pending.formUnion(signal)
      guard let waiting = state.waiting else {
        return (nil as CheckedContinuation<LiveSignal, Never>?, signal)
      }
      let all = state.pending
      // NB: the end stays, so that whoever waits once more is not left waiting.
      state.pending = all.intersection(.over)
      state.waiting = nil
      return (waiting, all)
    }
    waiting?.resume(returning: all)
  }

  /// What was raised since the last time, at once or when there is something.
  func wait() async -> LiveSignal {
    await withCheckedContinuation { continuation in
      let ready = state.withLock { state -> LiveSignal? in
        guard state.pending.isEmpty else {
          defer { state.pending = state.pending.intersection(.over) }
          return state.pending
        }
        state.waiting = continuation
        return nil
      }
      if let ready { continuation.resume(returning: ready) }
    }
  }
}

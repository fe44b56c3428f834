internal import Foundation
internal import Platform
internal import Synchronization

/// Lookups of names, each of which blocks a thread until the network has answered or is given up.
///
/// NB: on threads of their own. Those of Dispatch are few and, on Linux, the ones that run Swift's tasks:
/// twenty names of a name server that says nothing would hold up everything.
///
/// Whoever asks for the same host waits for the same lookup, so that a host whose lookup hangs holds one
/// thread however many ask for it; and what nobody waits for any more is not begun.
final class NameLookups: Sendable {
  private typealias Asker = CheckedContinuation<[NetworkAddress], Never>

  private struct Lookup {
    var isRunning = false
    var askers: [UInt64: Asker] = [:]
  }

  private struct State {
    /// By their hosts.
    var lookups: [String: Lookup] = [:]
    /// Hosts whose lookups have not begun.
    var queue: [String] = []
    var threads = 0
    var lastAsker: UInt64 = 0
  }

  private let most: Int
  private let lookUp: @Sendable (String) -> [NetworkAddress]
  private let state = Mutex(State())

  /// `most`: lookups at once. A thread is there for as long as there is something to look up.
  init(most: Int, _ lookUp: @escaping @Sendable (String) -> [NetworkAddress]) {
    (self.most, self.lookUp) = (most, lookUp)
  }

  /// How many wait.
  var askers: Int { state.withLock { $0.lookups.values.reduce(0) { $0 + $1.askers.count } } }

  /// None at once if the task is cancelled; the lookup ends by itself.
  func addresses(of host: String) async -> [NetworkAddress] {
    let asker = state.withLock { state in
      state.lastAsker += 1
      return state.lastAsker
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        if !take(continuation, asker, of: host) { continuation.resume(returning: []) }
      }
    } onCancel: {
      let cancelled = leave(asker, of: host)
      cancelled?.resume(returning: [])
    }
  }

  /// False: it is cancelled already.
  private func take(_ continuation: Asker, _ asker: UInt64, of host: String) -> Bool {
    let (isTaken, needsThread) = state.withLock { state -> (Bool, Bool) in
      // NB: under the lock. A cancellation is seen here, or finds the asker.
      guard !Task.isCancelled else { return (false, false) }
      let isNew = state.lookups[host] == nil
      state.lookups[host, default: Lookup()].askers[asker] = continuation
      guard isNew else { return (true, false) }
      state.queue.append(host)
      guard state.threads < most else { return (true, false) }
      state.threads += 1
      return (true, true)
    }
    if needsThread { Thread.detachNewThread { [self] in work() } }
    return isTaken
  }

  private func leave(_ asker: UInt64, of host: String) -> Asker? {
    state.withLock { state in
      guard let left = state.lookups[host]?.askers.removeValue(forKey: asker) else { return nil }
      if let lookup = state.lookups[host], lookup.askers.isEmpty, !lookup.isRunning {
        state.lookups[host] = nil
        state.queue.removeAll { $0 == host }
      }
      return left
    }
  }

  private func work() {
    // As `top -H` shows it; else it would bear the name of whoever asked first.
    Thread.current.name = "names"
    while let host = next() {
      let found = lookUp(host)
      let ended = state.withLock { $0.lookups.removeValue(forKey: host) }
      for asker in (ended?.askers ?? [:]).values { asker.resume(returning: found) }
    }
  }

  /// Nil: there is nothing to do, and the thread ends.
  private func next() -> String? {
    state.withLock { state in
      guard !state.queue.isEmpty else {
        state.threads -= 1
        return nil
      }
      let host = state.queue.removeFirst()
      state.lookups[host]?.isRunning = true
      return host
    }
  }
}

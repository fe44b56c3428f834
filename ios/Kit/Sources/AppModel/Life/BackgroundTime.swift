/// Time that the system lends an app that was left, some seconds of it.
///
/// - `begin` answers what `end` is to be told; `nil`: the system lends none.
/// - `expired` runs when the time is over, on the main actor. Whoever does not `end` in it is ended by the
///   system.
/// - `end` is told once for each that began, however it came to an end.
@MainActor public protocol BackgroundTime: AnyObject {
  func begin(_ name: String, expired: @escaping @MainActor @Sendable () -> Void) -> Int?
  func end(_ lease: Int)
}

/// Holds such time for as long as something is to be done, and not longer: an app that holds it for nothing
/// costs battery, and is trusted less.
@MainActor final class HeldTime {
  private let time: any BackgroundTime
  private let name: String
  private var lease: Int?
  private var work: Task<Void, Never>?

  init(_ time: any BackgroundTime, name: String) {
    self.time = time
    self.name = name
  }

  /// From this turn on until `work` is done, `release` is called or the system wants it back. What is held
  /// already is not asked for again.
  func hold(while work: @escaping @MainActor () async -> Void) {
    self.work?.cancel()
    if lease == nil { lease = time.begin(name) { [weak self] in self?.release() } }
    self.work = Task { [weak self] in
      await work()
      if !Task.isCancelled { self?.release() }
    }
  }

  func release() {
    work?.cancel()
    work = nil
    guard let lease else { return }
    self.lease = nil
    time.end(lease)
  }
}

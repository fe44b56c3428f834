public import CoreMetrics
public import Platform

/// How long transactions take, how long they wait for their turn or for a connection, and how long others
/// wait for them.
public struct DatabaseMetrics: TransactionObserving {
  private struct Kind {
    let duration: Timer
    let wait: Timer
    let held: Timer
    let longestHeld: Recorder
    let open: Meter
    let waiting: Meter
    let errors: CoreMetrics.Counter

    init(_ name: String, _ factory: any MetricsFactory) {
      let labels = [("kind", name)]
      duration = Timer(
        label: "clipfeed_database_duration_seconds", dimensions: labels, preferredDisplayUnit: .seconds,
        factory: factory)
      wait = Timer(
        label: "clipfeed_database_wait_seconds", dimensions: labels, preferredDisplayUnit: .seconds,
        factory: factory)
      held = Timer(
        label: "clipfeed_database_held_seconds", dimensions: labels, preferredDisplayUnit: .seconds,
        factory: factory)
      longestHeld = Recorder(
        label: "clipfeed_database_held_max_seconds", dimensions: labels, aggregate: false, factory: factory)
      open = Meter(label: "clipfeed_database_in_use", dimensions: labels, factory: factory)
      waiting = Meter(label: "clipfeed_database_waiting", dimensions: labels, factory: factory)
      errors = CoreMetrics.Counter(
        label: "clipfeed_database_errors_total", dimensions: labels, factory: factory)
    }
  }

  private let read: Kind
  private let write: Kind

  public init(_ factory: any MetricsFactory) {
    read = Kind("read", factory)
    write = Kind("write", factory)
  }

  public func began(isWrite: Bool) {
    let kind = isWrite ? write : read
    kind.open.increment()
    kind.waiting.increment()
  }

  public func started(isWrite: Bool) { (isWrite ? write : read).waiting.decrement() }

  public func held(isWrite: Bool, for duration: Duration) {
    let kind = isWrite ? write : read
    kind.held.recordNanoseconds(duration.nanoseconds)
    kind.longestHeld.record(duration / .seconds(1))
  }

  public func ended(isWrite: Bool, waited: Duration?, took: Duration, failed: Bool) {
    let kind = isWrite ? write : read
    kind.open.decrement()
    kind.duration.recordNanoseconds(took.nanoseconds)
    if let waited {
      kind.wait.recordNanoseconds(waited.nanoseconds)
    } else {
      kind.waiting.decrement()
    }
    if failed { kind.errors.increment() }
  }
}

extension Duration {
  fileprivate var nanoseconds: Int64 { Int64(clamping: (self / .nanoseconds(1)).rounded(.towardZero)) }
}

internal import Synchronization

/// What the proxy has served so far.
public struct ProxyUsage: Equatable, Sendable {
  public var requests = 0
  /// Segments that were whole when they were asked for.
  public var stored = 0
  /// Segments whose download was under way.
  public var joined = 0
  /// Segments for which the core had not decided yet.
  public var awaited = 0
  public var bytes = 0
}

final class ProxyCounts: Sendable {
  private let usage = Mutex(ProxyUsage())
  private let served: @Sendable (_ load: Int, _ segment: Int32) -> Void

  init(served: @escaping @Sendable (_ load: Int, _ segment: Int32) -> Void) { self.served = served }

  var current: ProxyUsage { usage.withLock { $0 } }

  func countRequest() { usage.withLock { $0.requests += 1 } }

  func count(stored: Bool, coming: Bool) {
    usage.withLock { usage in
      if stored { usage.stored += 1 } else if coming { usage.joined += 1 } else { usage.awaited += 1 }
    }
  }

  func countServed(_ load: Int, _ segment: Int32, _ bytes: Int) {
    usage.withLock { $0.bytes += bytes }
    served(load, segment)
  }
}

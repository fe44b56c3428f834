public import MediaStore
internal import Synchronization

/// What a player has got: all bytes that it asked for of a segment or an initialisation section.
public struct ServedSegment: Equatable, Sendable {
  public let load: Int
  public let key: SegmentKey
  public let bytes: Int
}

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
  private let served: @Sendable (ServedSegment) -> Void

  init(served: @escaping @Sendable (ServedSegment) -> Void) { self.served = served }

  var current: ProxyUsage { usage.withLock { $0 } }

  func countRequest() { usage.withLock { $0.requests += 1 } }

  func count(stored: Bool, coming: Bool) {
    usage.withLock { usage in
      if stored { usage.stored += 1 } else if coming { usage.joined += 1 } else { usage.awaited += 1 }
    }
  }

  func countServed(_ segment: ServedSegment) {
    usage.withLock { $0.bytes += segment.bytes }
    served(segment)
  }
}

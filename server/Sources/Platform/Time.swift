internal import Foundation

/// Wall-clock time as milliseconds since 1970, injected so that tests can set it.
public protocol TimeSource: Sendable {
  var nowMs: Int64 { get }
}

public struct SystemTime: TimeSource {
  public init() {}
  public var nowMs: Int64 { Int64(clamping: (Date().timeIntervalSince1970 * 1000).rounded(.towardZero)) }
}

import Foundation
import Platform

/// Time that stands still until a test moves it.
final class TestTime: TimeSource {
  private let state: Locked
  final class Locked: @unchecked Sendable {
    let lock = NSLock()
    var ms: Int64
    init(ms: Int64) { self.ms = ms }
  }
  init(ms: Int64 = 1_000_000) { state = Locked(ms: ms) }
  var nowMs: Int64 { state.lock.withLock { state.ms } }
  func advance(ms: Int64) { state.lock.withLock { state.ms += ms } }
}

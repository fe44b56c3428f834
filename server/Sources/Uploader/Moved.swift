internal import Synchronization

/// How many bytes of a request have left, told from its own task.
final class Moved: Sendable {
  private let count = Mutex(0)

  var bytes: Int { count.withLock { $0 } }

  func note(_ bytes: Int) { count.withLock { $0 = bytes } }
}

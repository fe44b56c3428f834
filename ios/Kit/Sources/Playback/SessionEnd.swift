internal import Synchronization

/// Whether a session of the system's takes requests yet.
///
/// NB: of one that was invalidated the system takes none: it ends the app. What runs late, a picture that is
/// wanted or a text that is tried again, has to find out before.
public final class SessionEnd: Sendable {
  private let isOver = Mutex(false)

  public init() {}

  /// Makes a request of it, and nobody ends it meanwhile. Over, it throws `CancellationError`.
  public func make<Request>(_ make: () throws -> Request) throws -> Request {
    try isOver.withLock { isOver in
      if isOver { throw CancellationError() }
      return try make()
    }
  }

  public func end(_ end: () -> Void) {
    isOver.withLock { isOver in
      isOver = true
      end()
    }
  }
}

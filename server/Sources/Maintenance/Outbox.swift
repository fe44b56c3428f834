internal import Logging
public import ServiceLifecycle

/// Writes to people as soon as there is something to write, as long as the process runs.
public struct Outbox: Service {
  private let send: @Sendable (_ failed: @escaping @Sendable (any Error) -> Void) async -> Void

  /// `send` goes on until it is cancelled, and says what was not sent.
  public init(
    send: @escaping @Sendable (_ failed: @escaping @Sendable (any Error) -> Void) async -> Void
  ) {
    self.send = send
  }

  public func run() async throws {
    let logger = Logger(label: "clipfeed.accounts")
    await cancelWhenGracefulShutdown {
      await send { logger.warning("a message was not sent", metadata: ["error": "\($0)"]) }
    }
  }
}

internal import NIOCore
internal import NIOHTTPTypes
internal import Synchronization

/// A connection on its way from the event loop that accepted it to the task that handles it.
///
/// A server that stops lets go of connections on that way. NIO ends the process where a writer is let go that
/// nobody has ended, with whatever other connections still have to send. So it is ended and closed here.
final class AcceptedChannel: Sendable {
  typealias Parts = NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>

  let channel: any Channel
  private let parts: Mutex<Parts?>

  init(_ parts: Parts) {
    channel = parts.channel
    self.parts = Mutex(parts)
  }

  /// By whoever handles it; nil: somebody does already.
  func take() -> Parts? {
    parts.withLock { parts in
      defer { parts = nil }
      return parts
    }
  }

  deinit {
    guard let parts = take() else { return }
    Task { try? await parts.executeThenClose { _, _ in } }
  }
}

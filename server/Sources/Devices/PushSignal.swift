/// Says in this process that something is to be sent. It may be lost: what waits is in the database, and is
/// looked for every few seconds by whoever sends.
public final class PushSignal: Sendable {
  let stream: AsyncStream<Void>
  private let continuation: AsyncStream<Void>.Continuation

  public init() { (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

  func raise() { continuation.yield() }
}

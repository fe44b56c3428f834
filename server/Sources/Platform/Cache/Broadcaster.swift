internal import Synchronization

/// The subscribers of one process, by channel.
public final class Broadcaster: Sendable {
  /// What a subscriber may be behind before it loses messages.
  public static let buffered = 1024

  private final class Subscriber: Sendable {
    let continuation: AsyncStream<BusSignal>.Continuation
    private let hasMissed = Mutex(false)

    init(_ continuation: AsyncStream<BusSignal>.Continuation) { self.continuation = continuation }

    func tell(_ signal: BusSignal) {
      hasMissed.withLock { hasMissed in
        if hasMissed {
          guard case .enqueued = continuation.yield(.joined) else { return }
          hasMissed = false
        }
        if case .dropped = continuation.yield(signal) { hasMissed = true }
      }
    }
  }

  private struct State {
    var channels: [String: [Int: Subscriber]] = [:]
    var nextID = 0
  }

  private let state = Mutex(State())

  public init() {}

  /// `isJoined`: whether messages arrive already. `onEmpty` hears that the channel has lost its last
  /// subscriber.
  public func subscribe(
    to channel: String, isJoined: Bool, onEmpty: @escaping @Sendable () -> Void = {}
  ) -> AsyncStream<BusSignal> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: BusSignal.self, bufferingPolicy: .bufferingOldest(Self.buffered))
    let id = state.withLock { state in
      state.nextID += 1
      state.channels[channel, default: [:]][state.nextID] = Subscriber(continuation)
      return state.nextID
    }
    if isJoined { continuation.yield(.joined) }
    continuation.onTermination = { [weak self] _ in
      guard let self else { return }
      let isEmpty = state.withLock { state in
        state.channels[channel]?[id] = nil
        guard state.channels[channel]?.isEmpty == true else { return false }
        state.channels[channel] = nil
        return true
      }
      if isEmpty { onEmpty() }
    }
    return stream
  }

  public var channels: [String] { state.withLock { Array($0.channels.keys) } }

  public func tell(_ signal: BusSignal, to channel: String) {
    let subscribers = state.withLock { $0.channels[channel].map { Array($0.values) } ?? [] }
    // NB: outside of the lock. To resume a task takes a lock of that task, which whoever cancels it holds
    // while the end of its subscription waits for ours.
    for subscriber in subscribers { subscriber.tell(signal) }
  }

  public func finish() {
    let all = state.withLock { state in
      defer { state.channels = [:] }
      return state.channels.values.flatMap(\.values).map(\.continuation)
    }
    // NB: outside of the lock, which the end of a subscription takes.
    for continuation in all { continuation.finish() }
  }
}

/// What a subscriber hears.
public enum BusSignal: Sendable, Equatable {
  /// From here on every message arrives. It is the first signal, and comes again after each time in which
  /// messages may have been missed: whoever counts on them looks for himself then.
  case joined
  case message([UInt8])
}

/// How the processes of an instance call to each other. Messages are hints: losing one is no fault.
///
/// Obligations of an implementation:
/// - a message reaches every subscriber that has joined, those of one publisher in their order. A subscriber
///   that is too slow loses messages rather than hold up anybody, and hears `joined` again before the next;
/// - while the bus cannot be reached `publish` throws `CacheUnavailable`: the first calls soon, all others at
///   once. It is found again without anybody's help, and subscriptions with it.
public protocol MessageBus: Sendable {
  func publish(_ message: [UInt8], to channel: String) async throws
  func subscribe(to channel: String) -> AsyncStream<BusSignal>
}

import CoreTypes

/// When the next part of the feed is asked for: one request at a time, again after a failure with
/// growing pauses, and from time to time while there is nothing to show.
struct Paging: Sendable {
  enum State: Equatable, Sendable {
    case idle
    case inFlight
  }

  private(set) var hasMore = true
  private var state = State.idle
  private var backoff = Backoff(first: Milliseconds(500), limit: Milliseconds(15_000))
  private var generator = SeededGenerator(seed: 0x7061_6765)
  private var lastRequest: Instant?
  /// When to ask again although the server had nothing.
  private var refreshAt: Instant?

  /// The server said that there is nothing more.
  var isExhausted: Bool { !hasMore }

  /// The last request failed, and none has succeeded since.
  var isFailing: Bool { backoff.failures > 0 }

  var nextWake: Instant? {
    guard state == .idle else { return nil }
    return earlier(backoff.until, refreshAt)
  }

  mutating func request(at now: Instant, emit: (FeedPager.Command) -> Void) {
    guard state == .idle, backoff.allows(at: now) else { return }
    state = .inFlight
    refreshAt = nil
    lastRequest = now
    emit(.requestPage)
  }

  mutating func loaded(hasMore: Bool, isEmpty: Bool, at now: Instant) {
    state = .idle
    backoff.succeeded()
    self.hasMore = hasMore
    if !hasMore, isEmpty { refreshAt = now + FeedPager.refreshInterval }
  }

  mutating func failed(at now: Instant) {
    guard state == .inFlight else { return }
    state = .idle
    backoff.failed(at: now, generator: &generator)
  }

  /// Somebody pulls at the end: there may be something new by now.
  mutating func refresh(at now: Instant, emit: (FeedPager.Command) -> Void) {
    if let lastRequest, now - lastRequest < FeedPager.refreshInterval { return }
    request(at: now, emit: emit)
  }

  mutating func retry(at now: Instant, emit: (FeedPager.Command) -> Void) {
    guard backoff.until != nil else { return }
    backoff.skipWait()
    request(at: now, emit: emit)
  }

  mutating func woke(at now: Instant, emit: (FeedPager.Command) -> Void) {
    guard let due = nextWake, now >= due else { return }
    backoff.skipWait()
    request(at: now, emit: emit)
  }
}

internal import CoreTypes

/// Records on their way to the server: in batches, and again until one is answered, since an id counts once.
struct RecordQueue: Sendable {
  /// As many as the server takes at once: the contract's `Limits`.
  static let batch: Int64 = 100
  /// As many wait at most: of a long time without a network the oldest are dropped.
  static let limit: Int64 = 400
  static let wait = Milliseconds(10_000)
  static let longestWait = Milliseconds(300_000)

  private var first: Int64 = 0
  private(set) var nextNumber: Int64 = 0
  /// Behind the last record of the batch under way.
  private var sentTo: Int64?
  /// A beacon took what waits, and nothing was seen since.
  private var isLeft = false
  private var wait = Self.wait
  /// When the next batch leaves.
  private(set) var due: Instant?

  mutating func add(at now: Instant, _ emit: (Activity.Command) -> Void) {
    nextNumber += 1
    isLeft = false
    if nextNumber - first > Self.limit { drop(to: first + 1, emit) }
    schedule(at: now)
  }

  mutating func wake(at now: Instant, _ emit: (Activity.Command) -> Void) {
    guard let due, now >= due else { return }
    self.due = nil
    guard count > 0 else { return }
    sentTo = first + count
    emit(.sendBatch(first: first, count: count))
  }

  /// NB: a page that goes says so twice, hidden and left. Sent twice, somebody without a cookie would be two
  /// guests.
  mutating func beacon(_ emit: (Activity.Command) -> Void) {
    guard count > 0, !isLeft else { return }
    isLeft = true
    emit(.sendBeacon(first: first, count: count))
  }

  /// The page did not go after all: nobody knows whether the beacon got there.
  mutating func returned() { isLeft = false }

  mutating func answered(at now: Instant, _ emit: (Activity.Command) -> Void) {
    guard let sentTo else { return }
    wait = Self.wait
    end(dropping: sentTo, at: now, emit)
  }

  mutating func failed(status: Int32, at now: Instant, _ emit: (Activity.Command) -> Void) {
    guard let sentTo else { return }
    wait = min(wait * 2, Self.longestWait)
    // Too many requests, or signed out for the moment: the rest of 4xx the server will never take.
    let isFinal = (400..<500).contains(status) && status != 401 && status != 429
    end(dropping: isFinal ? sentTo : first, at: now, emit)
  }

  /// Of the next batch.
  private var count: Int64 { min(nextNumber - first, Self.batch) }

  private mutating func end(dropping end: Int64, at now: Instant, _ emit: (Activity.Command) -> Void) {
    sentTo = nil
    isLeft = false
    if end > first { drop(to: end, emit) }
    if count > 0 { schedule(at: now) }
  }

  /// Not while a batch is under way: what becomes of it says how long the next one waits.
  private mutating func schedule(at now: Instant) {
    if due == nil, sentTo == nil { due = now + wait }
  }

  private mutating func drop(to end: Int64, _ emit: (Activity.Command) -> Void) {
    emit(.dropRecords(first: first, count: end - first))
    first = end
  }
}

/// A token bucket: `burst` at once, then one per `intervalMs`. Buckets of one name share their numbers.
public struct TokenBucket: Sendable, Hashable {
  public let name: String
  public let burst: Int64
  public let intervalMs: Int64

  public init(_ name: String, burst: Int64, intervalMs: Int64) {
    self.name = name
    self.burst = burst
    self.intervalMs = intervalMs
  }
}

/// One bucket of a name: that of an account, of an address, of a network.
public struct BucketKey: Sendable, Hashable {
  public let key: String
  public let bucket: TokenBucket

  public init(_ key: String, _ bucket: TokenBucket) {
    self.key = key
    self.bucket = bucket
  }
}

/// What a subscriber hears.
public enum CacheSignal: Sendable, Equatable {
  /// From here on every message arrives. It is the first signal, and comes again after each time in which messages may
  /// have been missed: whoever counts on them looks for himself then.
  case joined
  case message([UInt8])
}

/// The cache cannot be reached now. Whoever asks has a way of going on without it.
public struct CacheUnavailable: Error, CustomStringConvertible {
  public let description: String
  public init(_ description: String) { self.description = description }
}

/// What the processes of an instance share for a while, and how they call to each other. A help, never a truth: nothing
/// is kept here alone.
///
/// Obligations of an implementation:
/// - a value is there until it expires, is deleted, or makes room for others; after its expiry it never is. Times are
///   milliseconds above 0;
/// - `increment` and `take` are one operation each, however many processes are at it;
/// - `increment` counts from 0 and says the new number; the expiry is set by the first of a series and not moved by the
///   others. Its key belongs to numbers alone;
/// - `take` takes a token of each bucket and answers nil, or takes none and answers the milliseconds until one that was
///   missing is there; `refill` makes a bucket full. Full buckets cost no memory;
/// - a message reaches every subscriber that has joined, those of one publisher in their order. A subscriber that is too
///   slow loses messages rather than hold up anybody, and hears `joined` again before the next;
/// - while the cache cannot be reached calls throw `CacheUnavailable`: the first ones soon, all others at once.
///   It is found again without anybody's help, and subscriptions with it.
public protocol Cache: Sendable {
  func get(_ key: String) async throws -> [UInt8]?
  func set(_ key: String, to value: [UInt8], forMs: Int64) async throws
  func delete(_ key: String) async throws
  func increment(_ key: String, by change: Int64, forMs: Int64) async throws -> Int64
  func take(_ wanted: [BucketKey]) async throws -> Int64?
  func refill(_ key: String, of bucket: TokenBucket) async throws
  func publish(_ message: [UInt8], to channel: String) async throws
  func subscribe(to channel: String) -> AsyncStream<CacheSignal>
  /// Throws what is wrong with it, in words for an operator.
  func check() async throws
}

extension Cache {
  public func take(_ key: String, from bucket: TokenBucket) async throws -> Int64? {
    try await take([BucketKey(key, bucket)])
  }
}

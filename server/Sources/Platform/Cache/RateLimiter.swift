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

/// Token buckets that the processes of an instance share.
///
/// Obligations of an implementation:
/// - `take` takes a token of each bucket and answers nil, or takes none and answers the milliseconds until
///   one that was missing is there. It is one operation, however many processes are at it;
/// - `refill` makes a bucket full. Full buckets cost no memory;
/// - while the buckets cannot be reached calls throw `CacheUnavailable`: the first ones soon, all others at
///   once. They are found again without anybody's help.
public protocol RateLimiter: Sendable {
  func take(_ wanted: [BucketKey]) async throws -> Int64?
  func refill(_ key: String, of bucket: TokenBucket) async throws
}

extension RateLimiter {
  public func take(_ key: String, from bucket: TokenBucket) async throws -> Int64? {
    try await take([BucketKey(key, bucket)])
  }
}

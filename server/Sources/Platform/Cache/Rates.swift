/// Token buckets that all processes of an instance share. While they are away each process counts for itself,
/// with buckets that start full: a limit may then be reached once per process, and nobody is turned away for
/// the sake of what is shared.
public struct Rates: Sendable {
  private let shared: any RateLimiter
  private let own: MemoryCache

  public init(shared: any RateLimiter, time: any TimeSource) {
    self.shared = shared
    own = MemoryCache(time: time)
  }

  /// One of each or none: nil, or the milliseconds until there are tokens again.
  public func take(_ wanted: [BucketKey]) async -> Int64? {
    do {
      return try await shared.take(wanted)
    } catch {
      return own.take(wanted)
    }
  }

  /// Nil, or the milliseconds until there is a token.
  public func take(_ key: String, from bucket: TokenBucket) async -> Int64? {
    await take([BucketKey(key, bucket)])
  }

  /// What was taken under this key was no misuse.
  public func refill(_ key: String, of bucket: TokenBucket) async {
    own.refill(key, of: bucket)
    // While they are away the bucket fills by itself.
    try? await shared.refill(key, of: bucket)
  }
}

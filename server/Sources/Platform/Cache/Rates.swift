/// Token buckets that all processes of an instance share. While the cache is away each process counts for itself, with
/// buckets that start full: a limit may then be reached once per process, and nobody is turned away for the cache's sake.
public struct Rates: Sendable {
  private let cache: any Cache
  private let own: MemoryCache

  public init(cache: any Cache, time: any TimeSource) {
    self.cache = cache
    own = MemoryCache(time: time)
  }

  /// One of each or none: nil, or the milliseconds until there are tokens again.
  public func take(_ wanted: [BucketKey]) async -> Int64? {
    do {
      return try await cache.take(wanted)
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
    // While the cache is away the bucket fills by itself.
    try? await cache.refill(key, of: bucket)
  }
}

import Platform
import Testing

@testable import PlatformTesting

/// The obligations of the `RateLimiter` port, one case each, on every implementation.
@Suite struct RateLimiterContract {
  @Test(arguments: SharedCacheKind.available)
  func aBucketGivesItsBurstAndThenOnePerInterval(_ kind: SharedCacheKind) async throws {
    let limiter: any RateLimiter = try await kind.make()
    let bucket = TokenBucket("slow", burst: 3, intervalMs: 600_000)
    let other = TokenBucket("other", burst: 1, intervalMs: 600_000)
    for _ in 0..<3 { #expect(try await limiter.take("a", from: bucket) == nil) }
    let waitMs = try #require(try await limiter.take("a", from: bucket))
    #expect((1...600_000).contains(waitMs))
    // Who is refused waits no longer for having asked.
    #expect(try #require(try await limiter.take("a", from: bucket)) <= waitMs)
    #expect(try await limiter.take("b", from: bucket) == nil)
    #expect(try await limiter.take("a", from: other) == nil)
    try await limiter.refill("a", of: bucket)
    for _ in 0..<3 { #expect(try await limiter.take("a", from: bucket) == nil) }
    #expect(try await limiter.take("a", from: bucket) != nil)
    let quick = TokenBucket("quick", burst: 1, intervalMs: 50)
    #expect(try await limiter.take("a", from: quick) == nil)
    try await eventually("the bucket does not fill") { try await limiter.take("a", from: quick) == nil }
  }

  @Test(arguments: SharedCacheKind.available)
  func aBucketIsOneHoweverManyTakeAtOnce(_ kind: SharedCacheKind) async throws {
    let limiter: any RateLimiter = try await kind.make()
    let bucket = TokenBucket("crowd", burst: 40, intervalMs: 600_000)
    let granted = try await withThrowingTaskGroup(of: Bool.self) { group in
      for _ in 0..<200 { group.addTask { try await limiter.take("a", from: bucket) == nil } }
      return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(granted == 40)
  }

  @Test(arguments: SharedCacheKind.available)
  func aTokenOfEachIsTakenOrOfNone(_ kind: SharedCacheKind) async throws {
    let limiter: any RateLimiter = try await kind.make()
    let narrow = TokenBucket("narrow", burst: 3, intervalMs: 600_000)
    let wide = TokenBucket("wide", burst: 2, intervalMs: 600_000)
    func take(_ address: String) async throws -> Int64? {
      try await limiter.take([BucketKey(address, narrow), BucketKey("network", wide)])
    }
    #expect(try await take("a") == nil)
    #expect(try await take("b") == nil)
    for _ in 0..<3 { #expect(try #require(try await take("a")) > 0) }
    // What the network refused cost the address nothing.
    for _ in 0..<2 { #expect(try await limiter.take("a", from: narrow) == nil) }
    #expect(try await limiter.take("a", from: narrow) != nil)
    // And an address without tokens does not cost the network any.
    try await limiter.refill("network", of: wide)
    for _ in 0..<5 { #expect(try await take("a") != nil) }
    #expect(try await take("c") == nil)
    #expect(try await take("c") == nil)
    #expect(try await limiter.take([]) == nil)
  }
}

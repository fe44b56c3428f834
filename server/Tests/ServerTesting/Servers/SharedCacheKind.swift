import Foundation
import Logging
import Platform
import Testing

@testable import Composition
@testable import Redis

/// The implementations of what processes share, for the suites of its ports. Redis is a real server:
/// `bash scripts/lib/redis-server.sh swift test …` starts one; without it memory alone is held to them.
enum SharedCacheKind: CaseIterable {
  case memory, redis

  static let available =
    ProcessInfo.processInfo.environment["CLIPFEED_TEST_REDIS"] == nil ? [SharedCacheKind.memory] : allCases

  func make() async throws -> any SharedCache {
    guard self == .redis else { return MemoryCache() }
    let address = try #require(ProcessInfo.processInfo.environment["CLIPFEED_TEST_REDIS"])
    let cache = try RedisCache(
      RedisAddress(address), prefix: "\(UUID().uuidString):", logger: Logger(label: "test"),
      patience: .quick)
    await cache.start()
    return cache
  }
}

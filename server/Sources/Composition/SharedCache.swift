internal import Contract
internal import Logging
public import Platform
public import Redis

/// What processes of an instance share, all of it in one place.
public typealias SharedCache = Cache & RateLimiter & MessageBus & HealthChecking

extension Instance {
  /// Connected, or on its way to be; nil without an address. Instances may share a Redis: each has names of
  /// its own.
  public func cache(_ address: RedisAddress?) async throws -> RedisCache? {
    guard let address else { return nil }
    let name = try await settings.value(
      "instance_name", orCreate: Self.makeName)
    do {
      let cache = try RedisCache(
        address, prefix: "clipfeed:\(name):", logger: Logger(label: "clipfeed.cache"))
      await cache.start()
      return cache
    } catch {
      throw AppError(.unavailable, "The certificates for \(address) cannot be used (\(error)).")
    }
  }
}

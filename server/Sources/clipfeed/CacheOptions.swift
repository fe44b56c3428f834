internal import ArgumentParser
internal import Configured
internal import Contract
internal import Foundation
internal import Logging
internal import Platform
internal import Redis

/// Which cache the processes of an instance share.
struct CacheOptions: ParsableArguments {
  @Option(help: ArgumentHelp(.cache)) var cache: String?
  @Option(help: ArgumentHelp(.cacheCA)) var cacheCa: String?

  /// Nil: there is none.
  var address: RedisAddress? { try? find() }

  func validate() throws { _ = try find() }

  private func find() throws -> RedisAddress? {
    guard let text = try settled(.cache, cache) else { return nil }
    // Every program on a machine can read the options of all others, and `check-config` shows this setting.
    guard URLComponents(string: text)?.password == nil else {
      throw ValidationError(
        "\(Setting.cache.places) must not hold a password; say it with \(Setting.cachePassword.variable).")
    }
    do {
      return try RedisAddress(
        text, password: try settled(.cachePassword, nil), authorities: try settled(.cacheCA, cacheCa))
    } catch let error as RedisAddress.Invalid {
      throw ValidationError("\(Setting.cache.places): \(error).")
    }
  }
}

extension Instance {
  /// Connected, or on its way to be; nil without an address. Instances may share a Redis: each has names of its own.
  func cache(_ address: RedisAddress?) async throws -> RedisCache? {
    guard let address else { return nil }
    let name = try await settings.value(
      "instance_name", orCreate: { String(Identifier.make(at: SystemTime()).suffix(12)) })
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

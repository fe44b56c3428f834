public import ArgumentParser
internal import Configured
internal import Foundation
public import Redis

/// Which cache the processes of an instance share.
public struct CacheOptions: ParsableArguments, Sendable {
  @Option(help: ArgumentHelp(.cache)) var cache: String?
  @Option(help: ArgumentHelp(.cacheCA)) var cacheCa: String?

  /// Nil: there is none.
  public var address: RedisAddress? { try? find() }

  public init() {}

  public func validate() throws { _ = try find() }

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

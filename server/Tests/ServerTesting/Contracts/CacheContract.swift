import Foundation
import Platform
import Testing

@testable import PlatformTesting

/// The obligations of the `Cache` port, one case each, on every implementation.
@Suite struct CacheContract {
  /// Longer than any test.
  private static let longMs: Int64 = 600_000

  @Test(arguments: SharedCacheKind.available)
  func whatIsSetIsThereUntilItIsDeletedAndBytesStayBytes(_ kind: SharedCacheKind) async throws {
    let cache: any Cache = try await kind.make()
    #expect(try await cache.get("a") == nil)
    let values: [[UInt8]] = [
      [], [0], Array(0...255), Array("\r\n$5\r\n".utf8), [UInt8](repeating: 7, count: 1 << 20),
    ]
    for value in values {
      try await cache.set("a", to: value, forMs: Self.longMs)
      #expect(try await cache.get("a") == value)
    }
    try await cache.delete("a")
    try await cache.delete("a")
    #expect(try await cache.get("a") == nil)
  }

  @Test(arguments: SharedCacheKind.available)
  func namesAreAnyText(_ kind: SharedCacheKind) async throws {
    let cache: any Cache = try await kind.make()
    let names = ["", " ", "a b", "x\r\nDEL a", "ключ", "👩‍👩‍👧", "\0", "*", String(repeating: "n", count: 500)]
    for (number, name) in names.enumerated() {
      try await cache.set(name, to: [UInt8(number)], forMs: Self.longMs)
    }
    for (number, name) in names.enumerated() { #expect(try await cache.get(name) == [UInt8(number)]) }
  }

  @Test(arguments: SharedCacheKind.available)
  func whatHasExpiredIsNotThere(_ kind: SharedCacheKind) async throws {
    let cache: any Cache = try await kind.make()
    try await cache.set("short", to: [1], forMs: 30)
    try await cache.set("long", to: [2], forMs: Self.longMs)
    _ = try await cache.increment("count", by: 5, forMs: 30)
    try await eventually("it did not expire") { try await cache.get("short") == nil }
    try await eventually("the count did not expire") { try await cache.get("count") == nil }
    #expect(try await cache.get("long") == [2])
    #expect(try await cache.increment("count", by: 1, forMs: Self.longMs) == 1)
  }

  @Test(arguments: SharedCacheKind.available)
  func aCountIsExactHoweverManyCountAtOnce(_ kind: SharedCacheKind) async throws {
    let cache: any Cache = try await kind.make()
    let numbers = try await withThrowingTaskGroup(of: Int64.self) { group in
      for _ in 0..<500 { group.addTask { try await cache.increment("n", by: 2, forMs: Self.longMs) } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(Set(numbers) == Set((1...500).map { Int64($0 * 2) }))
    #expect(try await cache.increment("n", by: -1000, forMs: Self.longMs) == 0)
    #expect(try await cache.get("n") == Array("0".utf8))
  }

  @Test(arguments: SharedCacheKind.available)
  func theExpiryOfACountIsNotMovedByLaterOnes(_ kind: SharedCacheKind) async throws {
    let cache: any Cache = try await kind.make()
    _ = try await cache.increment("n", by: 1, forMs: 200)
    try await eventually("it lives on") { try await cache.increment("n", by: 1, forMs: 200) == 1 }
  }
}

/// The obligation of the `HealthChecking` port on what processes share.
@Suite struct SharedCacheHealthTests {
  @Test(arguments: SharedCacheKind.available)
  func whatIsThereIsHealthy(_ kind: SharedCacheKind) async throws {
    try await kind.make().check()
  }
}

import Foundation
import Logging
import Platform
import Synchronization
import Testing

@testable import Redis

/// The obligations of the `Cache` port, one case each, on every implementation. Redis is a real server:
/// `bash scripts/lib/redis-server.sh swift test …` starts one; without it memory alone is held to them.
@Suite struct CacheContract {
  enum Kind: CaseIterable {
    case memory, redis

    static let available =
      ProcessInfo.processInfo.environment["CLIPFEED_TEST_REDIS"] == nil ? [Kind.memory] : allCases

    func make() async throws -> any Cache {
      guard self == .redis else { return MemoryCache() }
      let address = try #require(ProcessInfo.processInfo.environment["CLIPFEED_TEST_REDIS"])
      let cache = try RedisCache(
        RedisAddress(address), prefix: "\(UUID().uuidString):", logger: Logger(label: "test"),
        patience: .quick)
      await cache.start()
      return cache
    }
  }

  /// Longer than any test.
  private static let longMs: Int64 = 600_000

  @Test(arguments: Kind.available)
  func whatIsSetIsThereUntilItIsDeletedAndBytesStayBytes(_ kind: Kind) async throws {
    let cache = try await kind.make()
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

  @Test(arguments: Kind.available)
  func namesAreAnyText(_ kind: Kind) async throws {
    let cache = try await kind.make()
    let names = ["", " ", "a b", "x\r\nDEL a", "ключ", "👩‍👩‍👧", "\0", "*", String(repeating: "n", count: 500)]
    for (number, name) in names.enumerated() {
      try await cache.set(name, to: [UInt8(number)], forMs: Self.longMs)
    }
    for (number, name) in names.enumerated() { #expect(try await cache.get(name) == [UInt8(number)]) }
  }

  @Test(arguments: Kind.available)
  func whatHasExpiredIsNotThere(_ kind: Kind) async throws {
    let cache = try await kind.make()
    try await cache.set("short", to: [1], forMs: 30)
    try await cache.set("long", to: [2], forMs: Self.longMs)
    _ = try await cache.increment("count", by: 5, forMs: 30)
    try await eventually("it did not expire") { try await cache.get("short") == nil }
    try await eventually("the count did not expire") { try await cache.get("count") == nil }
    #expect(try await cache.get("long") == [2])
    #expect(try await cache.increment("count", by: 1, forMs: Self.longMs) == 1)
  }

  @Test(arguments: Kind.available)
  func aCountIsExactHoweverManyCountAtOnce(_ kind: Kind) async throws {
    let cache = try await kind.make()
    let numbers = try await withThrowingTaskGroup(of: Int64.self) { group in
      for _ in 0..<500 { group.addTask { try await cache.increment("n", by: 2, forMs: Self.longMs) } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(Set(numbers) == Set((1...500).map { Int64($0 * 2) }))
    #expect(try await cache.increment("n", by: -1000, forMs: Self.longMs) == 0)
    #expect(try await cache.get("n") == Array("0".utf8))
  }

  @Test(arguments: Kind.available)
  func theExpiryOfACountIsNotMovedByLaterOnes(_ kind: Kind) async throws {
    let cache = try await kind.make()
    _ = try await cache.increment("n", by: 1, forMs: 200)
    try await eventually("it lives on") { try await cache.increment("n", by: 1, forMs: 200) == 1 }
  }

  @Test(arguments: Kind.available)
  func aBucketGivesItsBurstAndThenOnePerInterval(_ kind: Kind) async throws {
    let cache = try await kind.make()
    let bucket = TokenBucket("slow", burst: 3, intervalMs: 60_000)
    let other = TokenBucket("other", burst: 1, intervalMs: 60_000)
    for _ in 0..<3 { #expect(try await cache.take("a", from: bucket) == nil) }
    let waitMs = try #require(try await cache.take("a", from: bucket))
    #expect((1...60_000).contains(waitMs))
    // Who is refused waits no longer for having asked.
    #expect(try #require(try await cache.take("a", from: bucket)) <= waitMs)
    #expect(try await cache.take("b", from: bucket) == nil)
    #expect(try await cache.take("a", from: other) == nil)
    try await cache.refill("a", of: bucket)
    for _ in 0..<3 { #expect(try await cache.take("a", from: bucket) == nil) }
    #expect(try await cache.take("a", from: bucket) != nil)
    let quick = TokenBucket("quick", burst: 1, intervalMs: 50)
    #expect(try await cache.take("a", from: quick) == nil)
    try await eventually("the bucket does not fill") { try await cache.take("a", from: quick) == nil }
  }

  @Test(arguments: Kind.available)
  func aBucketIsOneHoweverManyTakeAtOnce(_ kind: Kind) async throws {
    let cache = try await kind.make()
    let bucket = TokenBucket("crowd", burst: 40, intervalMs: 600_000)
    let granted = try await withThrowingTaskGroup(of: Bool.self) { group in
      for _ in 0..<200 { group.addTask { try await cache.take("a", from: bucket) == nil } }
      return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(granted == 40)
  }

  @Test(arguments: Kind.available)
  func aTokenOfEachIsTakenOrOfNone(_ kind: Kind) async throws {
    let cache = try await kind.make()
    let narrow = TokenBucket("narrow", burst: 3, intervalMs: 600_000)
    let wide = TokenBucket("wide", burst: 2, intervalMs: 600_000)
    func take(_ address: String) async throws -> Int64? {
      try await cache.take([BucketKey(address, narrow), BucketKey("network", wide)])
    }
    #expect(try await take("a") == nil)
    #expect(try await take("b") == nil)
    for _ in 0..<3 { #expect(try #require(try await take("a")) > 0) }
    // What the network refused cost the address nothing.
    for _ in 0..<2 { #expect(try await cache.take("a", from: narrow) == nil) }
    #expect(try await cache.take("a", from: narrow) != nil)
    // And an address without tokens does not cost the network any.
    try await cache.refill("network", of: wide)
    for _ in 0..<5 { #expect(try await take("a") != nil) }
    #expect(try await take("c") == nil)
    #expect(try await take("c") == nil)
    #expect(try await cache.take([]) == nil)
  }

  @Test(arguments: Kind.available)
  func aMessageReachesEverySubscriberInOrder(_ kind: Kind) async throws {
    let cache = try await kind.make()
    let streams = (0..<3).map { _ in cache.subscribe(to: "news") }
    var readers: [AsyncStream<CacheSignal>.AsyncIterator] = []
    for stream in streams {
      var reader = stream.makeAsyncIterator()
      #expect(await reader.next() == .joined)
      readers.append(reader)
    }
    let other = cache.subscribe(to: "other")
    for number in 0..<100 { try await cache.publish([UInt8(number)], to: "news") }
    try await cache.publish(Array(0...255), to: "news")
    for place in readers.indices {
      var heard: [[UInt8]] = []
      while heard.count < 101, let signal = await readers[place].next() {
        // It comes again when somebody else joins.
        if case .message(let bytes) = signal { heard.append(bytes) }
      }
      #expect(heard == (0..<100).map { [UInt8($0)] } + [Array(0...255)])
    }
    _ = other
  }

  @Test(arguments: Kind.available)
  func whoHasLeftHearsNothingAndTheOthersGoOn(_ kind: Kind) async throws {
    let cache = try await kind.make()
    var staying = cache.subscribe(to: "news").makeAsyncIterator()
    #expect(await staying.next() == .joined)
    do {
      var leaving = cache.subscribe(to: "news").makeAsyncIterator()
      #expect(await leaving.next() == .joined)
    }
    try await cache.publish([1], to: "news")
    while let signal = await staying.next() {
      guard case .message(let bytes) = signal else { continue }
      #expect(bytes == [1])
      break
    }
  }

  @Test(arguments: Kind.available)
  func aSubscriberThatIsTooSlowIsToldThatItMissedMessages(_ kind: Kind) async throws {
    let cache = try await kind.make()
    var slow = cache.subscribe(to: "flood").makeAsyncIterator()
    #expect(await slow.next() == .joined)
    var quick = cache.subscribe(to: "flood").makeAsyncIterator()
    for number in 0..<(Broadcaster.buffered + 50) {
      let message = Array(String(number).utf8)
      try await cache.publish(message, to: "flood")
      while let signal = await quick.next(), signal != .message(message) {}
    }
    var isTold = false
    for _ in 0..<Broadcaster.buffered { _ = await slow.next() }
    let last = Array("last".utf8)
    try await cache.publish(last, to: "flood")
    while let signal = await slow.next(), signal != .message(last) {
      if signal == .joined { isTold = true }
    }
    #expect(isTold)
  }
}

@Suite struct MemoryCacheTests {
  @Test func itStaysWithinItsBounds() throws {
    let cache = MemoryCache(capacityBytes: 10_000)
    for number in 0..<5000 { cache.set("key \(number)", to: [UInt8](repeating: 0, count: 90), forMs: 60_000) }
    let kept = (0..<5000).filter { cache.get("key \($0)") != nil }
    #expect((50...110).contains(kept.count))
    #expect(kept.last == 4999)
    // One key that is set for ever takes the room of one.
    for _ in 0..<100_000 { cache.set("same", to: [1], forMs: 60_000) }
    #expect(cache.get("key 4999") != nil)
  }
}

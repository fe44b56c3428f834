import Contract
import Foundation
import Logging
import Platform
import Testing

@testable import Accounts
@testable import Composition
@testable import PlatformTesting
@testable import Redis
@testable import ServerTesting

/// Two processes of an instance, and sessions that end on one of them. No time passes, so nobody looks by
/// himself.
@Suite(.everyEngine) struct RevocationTests {
  private let bench: TestInstance
  private let time = TestTime(ms: 1_800_000_000_000)

  init() async throws { bench = try await TestInstance() }

  private func accounts(_ bus: (any MessageBus)?) async throws -> Accounts {
    try await bench.instance.accounts(hashing: CountingPasswords(), time: time, bus: bus)
  }

  /// Whether the token is still good there.
  private func passes(_ session: Session, _ accounts: Accounts) async throws -> Bool {
    do {
      _ = try await accounts.viewer(ofAccessToken: try #require(session.accessToken))
      return true
    } catch let error as AppError where error.code == .sessionEnded {
      return false
    }
  }

  private func signUp(_ handle: String, _ accounts: Accounts) async throws -> Session {
    try await accounts.signUp(NewAccount(handle), guest: nil, client: "")
  }

  @Test func aSessionThatEndedOnOneIsRefusedOnTheOtherAtOnce() async throws {
    let cache = MemoryCache()
    let (first, second) = (try await accounts(cache), try await accounts(cache))
    for number in 0..<3 {
      let session = try await signUp("person\(number)", first)
      #expect(try await passes(session, second))
      try await first.endSession(session.id, of: session.account.id)
      #expect(try await !passes(session, first))
      try await eventually("the other was not called") { try await !passes(session, second) }
    }
  }

  @Test func withoutASharedCacheItIsRefusedTwoSecondsLater() async throws {
    let (first, second) = (try await accounts(nil), try await accounts(nil))
    let session = try await signUp("person", first)
    #expect(try await passes(session, second))
    try await first.endSession(session.id, of: session.account.id)
    #expect(try await passes(session, second))
    time.advance(ms: Revocations.pollMs)
    #expect(try await !passes(session, second))
  }

  @Test func aCallIsNoTruthAndWhoeverCannotReadGoesOn() async throws {
    let cache = MemoryCache()
    let isAway = Shared(false)
    let hooked = HookedDatabase(database: bench.instance.database) { sql, _ in
      if sql.contains("FROM revocations"), isAway.with({ $0 }) { throw AppError(.unavailable) }
    }
    let first = try await accounts(cache)
    let session = try await signUp("person", first)
    let second = Revocations(database: hooked, time: time, lifeMs: Accounts.accessLifeMs, bus: cache)
    let claims = AccessClaims(
      account: session.account.id, session: session.id, role: .member, isSuspended: false, madeMs: time.nowMs,
      expiresMs: time.nowMs + 1000)
    try await second.check(claims)
    // Whoever can reach the cache can say what he likes.
    for message in ["", session.id, "session \(session.id)", "\0"] {
      cache.publish(Array(message.utf8), to: Revocations.channel)
    }
    try await second.check(claims)
    isAway.with { $0 = true }
    try await first.endSession(session.id, of: session.account.id)
    for _ in 0..<3 { try await second.check(claims) }
    isAway.with { $0 = false }
    time.advance(ms: Revocations.pollMs)
    await #expect(throws: AppError.self) { try await second.check(claims) }
  }

  @Test(
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/redis-server"), "needs redis-server"))
  func throughARedisTheyHearOfEachOtherAndAfterItWasAwayNothingIsMissed() async throws {
    let redis = try RedisProcess()
    try redis.start()
    func cache() async throws -> RedisCache {
      let cache = try RedisCache(
        RedisAddress(redis.address), prefix: "x:",
        logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, patience: .quick)
      await cache.start()
      return cache
    }
    let caches = (try await cache(), try await cache())
    let (first, second) = (try await accounts(caches.0), try await accounts(caches.1))
    let (before, meanwhile) = (try await signUp("before", first), try await signUp("meanwhile", first))
    #expect(try await passes(before, second))
    #expect(try await passes(meanwhile, second))
    try await first.endSession(before.id, of: before.account.id)
    try await eventually("the other was not called") { try await !passes(before, second) }
    redis.stop()
    try await eventually("it is still there") {
      let gone = ((try? await caches.0.check()) == nil, (try? await caches.1.check()) == nil)
      return gone == (true, true)
    }
    try await first.endSession(meanwhile.id, of: meanwhile.account.id)
    // Nobody could call; the ground is the look into the database, for which no time has passed yet.
    #expect(try await passes(meanwhile, second))
    try redis.start()
    try await eventually("it did not look when the Redis was back") { try await !passes(meanwhile, second) }
    caches.0.stop()
    caches.1.stop()
  }
}

import ArgumentParser
import Contract
import Foundation
import Logging
import NIOCore
import Platform
import Synchronization
import Testing

@testable import Composition
@testable import Configured
@testable import Options
@testable import PlatformTesting
@testable import Redis
@testable import ServerTesting

/// What a Redis of one's own can do to the service: go, come back, hang, want a password, speak TLS.
@Suite(
  .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/redis-server"), "needs redis-server"))
struct RedisTests {
  private let notebook = Notebook()

  private func cache(_ address: String, password: String? = nil, authorities: String? = nil) async throws
    -> RedisCache
  {
    let cache = try RedisCache(
      RedisAddress(address, password: password, authorities: authorities), prefix: "test:",
      logger: notebook.logger,
      patience: .quick)
    await cache.start()
    return cache
  }

  @Test(arguments: [
    ("redis://127.0.0.1:1", "nothing can be reached at 127.0.0.1:1 (Connection refused)"),
    ("redis://nowhere.invalid", "the name nowhere.invalid is not known"),
  ])
  func whyThereIsNoneIsSaidInWords(_ address: String, _ words: String) async throws {
    let cache = try await cache(address)
    defer { cache.stop() }
    do {
      try await cache.check()
      Issue.record("it is there")
    } catch let error as CacheUnavailable {
      #expect(error.description == words)
    }
  }

  @Test func stoppedAndStartedUnderLoadNoClientSeesAnErrorAndTheOperatorOneWarning() async throws {
    let redis = try RedisProcess()
    try redis.start()
    let cache = try await self.cache(redis.address)
    let bench = try await TestInstance()
    let clip = try await bench.publishBare("one")
    let isOver = Flag()
    let statuses = try await bench.serving(proxies: 1, cache: cache) { [notebook] transport in
      try await withThrowingTaskGroup(of: [Int].self) { group in
        for client in 0..<4 {
          group.addTask {
            var seen: [Int] = []
            for number in 0... {
              if isOver.isUp { break }
              // Each writes from an address of its own, as people do.
              let answer = try await transport.send(
                WireRequest(
                  "POST", Route.reactions.path(clip),
                  headers: [
                    "content-type": "application/json",
                    "x-forwarded-for": "10.\(client).\(number / 250).\(number % 250)",
                  ], body: Data(#"{"reaction": "fire"}"#.utf8)))
              seen.append(answer.status)
            }
            return seen
          }
        }
        for times in 1...2 {
          redis.stop()
          try await eventually("nobody noticed") { notebook.count("warning") >= times }
          let served = try await transport.send(WireRequest("GET", "/readyz"))
          #expect(served.status == 200)
          try redis.start()
          try await eventually("it is not found again") {
            (try? await cache.check()) != nil && notebook.count("notice") >= times
          }
        }
        isOver.raise()
        return try await group.reduce(into: []) { $0 += $1 }
      }
    }
    #expect(statuses.count > 20)
    #expect(Set(statuses) == [200])
    // Twice it went.
    #expect(notebook.count("warning") == 2, "\(notebook.lines)")
    #expect(notebook.count("notice") == 2)
    #expect(notebook.count("error") == 0)
  }

  @Test func serversShareABucketAndCountForThemselvesWhileRedisIsAway() async throws {
    let redis = try RedisProcess()
    try redis.start()
    let (here, there) = (try await cache(redis.address), try await cache(redis.address))
    let servers = [here, there].map { Rates(shared: $0, time: SystemTime()) }
    let bucket = TokenBucket("comments", burst: 2, intervalMs: 600_000)
    #expect(await servers[0].take("a", from: bucket) == nil)
    #expect(await servers[1].take("a", from: bucket) == nil)
    #expect(await servers[0].take("a", from: bucket) != nil)
    redis.stop()
    try await eventually("it is still there") {
      let isHere = (try? await here.check()) != nil
      return (try? await there.check()) == nil && !isHere
    }
    for server in servers {
      #expect(await server.take("a", from: bucket) == nil)
      #expect(await server.take("a", from: bucket) == nil)
      #expect(await server.take("a", from: bucket) != nil)
    }
  }

  @Test func aSubscriberHearsThatItMissedSomethingAndThenEverything() async throws {
    let redis = try RedisProcess()
    try redis.start()
    let cache = try await self.cache(redis.address)
    var reader = cache.subscribe(to: "news").makeAsyncIterator()
    #expect(await reader.next() == .joined)
    redis.stop()
    try await eventually("nobody noticed") { notebook.count("warning") == 1 }
    await #expect(throws: CacheUnavailable.self) { try await cache.publish([1], to: "news") }
    try redis.start()
    #expect(await reader.next() == .joined)
    try await eventually("it is not found again") { (try? await cache.publish([2], to: "news")) != nil }
    #expect(await reader.next() == .message([2]))
  }

  @Test func aRedisThatHangsHoldsUpTheFirstAndNobodyAfter() async throws {
    let redis = try RedisProcess()
    try redis.start()
    var patience = RedisPatience.quick
    patience.answer = .seconds(3)
    patience.pulse = .milliseconds(100)
    let cache = try RedisCache(
      RedisAddress(redis.address), prefix: "test:", logger: notebook.logger, patience: patience)
    await cache.start()
    try await cache.set("a", to: [1], forMs: 60_000)
    redis.send(SIGSTOP)
    for _ in 0..<3 { await #expect(throws: CacheUnavailable.self) { try await cache.get("a") } }
    try await eventually("it counts as there") { notebook.count("warning") >= 1 }
    redis.send(SIGCONT)
    try await eventually("it is not found again") { (try? await cache.get("a")) == [1] }
  }

  @Test func aServiceStartsWithoutItsRedisAndFindsItLater() async throws {
    let redis = try RedisProcess()
    let cache = try await self.cache(redis.address)
    await #expect(throws: CacheUnavailable.self) { try await cache.get("a") }
    #expect(notebook.count("warning") == 1)
    try redis.start()
    try await eventually("it is not found") { (try? await cache.check()) != nil }
    // It is there a moment before that is said.
    try await eventually("nobody says so") { notebook.count("notice") == 1 }
  }

  @Test func aPasswordIsGivenAndNeverLogged() async throws {
    let redis = try RedisProcess(arguments: ["--requirepass", "correct horse"])
    try redis.start()
    try await cache(redis.address + "/3", password: "correct horse").check()
    for wrong in ["wrong pony", nil] {
      let refused = try await cache(redis.address, password: wrong)
      await #expect(throws: CacheUnavailable.self) { try await refused.check() }
    }
    #expect(notebook.lines.contains { $0.contains("password") || $0.contains("NOAUTH") })
    #expect(!notebook.lines.contains { $0.contains("horse") || $0.contains("pony") })
  }

  @Test func aCertificateIsJudged() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "clipfeed-tls-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let (key, certificate) = (
      folder.appendingPathComponent("key").path, folder.appendingPathComponent("cert").path
    )
    let openssl = try Shell.run(
      "/usr/bin/openssl",
      [
        "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost", "-addext",
        "subjectAltName=DNS:localhost", "-keyout", key, "-out", certificate,
      ])
    #expect(openssl.0 == 0)
    let redis = try RedisProcess(arguments: [
      "--port", "0", "--tls-port", "{port}", "--tls-cert-file", certificate, "--tls-key-file", key,
      "--tls-auth-clients", "no",
    ])
    try redis.start()
    try await cache("rediss://localhost:\(redis.port)", authorities: certificate).check()
    let stranger = try await cache("rediss://localhost:\(redis.port)")
    await #expect(throws: CacheUnavailable.self) { try await stranger.check() }
    // The certificate names localhost, not this.
    let other = try await cache("rediss://127.0.0.1:\(redis.port)", authorities: certificate)
    await #expect(throws: CacheUnavailable.self) { try await other.check() }
  }

  @Test func whatIsNoRedisIsNoCacheAndNoHarm() async throws {
    let bench = try await TestInstance()
    try await bench.serving { transport async throws in
      let cache = try await self.cache("redis://127.0.0.1:\(transport.port)")
      await #expect(throws: CacheUnavailable.self) { try await cache.get("a") }
    }
  }

  @Test(arguments: [
    ("redis://h", "redis://h:6379"), ("redis://:secret@h:1234/2", "redis://h:1234/2"),
    ("rediss://u:p@h", "rediss://h:6379"),
    ("redis://[::1]:7", "redis://[::1]:7"),
  ])
  func anAddressIsShownWithoutItsSecrets(_ text: String, _ shown: String) throws {
    #expect(try RedisAddress(text).description == shown)
  }

  @Test(arguments: [
    "", "h:6379", "http://h", "redis://", "redis://h:0", "redis://h:99999", "redis://h/x", "redis://h?a=b",
  ])
  func whatIsNoAddressIsRefused(_ text: String) {
    #expect(throws: RedisAddress.Invalid.self) { try RedisAddress(text) }
  }

  @Test func aPasswordInTheAddressIsRefused() throws {
    #expect(throws: (any Error).self) { try CacheOptions.parse(["--cache", "redis://:secret@h"]) }
    #expect(try CacheOptions.parse([]).address == nil)
    Configured.$current.withValue(Configured(environment: ["CLIPFEED_CACHE": "redis://:secret@h"])) {
      #expect(throws: (any Error).self) { try CacheOptions.parse([]) }
    }
    let environment = ["CLIPFEED_CACHE": "redis://h", "CLIPFEED_CACHE_PASSWORD": "other"]
    let password = Configured.$current.withValue(Configured(environment: environment)) {
      try? CacheOptions.parse([]).address?.password
    }
    #expect(password == "other")
  }
}

private final class Flag: Sendable {
  private let state = Mutex(false)
  var isUp: Bool { state.withLock { $0 } }
  func raise() { state.withLock { $0 = true } }
}

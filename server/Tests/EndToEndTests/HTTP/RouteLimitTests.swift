import Contract
import Foundation
import OpenAPI
import Platform
import Synchronization
import Testing

@testable import Accounts
@testable import Composition
@testable import Gateway
@testable import PlatformTesting
@testable import ServerTesting

/// Every route that writes takes a token.
@Suite struct RouteLimitTests {
  private static let reading: Set<String> = ["GET", "HEAD", "OPTIONS"]

  private func rule(for route: Route, _ method: String) -> RouteLimit? {
    RouteLimit.rule(for: route, method, Operation.of(route, method))
  }

  @Test func whereAllBucketsAreEmptyNothingIsWritten() async throws {
    let bench = try await TestInstance()
    let cache = EmptiedCache()
    let accounts = try await bench.instance.accounts(hashing: CountingPasswords())
    try await bench.serving(accounts: accounts, cache: cache) { socket async throws in
      let client = Client(transport: socket)
      var session = try await client.signUp(NewAccount("mara"))
      // Somebody to whom every address is open.
      try await accounts.setRole(.moderator, handle: "mara")
      var mara: Bearer
      // What was made in the millisecond of the change does not count.
      repeat {
        session = try await client.refresh(session.refreshToken)
        mara = Bearer(inner: socket, token: try #require(session.accessToken))
      } while try await mara.answer("GET", Route.moderationCases.path()).status != 200
      cache.empty()
      // What a key opens is not for her token.
      for route in Route.all where !route.isOfDialect {
        for method in route.methods where rule(for: route, method) != .free {
          let target = route.template.replacing(/\{language\}/, with: "en").replacing(
            /\{[a-z]+\}/, with: "none")
          let operation = Operation.of(route, method)
          let headers = ["content-type": "application/json", "idempotency-key": Self.key]
          let answer = try await mara.send(
            WireRequest(
              method, target + Self.query(of: operation),
              headers: headers.merging(Self.headers(of: operation)) { first, _ in first },
              body: Self.reading.contains(method) ? nil : Data("{}".utf8)))
          #expect(answer.status == 429, "\(method) \(route.template)")
          #expect(answer.headers["retry-after"] == "5", "\(method) \(route.template)")
        }
      }
      // Looking is free.
      #expect(try await mara.answer("GET", Route.feed.path()).status == 200)
      #expect(try await mara.answer("GET", Route.account.path()).status == 200)
    }
  }

  /// What the operation demands, since a request is held against that before it takes a token.
  private static func query(of operation: OpenAPI.Operation?) -> String {
    let demanded = (operation?.parameters ?? []).filter { $0.place == .query && $0.isRequired }
    let fields = demanded.map { parameter in
      if case .choice(_, let choices) = parameter.schema { return "\(parameter.name)=\(choices[0])" }
      return "\(parameter.name)=none"
    }
    return fields.isEmpty ? "" : "?" + fields.joined(separator: "&")
  }

  private static let key = "a-key-of-the-walk"

  /// The same of headers.
  private static func headers(of operation: OpenAPI.Operation?) -> [String: String] {
    let demanded = (operation?.parameters ?? []).filter { $0.place == .header && $0.isRequired }
    return Dictionary(uniqueKeysWithValues: demanded.map { ($0.name.lowercased(), key) })
  }

  @Test func aSessionThatRefreshesInALoopIsHeldUpAndNoOther() async throws {
    let bench = try await TestInstance()
    let clock = TestTime(ms: SystemTime().nowMs)
    try await bench.servingAccounts(clock) { socket async throws in
      let client = Client(transport: socket)
      var loop = try await client.signUp(NewAccount("mara"))
      let other = try await client.signUp(NewAccount("father"))
      for _ in 0..<TokenBucket.sessionRefreshes.burst { loop = try await client.refresh(loop.refreshToken) }
      func refresh(_ session: Session) async throws -> (status: Int, code: String?, response: WireResponse) {
        try await socket.answer(
          "POST", Route.sessionRefresh.path(), #"{"refresh_token":"\#(session.refreshToken ?? "")"}"#)
      }
      let refused = try await refresh(loop)
      #expect(refused.status == 429 && refused.response.headers["retry-after"] != nil)
      #expect(try await refresh(other).status == 200)
      // The token that was refused is as good as before.
      clock.advance(ms: TokenBucket.sessionRefreshes.intervalMs)
      #expect(try await refresh(loop).status == 200)
    }
  }
}

/// A cache whose buckets are all empty, from an instant on.
private final class EmptiedCache: SharedCache {
  private let inner = MemoryCache()
  private let isEmpty = Atomic(false)

  func empty() { isEmpty.store(true, ordering: .relaxed) }

  func take(_ wanted: [BucketKey]) -> Int64? {
    isEmpty.load(ordering: .relaxed) && !wanted.isEmpty ? 5000 : nil
  }

  func get(_ key: String) -> [UInt8]? { inner.get(key) }
  func set(_ key: String, to value: [UInt8], forMs: Int64) { inner.set(key, to: value, forMs: forMs) }
  func delete(_ key: String) { inner.delete(key) }
  func increment(_ key: String, by change: Int64, forMs: Int64) throws -> Int64 {
    try inner.increment(key, by: change, forMs: forMs)
  }
  func refill(_ key: String, of bucket: TokenBucket) {}
  func publish(_ message: [UInt8], to channel: String) { inner.publish(message, to: channel) }
  func subscribe(to channel: String) -> AsyncStream<BusSignal> { inner.subscribe(to: channel) }
  func check() {}
}

import Contract
import Foundation
import Platform
import Testing

@testable import Composition
@testable import Gateway
@testable import PlatformTesting
@testable import ServerTesting

/// Names by which browsers refuse our cookies from anybody else, and how those of an older version end.
@Suite(.everyEngine) struct CookiePrefixTests {
  private static let origin = "https://clips.example"
  private static let dayMs: Int64 = 86_400_000
  private let bench: TestInstance
  private let clock = TestTime(ms: SystemTime().nowMs)

  init() async throws { bench = try await TestInstance() }

  /// A browser at the site as it was before, then the same one at the site with https.
  private func afterChange(
    _ before: @escaping @Sendable (CookieJar) async throws -> Void,
    _ after: @escaping @Sendable (CookieJar, SocketTransport) async throws -> Void
  ) async throws {
    let old = Shared<CookieJar?>(nil)
    try await bench.servingAccounts(clock) { socket async throws in
      let jar = CookieJar(socket)
      try await before(jar)
      old.with { $0 = jar }
    }
    try await bench.servingAccounts(clock, origin: Self.origin) { socket async throws in
      try await after(try #require(old.with { $0 }).moved(to: socket), socket)
    }
  }

  @Test func whereTheSiteIsHttpsTheNamesSaySo() async throws {
    let clip = try await bench.publishBare("Tide")
    try await bench.servingAccounts(clock, origin: Self.origin) { socket async throws in
      let jar = CookieJar(socket)
      _ = try await jar.answer("PUT", "/api/v1/clips/\(clip)/like")
      #expect(jar.names == ["__Host-clipfeed_guest"])
      _ = try await Client(transport: jar).signUp(NewAccount("mara", .cookie))
      #expect(
        jar.names == ["__Secure-clipfeed_access", "__Secure-clipfeed_refresh", "__Secure-clipfeed_device"])
      #expect(try await Client(transport: jar).account().handle == "mara")
      _ = try await Client(transport: jar).refresh()
      try await Client(transport: jar).endSession()
      #expect(jar.names == ["__Secure-clipfeed_device"])
    }
  }

  @Test func whoIsSignedInStaysSoAndHasTheNewNamesAfterTheNextRenewal() async throws {
    try await afterChange {
      _ = try await Client(transport: $0).signUp(NewAccount("mara", .cookie))
    } _: { jar, _ async throws in
      let client = Client(transport: jar)
      #expect(try await client.account().handle == "mara")
      _ = try await client.refresh()
      #expect(
        jar.names == ["__Secure-clipfeed_access", "__Secure-clipfeed_refresh", "__Secure-clipfeed_device"])
      #expect(try await client.account().handle == "mara")
    }
  }

  @Test func whoSignsOutWithTheOldNamesIsOut() async throws {
    try await afterChange {
      _ = try await Client(transport: $0).signUp(NewAccount("mara", .cookie))
    } _: { jar, _ async throws in
      try await Client(transport: jar).endSession()
      #expect(jar.names == ["clipfeed_device"])
      #expect(try await jar.answer("GET", "/api/v1/account").code == "sign_in_needed")
    }
  }

  @Test func aGuestStaysTheSameAndIsRenamedAtOnce() async throws {
    let clip = try await bench.publishBare("Tide")
    try await afterChange {
      _ = try await Client(transport: $0).like(clip)
      #expect($0.names == ["clipfeed_guest"])
    } _: { jar, _ async throws in
      let token = jar["clipfeed_guest"]
      // Reading is enough.
      _ = try await jar.answer("GET", "/api/v1/feed")
      #expect(jar.names == ["__Host-clipfeed_guest"] && jar["__Host-clipfeed_guest"] == token)
      #expect(try await Client(transport: jar).like(clip).liked)
      #expect(jar["__Host-clipfeed_guest"] == token)
    }
  }

  /// A neighbouring subdomain can set a cookie without a prefix for the whole domain, and its own session in
  /// it.
  @Test func aCookieWithoutPrefixCountsForNothingBesideOneWithIt() async throws {
    try await bench.servingAccounts(clock, origin: Self.origin) { socket async throws in
      let (own, other) = (CookieJar(socket), CookieJar(socket))
      _ = try await Client(transport: own).signUp(NewAccount("mara", .cookie))
      _ = try await Client(transport: other).signUp(NewAccount("thief", .cookie))
      let both =
        "clipfeed_access=\(other["__Secure-clipfeed_access"] ?? ""); "
        + "__Secure-clipfeed_access=\(own["__Secure-clipfeed_access"] ?? "")"
      let answer = try await socket.answer("GET", "/api/v1/account", nil, ["cookie": both])
      #expect(try WireCoding.decode(Account.self, from: answer.response.body).handle == "mara")
    }
  }

  @Test func theOldNamesEndWithTheLastCookieThatCanHaveThem() async throws {
    try await bench.servingAccounts(clock, origin: Self.origin) { [clock] socket async throws in
      let jar = CookieJar(socket)
      _ = try await Client(transport: jar).signUp(NewAccount("mara", .cookie))
      func isKnown() async throws -> Bool {
        _ = try await Client(transport: jar).refresh()
        let plain = "clipfeed_access=\(jar["__Secure-clipfeed_access"] ?? "")"
        return try await socket.answer("GET", "/api/v1/account", nil, ["cookie": plain]).status == 200
      }
      #expect(try await isKnown())
      clock.advance(ms: 59 * Self.dayMs)
      #expect(try await isKnown())
      clock.advance(ms: Self.dayMs)
      #expect(try await !isKnown())
    }
  }
}

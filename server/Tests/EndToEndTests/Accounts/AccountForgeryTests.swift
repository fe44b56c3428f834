import Contract
import Platform
import Testing

@testable import PlatformTesting
@testable import ServerTesting

/// Requests that other sites have a browser send.
@Suite(.everyEngine) struct AccountForgeryTests {
  private let bench: TestInstance
  private let clock = TestTime(ms: SystemTime().nowMs)

  init() async throws { bench = try await TestInstance() }

  @Test(arguments: ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""])
  func aFormOfAnotherSiteIsNoBody(_ type: String) async throws {
    try await bench.servingAccounts(clock) { socket async throws in
      for (method, target) in [
        ("POST", "/api/v1/accounts"), ("POST", "/api/v1/sessions"), ("POST", "/api/v1/password-resets"),
        ("PUT", "/api/v1/password-resets/x"), ("POST", "/api/v1/sessions/refresh"),
      ] {
        let answer = try await socket.answer(
          method, target, #"{"handle":"mara","password":"correct horse","transport":"cookie"}"#,
          ["content-type": type])
        #expect(answer.status == 415, "\(target)")
      }
    }
  }

  @Test(arguments: [
    ["sec-fetch-site": "cross-site"], ["origin": "https://evil.example"], ["sec-fetch-site": "same-site"],
  ])
  func anotherSiteDoesNothingWithOurCookies(_ headers: [String: String]) async throws {
    try await bench.servingAccounts(clock) { socket async throws in
      let jar = CookieJar(socket)
      let client = Client(transport: jar)
      let account = try await client.signUp(NewAccount("mara", .cookie)).account
      for (method, target, body) in [
        ("DELETE", "/api/v1/sessions/current", nil), ("POST", "/api/v1/sessions/refresh", nil),
        ("PATCH", "/api/v1/account", #"{"name":"Owned"}"#),
        ("POST", "/api/v1/account/deletion", #"{"password":"correct horse"}"#),
        (
          "PUT", "/api/v1/account/password",
          #"{"current_password":"correct horse","new_password":"battery staple"}"#
        ),
        ("POST", "/api/v1/sessions", #"{"handle":"mara","password":"correct horse","transport":"cookie"}"#),
      ] as [(String, String, String?)] {
        let answer = try await jar.answer(method, target, body, headers)
        #expect(answer.status == 403 && answer.code == "cross_site_refused", "\(target)")
      }
      #expect(try await client.account() == account)
    }
  }
}

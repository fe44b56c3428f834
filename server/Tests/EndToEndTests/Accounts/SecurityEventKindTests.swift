import Contract
import Foundation
import Platform
import Testing

@testable import Accounts
@testable import Composition
@testable import PlatformTesting
@testable import ServerTesting

/// What happened, and to whom, in the lines that an operator reads.
@Suite(.everyEngine) struct SecurityEventKindTests {
  private let (bench, lines): (TestInstance, WrittenLines)

  init() async throws { (bench, lines) = (try await TestInstance(), WrittenLines()) }

  @Test func whatHappenedToAnAccountIsToldApartAndSaysWhose() async throws {
    let accounts = try await bench.instance.accounts(hashing: CountingPasswords())
    @Sendable func signIn(_ password: String = "correct horse") async throws -> Session {
      try await accounts.signIn(
        NewSession(handle: "mara", password: password, transport: .token), guest: nil, client: "phone")
    }
    let own = try await accounts.signUp(NewAccount("mara"), guest: nil, client: "phone")
    let (other, third) = (try await signIn(), try await signIn())
    try await bench.serving(accounts: accounts, security: lines.log()) { socket async throws in
      let owner = Bearer(inner: socket, token: try #require(own.accessToken))
      let account = Route.account.path()
      #expect(try await owner.answer("PATCH", account, #"{"name":"Mara M."}"#).status == 200)
      let email = #"{"email":"new@clips.example","password":"correct horse"}"#
      #expect(try await owner.answer("PATCH", account, email).status == 200)
      let link = try #require(
        try await accounts.link(.email, email: "new@clips.example", of: own.account.id, lifeMs: 60_000))
      #expect(try await socket.answer("PUT", Route.emailConfirmation.path(link)).status == 204)
      #expect(try await owner.answer("DELETE", Route.session.path(other.id)).status == 204)
      // A page whose access token is gone signs out by the other cookie alone.
      let cookie = ["cookie": "clipfeed_refresh=\(try #require(third.refreshToken))"]
      let current = Route.session.path(Route.currentSession)
      #expect(try await socket.answer("DELETE", current, nil, cookie).status == 204)
      let reset = Route.passwordReset.path(try await accounts.resetToken(handle: "mara"))
      #expect(try await socket.answer("PUT", reset, #"{"password":"another horse"}"#).status == 204)
      #expect(try await owner.answer("GET", account).code == "session_ended")
      let again = Bearer(inner: socket, token: try #require(try await signIn("another horse").accessToken))
      #expect(try await again.answer("DELETE", Route.sessions.path()).status == 204)
    }
    #expect(
      try lines.fields("event") == [
        "name-change", "address-change", "address-confirmation", "session-end", "sign-out", "reset",
        "ended-session", "sign-out-everywhere",
      ])
    let told = try lines.fields("account")
    #expect(told[6] == nil, "a session that is over is nobody's word")
    #expect(told.enumerated().allSatisfy { $0 == 6 || $1 == own.account.id }, "\(told)")
    #expect(try lines.fields("outcome").count { $0 == "ok" } == 7)
  }

  @Test func aNewcomerWhomAProviderKnowsIsNotIn() async throws {
    let accounts = try await bench.instance.accounts(
      origin: "https://clips.example", hashing: CountingPasswords(), providers: [Voucher("corp")])
    try await bench.serving(accounts: accounts, security: lines.log()) { socket async throws in
      func come() async throws -> SignInOutcome {
        let start = try await accounts.beginSignIn(at: "corp", for: nil, account: nil)
        let items = URLComponents(string: start.authorizationUrl)?.queryItems
        let answer = SignInAnswer(
          transport: .token, flow: start.flow, state: try #require(items?.first?.value), code: "ada")
        let body = String(decoding: try WireCoding.encode(answer), as: UTF8.self)
        let came = try await socket.answer("POST", Route.signInAnswers.path(), body)
        #expect(came.status == 200)
        return try WireCoding.decode(SignInOutcome.self, from: came.response.body)
      }
      let ticket = try #require(try await come().newcomer?.ticket)
      let new = #"{"ticket":"\#(ticket)","handle":"ada.l","name":"Ada","transport":"token"}"#
      #expect(try await socket.answer("POST", Route.signInAccounts.path(), new).status == 201)
      #expect(try await come().session?.account.handle == "ada.l")
    }
    #expect(try lines.fields("event") == ["proof", "sign-up", "sign-in"])
    let told = try lines.fields("account")
    #expect(told[0] == nil && told[1] != nil && told[1] == told[2])
  }

  @Test func aServerThatIsToldToStopTellsWhatItHeldBack() async throws {
    let server = try bench.program(["serve", "--port", "0", "--workers", "0", "--log-format", "json"])
    let mark = "running: http://127.0.0.1:"
    var output = try server.wait(for: mark)
    while output.range(of: mark).map({ !output[$0.upperBound...].contains("\n") }) ?? true {
      output += try server.wait(for: "\n")
    }
    let found = try #require(output.range(of: mark))
    let transport = SocketTransport(
      port: try #require(SafeInteger.read(output[found.upperBound...].prefix(while: \.isNumber))))
    for _ in 0..<30 {
      let answer = try await transport.answer(
        "GET", Route.account.path(), nil, ["authorization": "Bearer nobody.made.this"])
      #expect(answer.code == "access_token_invalid")
    }
    kill(server.process.processIdentifier, SIGTERM)
    let (status, rest) = server.end()
    #expect(status == 0)
    let events = (output + rest).split(separator: "\n").compactMap {
      try? JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: String]
    }.filter { $0["label"] == SecurityLog.label }
    #expect(events.allSatisfy { $0["event"] == "token" }, "\(events)")
    // Ten and a count of twenty, or as many in another way if a minute ended meanwhile.
    #expect(events.reduce(0) { $0 + ($1["repeated"].flatMap { Int($0) } ?? 1) } == 30, "\(events)")
  }
}

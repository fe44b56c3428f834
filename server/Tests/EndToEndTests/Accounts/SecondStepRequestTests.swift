import Contract
import Foundation
import Platform
import Testing

@testable import Accounts
@testable import Composition
@testable import PlatformTesting
@testable import ServerTesting

/// The second step of signing in on the wire, and what its guesses are counted by.
@Suite(.everyEngine) struct SecondStepRequestTests {
  private let bench: TestInstance
  private let clock = TestTime(ms: SystemTime().nowMs)

  init() async throws { bench = try await TestInstance() }

  private static let password = NewAccount("mara").password

  /// Has the account of this client ask for codes. Answers the app's secret.
  private func setUp(_ client: Client) async throws -> (secret: [UInt8], recovery: [String]) {
    let id = try await client.account().id
    _ = try await client.beginCodeApp(OwnerProof(password: Self.password))
    let text = try await bench.instance.database.read {
      try $0.query("SELECT secret FROM code_apps WHERE account_id = ?", [.text(id)])[0].text("secret")
    }
    let secret = try #require(Base64URL.bytes(text))
    return (secret, try await client.confirmCodeApp(code: code(secret)).items)
  }

  private func code(_ secret: [UInt8], _ offset: Int64 = 0) -> String {
    TimeCode.code(secret, step: TimeCode.step(atMs: clock.nowMs) + offset)
  }

  /// A code that is none of those that count about now.
  private func wrongCode(_ secret: [UInt8]) -> String {
    let right = Set((-2...2).map { code(secret, $0) })
    return (0...5).map { String(repeating: "\($0)", count: 6) }.first { !right.contains($0) } ?? ""
  }

  private static func challenge(
    _ transport: any Transport, _ how: TokenTransport = .token
  ) async throws -> String {
    do {
      _ = try await Client(transport: transport).signIn(
        NewSession(handle: "mara", password: password, transport: how))
    } catch let problem as Problem {
      #expect(problem.code == "second_step_needed" && problem.status == 401)
      return try #require(problem.challenge)
    }
    throw AppError(.internalError, "no second step was asked for")
  }

  @Test func aBrowserIsInBehindTheSecondStepAlone() async throws {
    try await bench.servingAccounts(clock) { socket async throws in
      let (own, other) = (CookieJar(socket), CookieJar(socket))
      _ = try await Client(transport: own).signUp(NewAccount("mara", .cookie))
      let (secret, recovery) = try await setUp(Client(transport: own))
      let challenge = try await Self.challenge(other, .cookie)
      #expect(other["clipfeed_access"] == nil && other["clipfeed_refresh"] == nil)
      #expect(try await other.answer("GET", Route.account.path()).code == "sign_in_needed")
      let wrong = try await other.answer(
        "POST", Route.secondStep.path(),
        #"{"challenge":"\#(challenge)","code":"\#(wrongCode(secret))","transport":"cookie"}"#)
      #expect(wrong.status == 403 && wrong.code == "code_wrong")
      clock.advance(ms: TimeCode.stepMs)
      let session = try await Client(transport: other).signIn(
        SecondStep(challenge: challenge, code: code(secret), transport: .cookie))
      #expect(session.accessToken == nil && other["clipfeed_refresh"] != nil)
      #expect(try await Client(transport: other).account().handle == "mara")
      // An app has its tokens in the answer.
      let app = try await Client(transport: socket).signIn(
        SecondStep(challenge: try await Self.challenge(socket), code: recovery[0], transport: .token))
      let state = try await Client(
        transport: Bearer(inner: socket, token: try #require(app.accessToken))
      ).secondFactors()
      #expect(state.codeAppSince != nil && state.recoveryCodes == Limits.recoveryCodes - 1)
    }
  }

  @Test func guessesAreCountedByTheAccountAndByDevicesThatAreKnown() async throws {
    try await bench.servingAccounts(clock, proxies: 1) { socket async throws in
      let own = CookieJar(socket)
      _ = try await Client(transport: own).signUp(NewAccount("mara", .cookie))
      let (secret, _) = try await setUp(Client(transport: own))
      func guess(_ jar: any Transport, _ challenge: String, _ code: String, _ address: Int) async throws
        -> (Int, String?)
      {
        let answer = try await jar.answer(
          "POST", Route.secondStep.path(),
          #"{"challenge":"\#(challenge)","code":"\#(code)","transport":"token"}"#,
          ["x-forwarded-for": "10.0.2.\(address)"])
        return (answer.status, answer.code)
      }
      // Who has no challenge uses up nobody's guesses.
      let account = try await Client(transport: own).account().id
      for number in 0..<15 {
        #expect(
          try await guess(socket, "\(account).none", wrongCode(secret), number) == (410, "sign_in_over"))
      }
      let challenge = try await Self.challenge(socket)
      for number in 0..<10 {
        #expect(try await guess(socket, challenge, wrongCode(secret), number) == (403, "code_wrong"))
      }
      #expect(try await guess(socket, challenge, code(secret, 1), 20).0 == 429)
      // The owner's own browser is not kept out.
      let known = try await Self.challenge(own, .cookie)
      #expect(try await guess(own, known, code(secret, 1), 21).0 == 200)
    }
  }

  @Test func aRightPasswordIsNoGuessThoughACodeIsAskedFor() async throws {
    try await bench.servingAccounts(clock, proxies: 1) { socket async throws in
      _ = try await setUp(try await Self.signedUp(socket))
      for number in 0..<30 {
        let answer = try await socket.answer(
          "POST", Route.sessions.path(),
          #"{"handle":"mara","password":"\#(Self.password)","transport":"token"}"#,
          ["x-forwarded-for": "10.0.3.\(number)"])
        #expect(answer.status == 401 && answer.code == "second_step_needed")
      }
    }
  }

  @Test func theLogTellsWhatOpensAnAccountAndNoCode() async throws {
    let lines = WrittenLines()
    let accounts = try await bench.instance.accounts(hashing: CountingPasswords(), time: clock)
    try await bench.serving(accounts: accounts, time: clock, security: lines.log()) { socket async throws in
      let session = try await Client(transport: socket).signUp(NewAccount("mara"))
      let owner = Client(transport: Bearer(inner: socket, token: try #require(session.accessToken)))
      let (secret, recovery) = try await setUp(owner)
      _ = try await Client(transport: socket).signIn(
        SecondStep(
          challenge: try await Self.challenge(socket), code: code(secret, 1), transport: .token))
      _ = try await Client(transport: socket).signIn(
        SecondStep(
          challenge: try await Self.challenge(socket), code: recovery[0], transport: .token))
      _ = try await owner.newRecoveryCodes(OwnerProof(password: Self.password))
      try await owner.removeCodeApp(OwnerProof(password: Self.password))
    }
    #expect(
      try lines.fields("event") == [
        "sign-up", "code-app-setup", "code-app-on", "sign-in", "sign-in", "sign-in", "recovery",
        "recovery-codes", "code-app-off",
      ])
    #expect(
      try lines.fields("outcome").filter { $0 != "ok" } == ["second_step_needed", "second_step_needed"])
    let told = try lines.fields("account")
    #expect(Set(told).count == 1 && told[0] != nil, "whose it was stands in each line")
  }

  private static func signedUp(_ socket: any Transport) async throws -> Client {
    let session = try await Client(transport: socket).signUp(NewAccount("mara"))
    return Client(transport: Bearer(inner: socket, token: try #require(session.accessToken)))
  }
}

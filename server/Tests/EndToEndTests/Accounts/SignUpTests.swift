import Contract
import Foundation
import Platform
import Testing

@testable import Composition
@testable import PlatformTesting
@testable import ServerTesting

/// New accounts on the wire: whose answer was lost, and whose fields are wrong.
@Suite(.everyEngine) struct SignUpTests {
  private let bench: TestInstance
  private let clock = TestTime(ms: SystemTime().nowMs)

  init() async throws { bench = try await TestInstance() }

  @Test func aSignUpWhoseAnswerWasLostIsRepeatedByTheSameCallerOnly() async throws {
    try await bench.servingAccounts(clock) { [bench] socket async throws in
      let guests = GuestTokens(keys: try await bench.instance.keys(.guests).tokenKeys())
      let guest = guests.make(at: SystemTime())
      func signUp(_ body: String, _ key: String?) async throws -> (Int, String?, String?) {
        var headers = ["cookie": "clipfeed_guest=\(guest.token)"]
        headers["idempotency-key"] = key
        let answer = try await socket.answer("POST", "/api/v1/accounts", body, headers)
        let session = try? WireCoding.decode(Session.self, from: answer.response.body)
        return (answer.status, answer.code ?? session?.account.id, session?.id)
      }
      let body = #"{"handle":"mara","password":"correct horse","transport":"token"}"#
      let first = try await signUp(body, "a-key-of-mara")
      let again = try await signUp(body.replacing("mara", with: "@Mara"), "a-key-of-mara")
      #expect(first.0 == 201 && again.0 == 201)
      #expect(first.1 == guest.id && again.1 == guest.id)
      #expect(first.2 != again.2)
      let other = body.replacing("correct", with: "another")
      #expect(try await signUp(other, "a-key-of-mara").1 == "idempotency_key_reused")
      for key in ["another-key", nil] { #expect(try await signUp(body, key).1 == "handle_taken") }
      #expect(try await signUp(body, "short").1 == "invalid_idempotency_key")
      // The same key for something else is something else.
      #expect(try await signUp(body.replacing("mara", with: "paul"), "a-key-of-mara").0 == 201)
      let kept = try await bench.instance.database.read {
        try $0.query("SELECT * FROM accounts WHERE handle = 'mara'").map { "\($0)" }.joined()
      }
      #expect(!kept.contains("a-key-of-mara") && !kept.contains("correct horse"))
    }
  }

  @Test func twoOfOneSignUpAtOnceAreOneAccount() async throws {
    try await bench.servingAccounts(clock) { socket async throws in
      let sessions = try await withThrowingTaskGroup(of: Session.self) { group in
        for _ in 0..<6 {
          group.addTask {
            try await Client(transport: socket).signUp(
              NewAccount("mara"), idempotencyKey: "a-key-of-mara")
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(Set(sessions.map(\.account.id)).count == 1)
      #expect(Set(sessions.map(\.id)).count == 6)
    }
  }

  @Test func aSignUpIsRepeatedForADayAndNoLonger() async throws {
    try await bench.servingAccounts(clock) { [clock] socket async throws in
      let client = Client(transport: socket)
      _ = try await client.signUp(NewAccount("mara"), idempotencyKey: "a-key-of-mara")
      clock.advance(ms: 86_400_000)
      let error = await #expect(throws: Problem.self) {
        try await client.signUp(NewAccount("mara"), idempotencyKey: "a-key-of-mara")
      }
      #expect(error?.code == "handle_taken")
    }
  }

  @Test(
    arguments: [
      (#"{}"#, 400, "handle"),
      (#"{"handle":1,"password":"correct horse","transport":"token"}"#, 400, "handle"),
      (#"{"handle":"mara","password":null,"transport":"token"}"#, 400, "password"),
      (#"{"handle":"mara","password":"correct horse","transport":"pigeon"}"#, 400, "transport"),
      (#"{"handle":"mara","password":"correct horse","transport":["token"]}"#, 400, "transport"),
      (#"{"handle":"m\u0000","password":"correct horse","transport":"token"}"#, 422, "handle"),
      (#"{"handle":"a\u202eb","password":"correct horse","transport":"token"}"#, 422, "handle"),
      (#"{"handle":"mara","name":"a\u202eb","password":"correct horse","transport":"token"}"#, 422, "name"),
      (#"{"handle":"mara","name":"","password":"correct horse","transport":"token"}"#, 422, "name"),
      (
        #"{"handle":"mara","email":"a@b.c\r\nBcc: x@y.z","password":"correct horse","transport":"token"}"#,
        422, "email"
      ),
      (#"{"handle":"mara","password":"short","transport":"token"}"#, 422, "password"),
      (#"{"handle":"mara","handle":"other","password":"correct horse","transport":"token"}"#, 400, nil),
      (#"{"handle":"mara","\u0068andle":"other","password":"correct horse","transport":"token"}"#, 400, nil),
      (#"["mara"]"#, 400, nil), (#""mara""#, 400, nil), ("null", 400, nil), ("", 400, nil), ("{", 400, nil),
      (#"{"handle":"mara"#, 400, nil),
      (#"{"handle":"\ud800","password":"correct horse","transport":"token"}"#, 400, nil),
      (#"{"a":"# + String(repeating: "[", count: 30_000), 400, nil),
      (#"{"a":"# + String(repeating: #"{"a":"#, count: 10_000), 400, nil),
      (String(repeating: " ", count: 65_537), 413, nil),
    ] as [(String, Int, String?)])
  func everyFieldThatIsWrongIsNamed(_ body: String, _ status: Int, _ field: String?) async throws {
    try await bench.servingAccounts(clock) { socket async throws in
      let answer = try await socket.answer("POST", "/api/v1/accounts", body)
      #expect(answer.status == status)
      let problem = try WireCoding.decode(Problem.self, from: answer.response.body)
      if field != nil { #expect(problem.field == field) }
    }
  }
}

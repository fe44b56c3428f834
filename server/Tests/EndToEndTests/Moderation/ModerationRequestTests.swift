import Accounts
import Contract
import Foundation
import Moderation
import Platform
import Testing

@testable import Composition
@testable import PlatformTesting
@testable import ServerTesting

/// Reports and decisions over the wire, by people with tokens.
@Suite struct ModerationRequestTests {
  private func signUp(_ handle: String, _ socket: SocketTransport) async throws -> (Client, Session) {
    let session = try await Client(transport: socket).signUp(NewAccount(handle))
    return (Client(transport: Bearer(inner: socket, token: try #require(session.accessToken))), session)
  }

  private func code(_ work: () async throws -> some Any) async -> String? {
    do {
      _ = try await work()
      return nil
    } catch { return (error as? Problem)?.code }
  }

  @Test func aRemovedClipIsGoneFromEveryListAndWhoIsSuspendedCanAppeal() async throws {
    let bench = try await TestInstance()
    let accounts = try await bench.instance.accounts(hashing: CountingPasswords())
    try await bench.serving(accounts: accounts) { socket async throws in
      let (ada, session) = try await signUp("ada", socket)
      let clip = try await bench.publishBare("look at #this", by: session.account.id)
      let (_, made) = try await signUp("judge", socket)
      try await accounts.setRole(.moderator, handle: "judge")
      var again = made
      // What was made in the millisecond of the change does not count.
      var judge = Client(transport: socket)
      repeat {
        again = try await Client(transport: socket).refresh(again.refreshToken)
        judge = Client(transport: Bearer(inner: socket, token: try #require(again.accessToken)))
      } while await code { try await judge.account() } != nil

      let stranger = Client(transport: socket)
      let report = try await stranger.report(
        NewReport(kind: .clip, subjectID: clip, reason: .hate, note: "see"))
      #expect(report.state == .open)
      #expect(await code { try await ada.cases() } == "not_allowed")
      #expect(await code { try await stranger.cases() } == "sign_in_needed")
      let cases = try await judge.cases().items
      let id = try #require(cases.first?.id)
      #expect(cases.count == 1)
      for action in [ModerationAction.remove, .suspend] {
        let file = try await judge.decide(
          id, NewDecision(action: action, reason: .hate, statement: "hateful", days: nil),
          idempotencyKey: "a-key-to-\(action.rawValue)")
        #expect(file.summary.isGone && file.decisions.first?.decision.action == action)
        // Moderators can still watch it.
        #expect(file.summary.clip?.visibility == .private)
      }
      #expect(await code { try await stranger.clip(clip) } == "clip_not_found")
      #expect(try await stranger.feed().items.isEmpty)
      #expect(try await stranger.clips(of: "ada").items.isEmpty)
      #expect(try await socket.answer("GET", Route.clipPage.path(clip)).status == 404)

      #expect(await code { try await ada.decisions() } != nil, "the token is of before")
      let after = try await Client(transport: socket).refresh(session.refreshToken)
      let suspended = Client(transport: Bearer(inner: socket, token: try #require(after.accessToken)))
      let decisions = try await suspended.decisions().items
      #expect(decisions.map(\.action) == [.suspend, .remove])
      for decision in decisions {
        let appealed = try await suspended.appeal(decision.id, text: "no")
        #expect(appealed.appeal?.text == "no" && appealed.appealUntil == nil)
        #expect(
          await code {
            try await judge.review(decision.id, DecisionReview(outcome: .upheld, statement: "yes"))
          } == "not_allowed")
      }
      #expect(try await judge.cases(.appealed).items.map(\.id) == [id])
    }
  }

  @Test(arguments: [
    (#"{"kind":"clip","subject_id":"none","reason":"spam"}"#, 404, "clip_not_found"),
    (#"{"kind":"thing","subject_id":"none","reason":"spam"}"#, 400, "request_refused"),
    (#"{"kind":"clip","subject_id":"none","reason":"dislike"}"#, 400, "request_refused"),
    (#"{"kind":"clip","reason":"spam"}"#, 400, "request_refused"),
    (#"{"kind":"clip","subject_id":"a/b","reason":"spam"}"#, 400, "invalid_parameter"),
    (#"{"kind":"person","subject_id":"none","reason":"spam"}"#, 404, "author_not_found"),
  ])
  func whatIsNoReportIsRefused(body: String, status: Int, code: String) async throws {
    let bench = try await TestInstance()
    try await bench.serving { socket async throws in
      let answer = try await socket.answer("POST", Route.reports.path(), body)
      #expect(answer.status == status && answer.code == code)
    }
  }
}

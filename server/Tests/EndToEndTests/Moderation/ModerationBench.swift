import Accounts
import Contract
import Foundation
import Moderation
import Platform
import Testing

@testable import Composition
@testable import PlatformTesting
@testable import ServerTesting

/// People who make clips and comments, people who report them, and people who decide, by a clock of the test.
struct ModerationBench: Sendable {
  let bench: TestInstance
  let clock = TestTime(ms: SystemTime().nowMs)
  let accounts: Accounts
  let moderation: ModerationStore
  /// Who made what is reported.
  let ada: String
  let bob: String
  let judge: Viewer
  let second: Viewer

  init() async throws {
    bench = try await TestInstance()
    accounts = try await bench.instance.accounts(hashing: CountingPasswords(), time: clock)
    moderation = try await bench.instance.moderation(accounts, time: clock)
    ada = try await accounts.signUp(NewAccount("ada"), guest: nil, client: "").account.id
    bob = try await accounts.signUp(NewAccount("bob"), guest: nil, client: "").account.id
    judge = try await Self.moderator("judge", accounts)
    second = try await Self.moderator("second", accounts)
  }

  private static func moderator(_ handle: String, _ accounts: Accounts) async throws -> Viewer {
    let id = try await accounts.signUp(NewAccount(handle), guest: nil, client: "").account.id
    try await accounts.setRole(.moderator, handle: handle)
    return Viewer(id: id, standing: .account(session: "", role: .moderator))
  }

  /// The open case of a thing that was just reported.
  func report(
    _ kind: ReportedKind, _ id: String, _ reason: ReportReason = .spam, note: String? = nil,
    by viewer: String? = nil
  ) async throws -> String {
    _ = try await moderation.report(
      NewReport(kind: kind, subjectID: id, reason: reason, note: note), by: viewer ?? bob)
    return try #require(
      try await moderation.cases(.open, cursor: nil, limit: 50).items.first {
        $0.kind == kind && $0.subjectId == id
      }?.id)
  }

  @discardableResult
  func decide(
    _ caseID: String, _ action: ModerationAction, days: Int? = nil, by moderator: Viewer? = nil,
    key: String = UUID().uuidString
  ) async throws -> Decision {
    let file = try await moderation.decide(
      caseID, NewDecision(action: action, reason: .spam, statement: "because", days: days),
      by: moderator ?? judge, idempotencyKey: key)
    return try #require(file.decisions.first?.decision)
  }

  func refusal(_ work: () async throws -> some Any) async -> ErrorCode? {
    do {
      _ = try await work()
      return nil
    } catch { return (error as? AppError)?.code }
  }

  /// What the one who made the reports hears of them, the newest first.
  func heard(by viewer: String? = nil) async throws -> [Report.State] {
    try await moderation.reports(of: viewer ?? bob, cursor: nil, limit: 50).items.map(\.state)
  }
}

import Accounts
import Comments
import Contract
import Foundation
import Messages
import Moderation
import Platform
import Social
import Testing

@testable import Composition
@testable import PlatformTesting
@testable import ServerTesting

/// Whoever meets something that should not be there says so, and a case is made of it.
@Suite(.everyEngine) struct ReportTests {
  private let world: ModerationBench

  init() async throws { world = try await ModerationBench() }

  @Test func allReportsOfOneThingAreOneCase() async throws {
    let clip = try await world.bench.publishBare("buy now", by: world.ada)
    for guest in ["g1", "g2", "g1"] { _ = try await world.report(.clip, clip, .spam, by: guest) }
    let id = try await world.report(.clip, clip, .violence, note: " look\nat it ")
    let file = try await world.moderation.caseFile(id, for: world.judge)
    #expect(file.summary.reporters == 3 && file.summary.text == "buy now")
    #expect(file.summary.person?.handle == "ada" && file.summary.clip?.id == clip)
    #expect(
      file.summary.reasons == [
        ReasonCount(reason: .violence, count: 1), ReasonCount(reason: .spam, count: 2),
      ])
    #expect(file.reports.count == 3 && file.reports.first?.note == "look\nat it")
    #expect(file.reports.map(\.reporter?.handle) == ["bob", nil, nil])
    #expect(try await world.moderation.cases(.open, cursor: nil, limit: 50).items.count == 1)
  }

  @Test func reportsAtTheSameTimeMakeOneCase() async throws {
    let clip = try await world.bench.publishBare("buy now", by: world.ada)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<12 {
        group.addTask { [world] in
          _ = try await world.moderation.report(
            NewReport(kind: .clip, subjectID: clip, reason: .spam), by: "guest \(number % 6)")
        }
      }
      try await group.waitForAll()
    }
    let cases = try await world.moderation.cases(.open, cursor: nil, limit: 50).items
    #expect(cases.map(\.reporters) == [6])
  }

  @Test func theWordsStayAsTheyWere() async throws {
    let clip = try await world.bench.publishBare("clip", by: world.ada)
    let comments = try await world.bench.instance.comments(.open)
    let comment = try await comments.add(
      "bad words", to: clip, by: world.ada, idempotencyKey: "a-comment-key")
    let id = try await world.report(.comment, comment.id)
    try await comments.delete(comment.id, by: world.ada)
    let summary = try await world.moderation.caseFile(id, for: world.judge).summary
    #expect(summary.text == "bad words" && summary.isGone && summary.clip?.id == clip)
  }

  @Test func whatIsOnesOwnOrNotThereIsNotReported() async throws {
    let clip = try await world.bench.publishBare("clip", by: world.ada)
    let hidden = try await world.bench.instance.publishBare("hidden", visibility: .private, by: world.ada)
    let messages = try await world.bench.instance.messages(.open)
    let sender = Viewer(id: world.ada, standing: .account(session: "", role: .member))
    let message = try await messages.send(
      NewMessage(text: "hello", clipId: nil), to: world.bob, by: sender, idempotencyKey: "a-message-key")
    let cases: [(ReportedKind, String, String, ErrorCode?)] = [
      (.clip, clip, world.ada, .reportOneself), (.clip, hidden, world.bob, .clipNotFound),
      (.clip, "none", world.bob, .clipNotFound), (.comment, "none", world.bob, .commentNotFound),
      (.person, world.ada, world.ada, .reportOneself), (.person, "none", world.bob, .authorNotFound),
      (.message, message.id, world.judge.id, .messageNotFound),
      (.message, message.id, world.ada, .messageNotFound), (.message, message.id, world.bob, nil),
      (.person, world.ada, world.bob, nil),
    ]
    for (kind, id, viewer, code) in cases {
      let report = NewReport(kind: kind, subjectID: id, reason: .other)
      #expect(
        await world.refusal { try await world.moderation.report(report, by: viewer) } == code, "\(kind) \(id)"
      )
    }
    let long = NewReport(
      kind: .clip, subjectID: clip, reason: .other, note: String(repeating: "x", count: 1001))
    #expect(
      await world.refusal { try await world.moderation.report(long, by: world.bob) } == .statementTooLong)
  }

  @Test func whoHasBlockedSomebodyReportsThemAllTheSame() async throws {
    let clip = try await world.bench.publishBare("clip", by: world.ada)
    _ = try await world.bench.instance.social(.open).block(world.ada, by: world.bob)
    _ = try await world.report(.person, world.ada)
    _ = try await world.report(.clip, clip)
    #expect(try await world.heard() == [.open, .open])
  }

  @Test func theGravestComeFirstPageByPage() async throws {
    var expected: [String] = []
    for (reason, people) in [
      (ReportReason.minors, 1), (.violence, 2), (.violence, 1), (.spam, 3), (.spam, 1),
    ] {
      let clip = try await world.bench.publishBare("\(reason) \(people)", by: world.ada)
      for number in 0..<people { _ = try await world.report(.clip, clip, reason, by: "guest \(number)") }
      expected.append(clip)
    }
    for limit in 1...6 {
      var (found, cursor): ([String], String?) = ([], nil)
      repeat {
        let page = try await world.moderation.cases(.open, cursor: cursor, limit: limit)
        found += page.items.map(\.subjectId)
        cursor = page.nextCursor
      } while cursor != nil
      #expect(found == expected)
    }
    let cursor = try await world.moderation.cases(.open, cursor: nil, limit: 1).nextCursor
    #expect(
      await world.refusal { try await world.moderation.cases(.closed, cursor: cursor, limit: 1) }
        == .invalidCursor)
  }

  @Test func aReportThatAGuestMadeIsTheAccountsAfterASignIn() async throws {
    let clip = try await world.bench.publishBare("clip", by: world.ada)
    _ = try await world.report(.clip, clip, by: "a guest")
    _ = try await world.accounts.signIn(
      NewSession(handle: "bob", password: NewAccount("").password, transport: .token), guest: "a guest",
      client: "")
    #expect(try await world.heard() == [.open])
    #expect(try await world.heard(by: "a guest") == [])
  }
}

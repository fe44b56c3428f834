import AppModel
import Contract
import Foundation
import Testing

/// Reporting on somebody's phone, and their account.
@MainActor private final class Visitor {
  let person: Person
  let reporting: Reporting
  let account: AccountModel
  let router = Router()

  init(_ person: Person) {
    self.person = person
    let announcements = Announcements()
    let drafts = StatementDrafts(nil, viewer: person.signIn, clock: SystemPauseClock())
    reporting = Reporting(
      client: person.client, router: router,
      blocking: Blocking(client: person.client, viewer: person.signIn, announcements: announcements),
      drafts: drafts)
    account = AccountModel(
      signIn: person.signIn, announcements: announcements, router: router, providers: NoVisits(),
      keys: NoKeys(), drafts: drafts,
      surface: AccountSurface(
        open: { _ in }, remove: { _ in }, openProfile: { _ in }, openInsights: { _, _ in },
        owns: { _, _ in }))
    reporting.onReported = { [account] in account.noteReport($0) }
    reporting.onReports = { [account] in account.open(.reports) }
  }

  func report(_ subject: ReportSubject, for reason: ReportReason, note: String = "") async throws
    -> ReportModel
  {
    reporting.open(subject)
    let model = try #require(router.top.flatMap { reporting.model(of: $0) })
    model.reason = reason
    model.form[.note] = note
    await model.send()
    return model
  }
}

/// Somebody tells moderators of something, and sees what they told, at a real server.
@MainActor @Suite struct ReportJourneys {
  @Test(.timeLimit(.minutes(10))) func whatIsReportedStandsInOnesList() async throws {
    let ada = Visitor(try await Person.member())
    let bob = Visitor(try Person.guest())
    let upload = try await ada.person.upload(try Person.drawnClip(), "Mine")
    var clip: Clip?
    try await until {
      clip = try? await ada.person.client.clip(ofUpload: upload)
      return clip != nil
    }
    let hers = try #require(clip)

    // A guest reports her clip, and comes from the thanks to all reports.
    let sent = try await bob.report(.clip(hers), for: .spam, note: "It sells kettles.")
    #expect(sent.report?.state == .open && sent.form.failure == nil && sent.canBlock)
    sent.showReports()
    #expect(bob.router.path == [.account] && bob.account.path == [.reports])
    await bob.account.reports.renew()
    #expect(bob.account.reports.items == [try #require(sent.report)] && bob.account.reports.isWhole)

    // The same again is the same report, and she herself leads to another one.
    let again = try await bob.report(.clip(hers), for: .rights)
    #expect(again.report?.id == sent.report?.id)
    let person = try await bob.report(.person(hers.author, isBlocked: false), for: .harassment)
    #expect(person.report?.kind == .person)
    #expect(bob.account.reports.items.map(\.kind) == [.person, .clip])
    await bob.account.reports.reload()
    #expect(bob.account.reports.items.map(\.kind) == [.person, .clip])

    // What is one's own is refused, and what was chosen stays.
    let own = try await ada.report(.clip(hers), for: .other)
    #expect(own.report == nil && own.reason == .other)
    #expect(own.form.failure?.key == ErrorCode.reportOneself.message)

    // She is not told who it was, and nothing is decided yet.
    await ada.account.decisions.list.begin()
    #expect(ada.account.decisions.list.isEmpty)
  }
}

import Contract
import Foundation
import Persistence
import Testing

@testable import AppModel

@MainActor @Suite struct StatementDraftsTests {
  private let bench = ReportBench()

  /// As after a kill: whatever runs then has the file alone.
  private func reopened(_ subject: ReportSubject) async -> ReportModel {
    let reporting = Reporting(
      client: Client(transport: bench.transport), router: Router(), blocking: bench.blocking,
      drafts: await bench.restarted())
    return ReportModel(subject, workshop: reporting)
  }

  @Test func whatWasChosenAndTypedOutlivesTheApp() async throws {
    let subject = ReportSubject.clip(.sample("c"))
    let model = try bench.opened(subject)
    model.reason = .hate
    model.form[.note] = "At 0:12"
    let pauses = await bench.pause.end(after: 1)
    #expect(pauses == [WrittenField.storeDelay])
    #expect(await soon { bench.file.load() != nil })
    let later = await reopened(subject)
    #expect(later.reason == .hate && later.form[.note] == "At 0:12" && later.report == nil)
    #expect(await reopened(.clip(.sample("other"))).reason == nil)
    // A person of the same id is another thing.
    let person = Author(id: "c", handle: "c", name: "C")
    #expect(await reopened(.person(person, isBlocked: false)).form[.note] == "")
  }

  @Test func whatIsTypedUntilTheAppIsLeftIsThere() async throws {
    let model = try bench.opened()
    model.form[.note] = "Half"
    bench.drafts.store()
    #expect(await reopened(model.subject).form[.note] == "Half")
    model.form[.note] = ""
    bench.drafts.store()
    await bench.drafts.settled()
    #expect(bench.file.load() == nil)
  }

  @Test func whatWasSentIsNoDraftAnyMoreAndWhatFailedStays() async throws {
    let model = try bench.opened()
    model.reason = .spam
    model.form[.note] = "Twice"
    async let lost: Void = model.send()
    await bench.transport.next().fail(.timedOut)
    await lost
    bench.drafts.store()
    #expect(await reopened(model.subject).form[.note] == "Twice")
    _ = try await bench.send(model)
    #expect(await reopened(model.subject).form[.note] == "")
    #expect(await reopened(model.subject).reason == nil && bench.file.load() == nil)
  }

  @Test func draftsAreTheirWritersAlone() async throws {
    let model = try bench.opened()
    model.form[.note] = "Mine"
    bench.drafts.store()
    bench.viewer.viewerID = nil
    #expect(await reopened(model.subject).form[.note] == "")
    bench.viewer.viewerID = "me"
    #expect(await reopened(model.subject).form[.note] == "Mine")
  }

  @Test func anAppealOutlivesTheAppUntilItIsTakenOrCanBeMadeNoMore() async {
    let client = Client(transport: bench.transport)
    let model = DecisionsModel(client: client, drafts: bench.drafts, now: { epoch })
    for decision in ["d", "e"] { model.form(of: decision)[.text] = "I sell nothing." }
    bench.drafts.store()
    let later = DecisionsModel(client: client, drafts: await bench.restarted(), now: { epoch })
    #expect(later.form(of: "d")[.text] == "I sell nothing." && later.form(of: "f")[.text] == "")
    async let sent: Void = model.appeal("d")
    await bench.transport.next().answer(200, sampleDecision(appeal: Appeal(text: "x", createdAt: epoch)))
    await sent
    async let late: Void = model.appeal("e")
    await bench.transport.next().refuse(.appealOver)
    await bench.transport.next().answer(200, DecisionPage(items: [], nextCursor: nil))
    await late
    await bench.drafts.settled()
    #expect(bench.file.load() == nil)
  }

  @Test func theOldestOfManyGoAndAllWhereStorageIsCleared() async {
    for number in 0...StatementDrafts.most { bench.drafts.change("\(number)", text: "x") }
    bench.drafts.store()
    let later = await bench.restarted()
    #expect(later.draft(of: "0") == nil && later.draft(of: "1") != nil)
    later.dropAll()
    await later.settled()
    #expect(bench.file.load() == nil)
  }
}

import Contract
import Foundation
import Testing

@testable import AppModel

@MainActor @Suite struct DecisionsModelTests {
  private let transport = ParkedTransport()
  private let viewer = SomeViewer("me")
  private let drafts: StatementDrafts

  init() { drafts = StatementDrafts(nil, viewer: viewer, clock: ManualPause()) }

  private let day = 86_400.0

  private func loaded(_ decisions: Decision...) async -> DecisionsModel {
    let model = DecisionsModel(client: Client(transport: transport), drafts: drafts, now: { epoch })
    async let begun: Void = model.list.begin()
    let asked = await transport.next()
    #expect(asked.request.target.hasPrefix("/api/v1/account/decisions"))
    asked.answer(200, DecisionPage(items: decisions, nextCursor: nil))
    await begun
    return model
  }

  @Test func oneCanAppealAsLongAsTheDecisionSaysAndOnce() async {
    let model = await loaded()
    #expect(!model.canAppeal(sampleDecision()))
    #expect(model.canAppeal(sampleDecision(appealUntil: epoch + day)))
    #expect(!model.canAppeal(sampleDecision(appealUntil: epoch)))
    let made = Appeal(text: "No", createdAt: epoch)
    #expect(!model.canAppeal(sampleDecision(appealUntil: epoch + day, appeal: made)))
  }

  @Test func anAppealIsShownOnceItIsTakenAndStaysTypedUntilThen() async throws {
    let model = await loaded(sampleDecision("e"), sampleDecision(appealUntil: epoch + day))
    var said: [String] = []
    model.say = { said.append($0.key) }
    let form = model.form(of: "d")
    await model.appeal("d")
    #expect(form.faults[.text] != nil && transport.count == 1)
    form[.text] = " I sell nothing. "
    async let lost: Void = model.appeal("d")
    await transport.next().fail(.timedOut)
    await lost
    #expect(form[.text] == " I sell nothing. " && form.failure != nil && said.isEmpty)
    async let sent: Void = model.appeal("d")
    let asked = await transport.next()
    #expect(asked.request.method == "PUT" && asked.request.target == "/api/v1/account/decisions/d/appeal")
    let body = try WireCoding.decode(NewAppeal.self, from: asked.request.body ?? Data())
    #expect(body.text == "I sell nothing.")
    let made = Appeal(text: body.text, createdAt: epoch)
    asked.answer(200, sampleDecision(appeal: made))
    await sent
    #expect(model.decision("d")?.appeal == made && model.decision("e")?.appeal == nil)
    #expect(form[.text] == "" && said == ["Your appeal is with the moderators."])
    #expect(model.form(of: "d") === form && model.decision("none") == nil)
  }

  @Test func anAppealThatComesTooLateIsSaidAndWhatIsShownIsAskedForAnew() async {
    let model = await loaded(sampleDecision(appealUntil: epoch + day))
    var said: [String] = []
    model.say = { said.append($0.key) }
    model.form(of: "d")[.text] = "Too late"
    async let sent: Void = model.appeal("d")
    await transport.next().refuse(.appealOver)
    await transport.next().answer(200, DecisionPage(items: [sampleDecision()], nextCursor: nil))
    await sent
    #expect(said == [ErrorCode.appealOver.message])
    #expect(model.decision("d").map { model.canAppeal($0) } == false)
    #expect(model.form(of: "d")[.text] == "Too late")
  }

  @Test func anAppealThatIsTooLongIsNotSent() async {
    let model = await loaded(sampleDecision(appealUntil: epoch + day))
    model.form(of: "d")[.text] = String(repeating: "x", count: Limits.statementLength + 1)
    #expect(model.charactersLeft(of: "d") == -1)
    await model.appeal("d")
    #expect(model.form(of: "d").faults[.text]?.key == "The text is too long." && transport.count == 1)
  }

  @Test func whoeverComesNextFindsNothingOfIt() async {
    let model = await loaded(sampleDecision())
    model.form(of: "d")[.text] = "Mine"
    viewer.viewerID = "ann"
    model.clear()
    #expect(model.list.items.isEmpty && model.form(of: "d")[.text] == "")
    // It is there again for whoever wrote it.
    viewer.viewerID = "me"
    model.clear()
    #expect(model.form(of: "d")[.text] == "Mine")
  }

  @Test func aListIsRenewedUnlessSomebodyHasGoneFurtherDown() async {
    let list = PagedList<Report>(size: 1) { [client = Client(transport: transport)] in
      try await client.reports(cursor: $0, limit: $1)
    }
    async let first: Void = list.renew()
    await transport.next().answer(200, ReportPage(items: [sampleReport()], nextCursor: "n"))
    await first
    async let again: Void = list.renew()
    await transport.next().answer(200, ReportPage(items: [sampleReport("r", .acted)], nextCursor: "n"))
    await again
    #expect(list.items.map(\.state) == [.acted])
    async let more: Void = list.more()
    await transport.next().answer(200, ReportPage(items: [sampleReport("q")], nextCursor: nil))
    await more
    await list.renew()
    #expect(list.items.map(\.id) == ["r", "q"] && transport.count == 3)
  }
}

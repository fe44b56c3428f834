import Contract
import Foundation
import Testing

@testable import AppModel

@MainActor @Suite struct InsightsModelTests {
  private let transport = ParkedTransport()
  private let announcements = Announcements()
  private let router = Router()

  private func insights() -> Insights {
    Insights(
      client: Client(transport: transport), router: router, announcements: announcements,
      locale: Locale(identifier: "en_US"))
  }

  private func model() -> InsightsModel {
    InsightsModel(
      "c", caption: "Dawn", client: Client(transport: transport), announcements: announcements,
      locale: Locale(identifier: "en_US"))
  }

  private var shown: InsightsModel.State { .shown(InsightsFigures(sampleInsights())) }

  @Test func theServersNumbersAreShown() async {
    let model = model()
    #expect(model.state == .loading)
    async let begun: Void = model.begin()
    let asked = await transport.next()
    #expect(asked.request.method == "GET" && asked.request.target == "/api/v1/clips/c/insights")
    asked.answer(200, sampleInsights())
    await begun
    #expect(model.state == shown)
    // What is there stays when the screen comes again.
    await model.begin()
    #expect(transport.count == 1)
  }

  @Test func whatCouldNotBeLoadedIsTriedAgain() async {
    let model = model()
    async let begun: Void = model.begin()
    await transport.next().fail(.timedOut)
    await begun
    guard case .failed = model.state else { return #expect(Bool(false), "\(model.state)") }
    async let again: Void = model.load()
    let asked = await transport.next()
    #expect(model.state == .loading)
    asked.answer(200, sampleInsights())
    await again
    #expect(model.state == shown)
  }

  @Test func aClipOfSomebodyElseIsNotThere() async {
    let model = model()
    async let begun: Void = model.begin()
    await transport.next().refuse(.clipNotFound)
    await begun
    #expect(model.state == .gone)
    await model.begin()
    #expect(transport.count == 1)
  }

  @Test func aReloadThatFailsLeavesWhatIsThereAndSaysSo() async {
    let model = model()
    async let begun: Void = model.begin()
    await transport.next().answer(200, sampleInsights())
    await begun
    async let reloaded: Void = model.load()
    await transport.next().fail(.notConnectedToInternet)
    await reloaded
    #expect(model.state == shown && announcements.waiting.count == 1)
  }

  @Test func anAnswerToWhoeverWasHereBeforeIsNone() async {
    let model = model()
    async let begun: Void = model.begin()
    let old = await transport.next()
    async let changed: Void = model.viewerChanged()
    let new = await transport.next()
    old.answer(200, sampleInsights())
    await begun
    #expect(model.state == .loading)
    new.refuse(.clipNotFound)
    await changed
    #expect(model.state == .gone)
  }

  @Test func eachClipHasAScreenThatStaysWhileOneCanComeBackToIt() {
    let insights = insights()
    insights.open("a", caption: "Dawn")
    #expect(router.path == [.insights(clip: "a")])
    let model = insights.model(of: .insights(clip: "a"))
    #expect(model?.caption == "Dawn" && model?.clip == "a")
    insights.open("a", caption: "Dawn")
    #expect(insights.model(of: .insights(clip: "a")) === model)
    router.back()
    insights.open("a", caption: "Dusk")
    #expect(insights.model(of: .insights(clip: "a"))?.caption == "Dusk")
    #expect(insights.model(of: .trending) == nil)
    #expect(transport.count == 0)
  }
}

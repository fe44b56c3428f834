import Contract
import Foundation
import Synchronization
import Testing

@testable import AppModel

@MainActor @Suite struct TasteModelTests {
  private let announcements = Announcements()

  /// A server that forgets a tag once less of it is wanted.
  private func model(refuses: Bool = false) -> (TasteModel, ScriptedTransport) {
    let taste = Mutex(
      Taste(
        tags: [Taste.LikedTag(tag: "pier", clips: 3)],
        dismissed: [
          Taste.Dismissed(Dismissal(.clip, "c")), Taste.Dismissed(Dismissal(.tag, "cats")),
          Taste.Dismissed(Dismissal(.sound, "s1"), author: Author(id: "a", handle: "ann", name: "Ann")),
        ]))
    let transport = ScriptedTransport { request in
      if request.method != "GET", refuses { return try ScriptedTransport.problem(.unavailable) }
      switch (request.method, request.target) {
      case ("GET", _): return try ScriptedTransport.json(taste.withLock { $0 })
      case ("PUT", _):
        let wish = try WireCoding.decode(Personalisation.self, from: request.body ?? Data())
        taste.withLock { $0.personalised = wish.personalised }
        return try ScriptedTransport.json(wish)
      case ("DELETE", "/api/v1/taste"): taste.withLock { $0 = Taste(personalised: $0.personalised) }
      case ("DELETE", _): taste.withLock { $0.dismissed = [] }
      default: taste.withLock { $0.tags = [] }
      }
      return WireResponse(status: 204, headers: [:], body: Data())
    }
    return (TasteModel(client: Client(transport: transport), announcements: announcements), transport)
  }

  private var news: [String] { announcements.waiting.map { $0.text.text { $0 } } }

  @Test func whatIsTakenOutIsGoneFromTheScreen() async {
    let (model, transport) = model()
    await model.load()
    #expect(model.taste?.tags.map(\.tag) == ["pier"])
    // Clips that are left out do not come back.
    #expect(model.dismissed.map(\.dismissal.subject) == ["cats", "s1"])
    await model.remove(Dismissal(.tag, "pier"), name: "#pier")
    #expect(model.taste?.tags.isEmpty == true && news == ["For you shows less of #pier."])
    await model.takeBack(Dismissal(.tag, "cats"), name: "#cats")
    #expect(model.dismissed.isEmpty && news.last == "#cats may come again.")
    #expect(transport.calls.contains("DELETE /api/v1/taste/dismissals?kind=tag&subject=cats"))
  }

  @Test func aSoundIsTakenBackByWhatItIsCalled() async throws {
    let (model, transport) = model()
    await model.load()
    let left = try #require(model.dismissed.last)
    await model.takeBack(left.dismissal, name: SoundPage.title(by: left.author).text { $0 })
    #expect(model.dismissed.isEmpty && news == ["Sound by @ann may come again."])
    #expect(transport.calls.contains("DELETE /api/v1/taste/dismissals?kind=sound&subject=s1"))
  }

  @Test func learningIsSwitchedOffAndForgotten() async {
    let (model, transport) = model()
    await model.load()
    await model.setPersonalised(false)
    #expect(model.taste?.personalised == false)
    #expect(news == ["For you shows the newest clips from its next page on."])
    model.asksToForget = true
    await model.forget()
    #expect(!model.asksToForget && transport.calls.contains("DELETE /api/v1/taste"))
    #expect(model.taste == Taste(personalised: false))
  }

  @Test func whatIsNotSavedStandsAsBefore() async {
    let (model, _) = model(refuses: true)
    await model.load()
    await model.setPersonalised(false)
    #expect(model.taste?.personalised == true && news.count == 1)
    await model.remove(Dismissal(.tag, "pier"), name: "#pier")
    #expect(model.taste?.tags.count == 1 && !model.isBusy)
  }
}

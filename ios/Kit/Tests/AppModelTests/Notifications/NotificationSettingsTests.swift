import Contract
import Foundation
import Testing

@testable import AppModel

@MainActor @Suite struct NotificationSettingsTests {
  private let transport = ParkedTransport()
  private let viewer = SomeViewer("me")
  private let announcements = Announcements()
  private let model: NotificationSettingsModel

  private let like = NotificationSetting(kind: NotificationKind.like, list: true, push: true)
  private let message = NotificationSetting(kind: NotificationKind.message, push: true)

  init() {
    model = NotificationSettingsModel(
      client: Client(transport: transport), viewer: viewer, announcements: announcements)
  }

  private func load(_ items: [NotificationSetting]) async {
    async let loaded: Void = model.load()
    await transport.next().answer(200, NotificationSettings(items: items))
    await loaded
  }

  private func change(_ asked: ParkedTransport.Parked) throws -> [NotificationSettingsChange.Item] {
    try WireCoding.decode(NotificationSettingsChange.self, from: asked.request.body ?? Data()).items
  }

  @Test func eachPlaceHasTheKindsThatStandThere() async {
    await load([like, message, NotificationSetting(kind: "moon", list: true, push: true)])
    #expect(model.isThere)
    #expect(model.settings(of: .list).map(\.kind) == ["like"])
    #expect(model.settings(of: .push).map(\.kind) == ["like", "message"])
  }

  @Test func aSwitchShowsAtOnceAndSendsItselfAlone() async throws {
    await load([like, message])
    async let turned: Void = model.set("like", in: .list, false)
    let asked = await transport.next()
    #expect(!model.isOn(like, in: .list) && model.isOn(like, in: .push))
    #expect(try change(asked) == [NotificationSettingsChange.Item(kind: "like", list: false)])
    asked.answer(
      200, NotificationSettings(items: [NotificationSetting(kind: "like", list: false, push: true), message]))
    await turned
    #expect(model.settings(of: .list).map { model.isOn($0, in: .list) } == [false])
  }

  @Test func whatFailsIsTakenBackAndSaid() async {
    await load([like])
    async let turned: Void = model.set("like", in: .push, false)
    await transport.next().fail(.timedOut)
    await turned
    #expect(model.isOn(like, in: .push) && announcements.waiting.count == 1)
  }

  @Test func theLastWordOnASwitchCounts() async throws {
    await load([like])
    async let first: Void = model.set("like", in: .push, false)
    let off = await transport.next()
    await model.set("like", in: .push, true)
    #expect(model.isOn(like, in: .push))
    off.answer(200, NotificationSettings(items: [NotificationSetting(kind: "like", list: true, push: false)]))
    let on = await transport.next()
    #expect(try change(on) == [NotificationSettingsChange.Item(kind: "like", push: true)])
    on.answer(200, NotificationSettings(items: [like]))
    await first
    #expect(model.isOn(like, in: .push) && transport.count == 3)
  }

  @Test func whatDidNotComeCanBeAskedForAgain() async {
    async let loaded: Void = model.load()
    await transport.next().fail(.timedOut)
    await loaded
    #expect(model.failure != nil && !model.isThere)
    await load([like])
    #expect(model.failure == nil && model.isThere)
  }

  @Test func anAnswerToWhoeverWasHereBeforeIsNone() async {
    async let loaded: Void = model.load()
    let old = await transport.next()
    viewer.viewerID = "you"
    model.viewerChanged()
    old.answer(200, NotificationSettings(items: [like]))
    await loaded
    #expect(!model.isThere)
  }
}

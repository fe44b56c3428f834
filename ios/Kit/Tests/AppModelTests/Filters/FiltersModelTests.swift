import Contract
import Foundation
import Testing

@testable import AppModel

@MainActor @Suite struct FiltersModelTests {
  private let transport = ParkedTransport()
  private let ann = Author(id: "ann", handle: "ann", name: "Ann")

  private func item(_ id: String, by author: Author? = nil, _ reason: HeldReason = .link) -> HeldComment {
    HeldComment(
      comment: ClipComment(
        id: id, author: author, text: "words", createdAt: epoch, clipId: "clip", held: true),
      reason: reason, word: reason == .word ? "spam" : nil)
  }

  /// With what it says.
  private func loaded(
    _ filters: CommentFilters = CommentFilters(), _ items: HeldComment...
  ) async -> (model: FiltersModel, said: Said) {
    let model = FiltersModel(client: Client(transport: transport))
    let said = Said()
    model.say = { said.keys.append($0.key) }
    async let begun: Void = model.list.begin()
    let asked = await transport.next()
    #expect(asked.request.target.hasPrefix("/api/v1/account/held-comments"))
    asked.answer(200, HeldCommentPage(items: items, nextCursor: nil, held: items.count))
    await begun
    async let came: Void = model.load()
    await transport.next().answer(200, filters)
    await came
    return (model, said)
  }

  @MainActor private final class Said { var keys: [String] = [] }

  private func body(_ parked: ParkedTransport.Parked) throws -> CommentFilters {
    try WireCoding.decode(CommentFilters.self, from: parked.request.body ?? Data())
  }

  @Test func wordsAreLinesAndStayTypedUntilTheyAreSaved() async throws {
    let (model, said) = await loaded(CommentFilters(words: ["spam"], holdLinks: true))
    #expect(model.isThere && model.form[.words] == "spam" && model.isOn(.holdsLinks))
    model.form[.words] = " spam\r\n\nFree money \n"
    async let lost: Void = model.saveWords()
    await transport.next().fail(.timedOut)
    await lost
    #expect(model.form.failure != nil && model.form[.words].hasPrefix(" spam"))
    async let saved: Void = model.saveWords()
    let sent = await transport.next()
    #expect(try body(sent) == CommentFilters(words: ["spam", "Free money"], holdLinks: true))
    sent.answer(200, CommentFilters(words: ["spam", "Free money"], holdLinks: true))
    await saved
    #expect(model.form[.words] == "spam\nFree money" && said.keys == ["The words are saved."])
  }

  @Test func whatIsTypedStaysWhenTheyAreLoadedAgain() async {
    let (model, _) = await loaded(CommentFilters(words: ["spam"]))
    model.form[.words] = "spam\nmore"
    async let came: Void = model.load()
    await transport.next().answer(200, CommentFilters(words: ["spam"], followersOnly: true))
    await came
    #expect(model.form[.words] == "spam\nmore" && model.isOn(.followersOnly))
  }

  @Test func aSwitchShowsAtOnceAndWhatFailsIsTakenBack() async throws {
    let (model, said) = await loaded(CommentFilters(words: ["spam"]))
    async let turned: Void = model.set(.followersOnly, true)
    let first = await transport.next()
    #expect(model.isOn(.followersOnly))
    #expect(try body(first) == CommentFilters(words: ["spam"], followersOnly: true))
    first.fail(.timedOut)
    await turned
    #expect(!model.isOn(.followersOnly) && said.keys.count == 1)
  }

  @Test func oneChangeWaitsForTheOtherAndLosesNoneOfIt() async throws {
    let (model, _) = await loaded()
    let first = Task { await model.set(.holdsLinks, true) }
    let sent = await transport.next()
    let second = Task { await model.set(.followersOnly, true) }
    #expect(try body(sent) == CommentFilters(holdLinks: true))
    sent.answer(200, CommentFilters(holdLinks: true))
    let next = await transport.next()
    #expect(try body(next) == CommentFilters(holdLinks: true, followersOnly: true))
    next.answer(200, CommentFilters(holdLinks: true, followersOnly: true))
    await first.value
    await second.value
    #expect(model.isOn(.holdsLinks) && model.isOn(.followersOnly))
  }

  @Test func whatIsLetInOrDeletedLeavesTheList() async {
    let (model, said) = await loaded(CommentFilters(), item("one"), item("two", by: ann), item("three"))
    #expect(model.held == 3)
    async let letIn: Void = model.letIn(item("one"))
    let approval = await transport.next()
    #expect(approval.request.target == "/api/v1/comments/one/approval" && model.isBusy(item("one")))
    approval.answer(200, ClipComment(id: "one", text: "words", createdAt: epoch, clipId: "clip"))
    await letIn
    async let deleted: Void = model.delete(item("two", by: ann))
    await transport.next().answer(204)
    await deleted
    #expect(model.list.items.map(\.comment.id) == ["three"] && model.held == 1)
    #expect(said.keys == ["The comment stands under your clip.", "The comment is deleted."])
  }

  @Test func whatIsGoneMeanwhileLeavesAsWellAndWhatFailsStays() async {
    let (model, said) = await loaded(CommentFilters(), item("one"), item("two"))
    async let lost: Void = model.letIn(item("one"))
    await transport.next().fail(.timedOut)
    await lost
    #expect(model.list.items.count == 2)
    async let gone: Void = model.letIn(item("one"))
    await transport.next().answer(404, Problem(.commentNotFound, requestID: ""))
    await gone
    #expect(model.list.items.map(\.comment.id) == ["two"] && said.keys.last == "This comment is gone.")
  }

  @Test func whoIsBlockedLeavesTheFeedAndTheList() async {
    let (model, said) = await loaded(CommentFilters(), item("one", by: ann))
    var blocked: [String] = []
    model.blocked = { blocked.append($0.id) }
    async let done: Void = model.block(ann)
    await transport.next().answer(200, BlockState(blocked: true))
    await transport.next().answer(200, HeldCommentPage(items: [], nextCursor: nil, held: 0))
    await done
    #expect(blocked == ["ann"] && model.list.isEmpty && model.held == 0)
    #expect(said.keys == ["%@ is blocked."])
  }

  @Test func whoeverComesNextFindsNothingOfIt() async {
    let (model, said) = await loaded(CommentFilters(words: ["spam"]), item("one"))
    async let turned: Void = model.set(.holdsLinks, true)
    let sent = await transport.next()
    model.clear()
    #expect(!model.isThere && model.list.items.isEmpty && model.form[.words].isEmpty && model.held == 0)
    sent.answer(200, CommentFilters(words: ["spam"], holdLinks: true))
    await turned
    #expect(!model.isThere && !model.isOn(.holdsLinks) && said.keys.isEmpty)
  }

  @Test func itSaysWhy() {
    #expect(item("one", .word).why == Sentence("It has “%@” in it.", "spam"))
    #expect(item("one", .link).why.key == "It has a link in it.")
    #expect(item("one", .site).why.key == "This site has it looked at.")
  }
}

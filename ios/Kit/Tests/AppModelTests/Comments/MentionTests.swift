import Contract
import Foundation
import Testing

@testable import AppModel

@MainActor @Suite struct MentionTests {
  @Test func whoIsNamedIsALinkAndThePiecesAreTheText() {
    let text = MentionText("Hi @Ann.B, mail a@b.org, @ann.b! 👋🏽")
    #expect(text.pieces.map(\.text).joined() == "Hi @Ann.B, mail a@b.org, @ann.b! 👋🏽")
    #expect(text.pieces.compactMap(\.handle) == ["ann.b", "ann.b"] && text.handles == ["ann.b"])
    #expect(MentionText("").pieces.isEmpty)
    #expect(MentionText("a\u{301}@ann").handles.isEmpty)
  }

  private func bench() -> (CommentsBench, CommentsModel) {
    let server = CommentServer()
    server.change { state in
      state.people = ["ann", "anna", "ben"].map { Author(id: $0, handle: $0, name: $0.capitalized) }
    }
    let bench = CommentsBench(server)
    return (bench, bench.model())
  }

  /// Lets the pause behind a key pass.
  private func pass(_ bench: CommentsBench, _ model: CommentsModel) async {
    while !bench.clock.asked.contains(SearchModel.pause) { await Task.yield() }
    _ = await bench.clock.end(after: bench.clock.asked.count)
    await model.mentions.settled()
  }

  @Test func peopleAreSuggestedWhileAHandleIsTypedAndChosen() async {
    let (bench, model) = bench()
    model.field.text = "hello @an"
    await pass(bench, model)
    #expect(model.mentions.people.map(\.handle) == ["ann", "anna"])
    model.mention(model.mentions.people[1])
    #expect(model.field.text == "hello @anna " && model.mentions.people.isEmpty)
    #expect(bench.count("GET /api/v1/search/people?q=an&limit=5") == 1)
  }

  @Test func aHandleInTheMiddleIsFoundByWhereSomethingWasTyped() async {
    let (bench, model) = bench()
    model.field.text = "hello @ there"
    #expect(bench.clock.asked.filter { $0 == SearchModel.pause }.isEmpty)
    model.field.text = "hello @b there"
    await pass(bench, model)
    #expect(model.mentions.people.map(\.handle) == ["ben"])
    model.mention(model.mentions.people[0])
    #expect(model.field.text == "hello @ben there")
  }

  @Test func theLastKeyCountsAndWhatIsNoHandleAsksNobody() async {
    let (bench, model) = bench()
    model.field.text = "@an"
    model.field.text = "@ann"
    model.field.text = "@anna"
    await pass(bench, model)
    #expect(model.mentions.people.map(\.handle) == ["anna"] && bench.count("GET /api/v1/search") == 1)
    for text in ["mail a@an", "@an@an", "@an ", "@", "@" + String(repeating: "a", count: 31), "@é"] {
      model.field.text = text
      #expect(model.mentions.people.isEmpty, "\(text)")
    }
    await model.mentions.settled()
    #expect(bench.count("GET /api/v1/search") == 1)
  }

  @Test func whoIsBlockedIsNotSuggestedAndAFailureSuggestsNobody() async {
    let (bench, model) = bench()
    bench.server.change { $0.refusals["PUT"] = .tooManyRequests }
    let gate = Gate()
    bench.server.change { $0.gates["PUT"] = gate }
    let blocking = Task { await model.blocking.block(Author(id: "ann", handle: "ann", name: "Ann")) }
    while model.blocking.gone.isEmpty { await Task.yield() }
    model.field.text = "@an"
    await pass(bench, model)
    #expect(model.mentions.people.map(\.handle) == ["anna"])
    gate.open()
    _ = await blocking.value
    bench.server.change { $0.isDown = true }
    model.field.text = "@ann"
    let asked = bench.clock.asked.count
    while bench.count("GET /api/v1/search") < 2 {
      _ = await bench.clock.end(after: asked)
      await Task.yield()
    }
    await model.mentions.settled()
    #expect(model.mentions.people.isEmpty)
  }

  @Test func whatIsWrittenInsteadTakesSuggestionsAway() async {
    let (bench, model) = bench()
    model.field.text = "@an"
    await pass(bench, model)
    model.field.text = "@an!"
    #expect(model.mentions.people.isEmpty)
    model.field.text = "@ann"
    model.reply(to: .sample(1))
    await model.mentions.settled()
    #expect(model.mentions.people.isEmpty)
    // What was chosen for a text that is another one by now changes nothing.
    #expect(model.mentions.completed("other", with: Author(id: "a", handle: "ann", name: "")) == "other")
  }
}

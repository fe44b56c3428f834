import Contract
import Testing

@testable import AppModel

@MainActor @Suite struct ProfilePeopleModelTests {
  private func opened(_ bench: ProfileBench) async throws -> ProfilePeopleModel {
    await bench.opened().openFollowers()
    let model = try #require(bench.profiles.people(of: .followers(of: "ada")))
    await model.people.list.begin()
    return model
  }

  private func handles(_ model: ProfilePeopleModel) -> [String] {
    model.people.list.items.map(\.author.handle)
  }

  @Test func theyComePageByPageAndLeadToTheirPages() async throws {
    let bench = ProfileBench()
    let model = try await opened(bench)
    #expect(handles(model) == ["ben", "bob"])
    await model.people.list.came(to: model.people.list.items[1])
    #expect(handles(model) == ["ben", "bob", "eve"])
    #expect(model.title == Sentence("Followers of %@", "@ada") && model.none == "Nobody follows them yet.")
    model.open(model.people.list.items[1])
    #expect(
      bench.router.path == [.profile("ada"), .followers(of: "ada"), .profile("bob")])
    // Nobody follows themselves.
    bench.viewer.viewerID = "eve"
    #expect(model.people.list.items.map { model.canFollow($0) } == [true, true, false])
    await bench.feed.end()
  }

  @Test func aNameIsLookedForOnceSomebodyRests() async throws {
    let bench = ProfileBench()
    let model = try await opened(bench)
    model.text = " B "
    model.text = "b"
    model.text = "bo"
    _ = await bench.pause.end(after: 1)
    await model.settled()
    #expect(handles(model) == ["bob"] && model.asked == "bo")
    #expect(model.none == "Nobody of this name follows them.")
    #expect(bench.transport.calls.filter { $0.contains("q=") }.map { $0.contains("q=bo&") } == [true])
    await bench.feed.end()
  }

  /// The first answer comes after the second.
  @Test func theLastNameIsTheOneThatCounts() async throws {
    let (slow, bench) = (Gate(), ProfileBench())
    bench.server.change { $0.gates["q=b&limit=24"] = slow }
    let model = try await opened(bench)
    model.text = "b"
    _ = await bench.pause.end(after: 1)
    while !bench.transport.calls.contains(where: { $0.hasSuffix("q=b&limit=24") }) { await Task.yield() }
    model.text = "eve"
    _ = await bench.pause.end(after: 2)
    await model.settled()
    #expect(handles(model) == ["eve"])
    slow.open()
    for _ in 0..<50 { await Task.yield() }
    #expect(handles(model) == ["eve"] && model.asked == "eve")
    await bench.feed.end()
  }

  @Test func anEmptyFieldShowsAllAgain() async throws {
    let bench = ProfileBench()
    let model = try await opened(bench)
    model.text = "eve"
    _ = await bench.pause.end(after: 1)
    await model.settled()
    model.text = ""
    _ = await bench.pause.end(after: 2)
    await model.settled()
    #expect(handles(model) == ["ben", "bob"] && model.asked.isEmpty)
    await bench.feed.end()
  }
}

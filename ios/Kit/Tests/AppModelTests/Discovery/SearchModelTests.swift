import Contract
import Foundation
import Persistence
import Playback
import PlaybackTesting
import Synchronization
import Testing

@testable import AppModel

/// The search over the screen that plays, with a server that finds what a test says.
@MainActor private final class SearchBench {
  let feed: FeedBench
  let pause = ManualPause()
  private(set) var discovery: Discovery!

  var model: SearchModel { discovery.search }
  var recents: StoredFile<[String]> { StoredFile(feed.folder.appending(path: "searches")) }

  init(_ answer: @escaping @Sendable (WireRequest) async throws -> WireResponse? = { _ in nil }) {
    feed = FeedBench(left: [sampleClip("own")], answer)
    discovery = make()
    feed.start()
  }

  func make() -> Discovery {
    Discovery(
      client: Client(transport: feed.transport), router: feed.router, tabs: feed.assembly.tabs,
      announcements: feed.announcements, recent: RecentSearches(file: recents), clock: pause)
  }
}

@MainActor @Suite struct SearchModelTests {
  private nonisolated static func suggestions(_ words: String...) throws -> WireResponse {
    try ScriptedTransport.json(SearchSuggestions(items: words.map { SearchSuggestion($0) }))
  }

  private nonisolated static func clips(_ ids: [String], next: String? = nil) throws -> WireResponse {
    try ScriptedTransport.json(FeedPage(items: ids.map { sampleClip($0) }, nextCursor: next))
  }

  @Test func asksOnceSomebodyRestsAndNotForEachKey() async {
    let bench = SearchBench { request in
      request.target.hasPrefix("/api/v1/search/suggestions") ? try Self.suggestions("pier") : nil
    }
    bench.model.text = "p"
    #expect(await eventually { bench.pause.asked.count == 1 })
    bench.model.text = "pi"
    #expect(await eventually { bench.pause.asked.count == 2 })
    let pauses = await bench.pause.end(after: 2)
    #expect(pauses.allSatisfy { $0 == SearchModel.pause })
    await bench.model.settled()
    #expect(bench.model.suggestions.map(\.text) == ["pier"])
    let asked = bench.feed.transport.calls.filter { $0.contains("suggestions") }
    #expect(asked == ["GET /api/v1/search/suggestions?q=pi"])
    await bench.feed.end()
  }

  /// The first answer comes after the second.
  @Test func theLastQuestionIsTheOneThatCounts() async {
    let (gate, opening) = AsyncStream.makeStream(of: Void.self)
    let bench = SearchBench { request in
      guard request.target.hasPrefix("/api/v1/search/suggestions") else { return nil }
      if request.target.hasSuffix("q=p") { for await _ in gate { break } }
      return try Self.suggestions(request.target.hasSuffix("q=p") ? "old" : "new")
    }
    bench.model.text = "p"
    _ = await bench.pause.end(after: 1)
    #expect(await eventually { bench.feed.transport.calls.contains { $0.hasSuffix("q=p") } })
    bench.model.text = "pi"
    _ = await bench.pause.end(after: 2)
    await bench.model.settled()
    #expect(bench.model.suggestions.map(\.text) == ["new"])
    opening.yield()
    opening.finish()
    for _ in 0..<50 { await Task.yield() }
    #expect(bench.model.suggestions.map(\.text) == ["new"])
    await bench.feed.end()
  }

  @Test func whatWasLookedForStaysOnTheDeviceUntilItIsRemoved() async {
    let bench = SearchBench()
    for text in ["pier", "  Dogs ", "PIER", "   "] { bench.model.ask(text) }
    #expect(bench.model.recent.texts == ["PIER", "Dogs"])
    #expect(bench.make().search.recent.texts == ["PIER", "Dogs"])
    for number in 0..<20 { bench.model.ask("n\(number)") }
    #expect(bench.model.recent.texts.count == RecentSearches.most)
    bench.model.recent.remove("n19")
    #expect(bench.model.recent.texts.first == "n18")
    bench.model.recent.removeAll()
    #expect(bench.make().search.recent.texts.isEmpty && bench.recents.load() == nil)
    await bench.feed.end()
  }

  @Test func aSuggestionSaysWhatIsLookedFor() async {
    let bench = SearchBench()
    bench.model.choose(SearchSuggestion(kind: .tag, text: "pier"))
    #expect(bench.model.asked == "#pier" && bench.model.kind == .clips && bench.model.text == "#pier")
    bench.model.choose(
      SearchSuggestion(kind: .person, text: "ann", person: Author(id: "a", handle: "ann", name: "Ann")))
    #expect(bench.model.asked == "@ann" && bench.model.kind == .people)
    bench.model.text = ""
    #expect(bench.model.asked == "" && bench.model.suggestions.isEmpty)
    bench.model.ask(String(repeating: "x", count: 500))
    #expect(bench.model.asked.unicodeScalars.count == Limits.searchScalars)
    await bench.feed.end()
  }

  @Test func aClipOpensTheFeedRightThereAndGoingBackComesToTheSamePlace() async throws {
    let bench = SearchBench { request in
      guard request.target.hasPrefix("/api/v1/search/clips") else { return nil }
      return request.target.contains("cursor=")
        ? try Self.clips(["z"]) : try Self.clips(["x", "y"], next: "c")
    }
    let feed = bench.feed
    bench.discovery.open(.search)
    bench.model.ask("pier")
    await bench.model.clips.list.begin()
    #expect(feed.transport.calls.contains("GET /api/v1/search/clips?q=pier&limit=24"))
    bench.model.clips.open(try #require(bench.model.clips.list.items.last))
    #expect(feed.model.currentClip?.id == "y" && feed.router.path.isEmpty)
    #expect(feed.assembly.tabs.back == "What was found")
    // The feed goes on with the next page of what was found.
    #expect(await eventually { feed.assembly.host.feed.list.order.count == 3 })
    // What the next visit begins with is the tab's.
    feed.assembly.save()
    #expect(feed.files.lastFeed.load()?.clips.map(\.id) == ["own"])
    feed.assembly.tabs.goBack()
    #expect(feed.model.currentClip?.id == "own" && feed.assembly.tabs.back == nil)
    #expect(feed.router.path == [.search])
    #expect(bench.model.asked == "pier" && bench.model.clips.returnsTo == "y")
    #expect(bench.model.clips.list.items.map(\.id) == ["x", "y", "z"])
    // Whoever opens the search anew begins anew.
    feed.router.back()
    bench.discovery.open(.search)
    #expect(bench.model.asked == "" && bench.model.clips.list.items.isEmpty)
    await feed.end()
  }

  @Test func gridsLeadToTheirClipsAndAreAsTheyWereLeft() async throws {
    let bench = SearchBench { request in
      switch request.target {
      case "/api/v1/trending?limit=24": try Self.clips(["t", "own"])
      case "/api/v1/clips/t/similar?limit=24": try Self.clips(["s"])
      default: nil
      }
    }
    let (feed, discovery) = (bench.feed, bench.discovery!)
    discovery.open(.trending)
    let trending = try #require(discovery.grid(of: .trending))
    await trending.list.begin()
    trending.open(trending.list.items[0])
    #expect(feed.model.currentClip?.id == "t" && feed.assembly.tabs.back == "Trending")
    #expect(feed.model.why?.sentence == "It is in the list that you opened.")
    // From a grid's clip to another grid, and back the same way.
    discovery.open(.similar(clip: "t"))
    let similar = try #require(discovery.grid(of: .similar(clip: "t")))
    await similar.list.begin()
    similar.open(similar.list.items[0])
    #expect(feed.model.currentClip?.id == "s" && feed.assembly.tabs.back == "More like this")
    feed.assembly.tabs.goBack()
    #expect(feed.router.path == [.similar(clip: "t")] && feed.assembly.tabs.back == "Trending")
    #expect(feed.model.currentClip?.id == "t")
    feed.router.showFeed()
    feed.assembly.tabs.goBack()
    #expect(feed.router.path == [.trending] && discovery.grid(of: .trending) === trending)
    #expect(feed.model.currentClip?.id == "own" && trending.returnsTo == "t")
    #expect(discovery.grid(of: .settings) == nil)
    await feed.end()
  }

  private nonisolated static func sounds(_ ids: [String], next: String? = nil) throws -> WireResponse {
    let items = ids.map { id in
      FoundSound(
        id: id, clips: 2, author: Author(id: "a", handle: "ann", name: "Ann"), caption: id,
        poster: Poster(url: "/media/\(id).jpg", width: 720, height: 1280, placeholder: ""))
    }
    return try ScriptedTransport.json(FoundSoundPage(items: items, nextCursor: next))
  }

  @Test func soundsComeInPagesAndAnotherQuestionOrPersonHasOthers() async {
    let fails = Mutex(false)
    let bench = SearchBench { request in
      guard request.target.hasPrefix("/api/v1/search/sounds") else { return nil }
      if fails.withLock({ $0 }) { return try ScriptedTransport.problem(.unavailable) }
      if request.target.contains("q=nothing") { return try Self.sounds([]) }
      return request.target.contains("cursor=")
        ? try Self.sounds(["z"]) : try Self.sounds(["x", "y"], next: "c")
    }
    let sounds = bench.model.sounds
    bench.model.ask("pier", .sounds)
    await sounds.begin()
    #expect(bench.feed.transport.calls.contains("GET /api/v1/search/sounds?q=pier&limit=24"))
    await sounds.came(to: sounds.items[1])
    #expect(sounds.items.map(\.id) == ["x", "y", "z"] && sounds.isWhole)

    bench.model.ask("nothing")
    #expect(bench.model.kind == .sounds && sounds.items.isEmpty && !sounds.isEmpty)
    await sounds.begin()
    #expect(sounds.isEmpty && bench.model.kind.others == [.clips, .people, .tags])

    fails.withLock { $0 = true }
    bench.model.ask("pier")
    await sounds.begin()
    #expect(sounds.items.isEmpty && sounds.failure != nil)
    fails.withLock { $0 = false }
    await sounds.again()
    #expect(sounds.items.map(\.id) == ["x", "y"] && sounds.failure == nil)
    bench.discovery.viewerChanged()
    #expect(sounds.items.isEmpty && bench.model.asked == "" && bench.model.kind == .clips)
    await bench.feed.end()
  }

  @Test func followingSomebodyWhoWasFoundShowsAtOnceAndIsTakenBackWhenItFails() async throws {
    let fails = Mutex(false)
    let bench = SearchBench { request in
      if request.target.hasSuffix("/follow") {
        if fails.withLock({ $0 }) { return try ScriptedTransport.problem(.unavailable) }
        return try ScriptedTransport.json(FollowState(following: request.method == "PUT", followers: 8))
      }
      guard request.target.hasPrefix("/api/v1/search/people") else { return nil }
      return try ScriptedTransport.json(
        FoundPersonPage(
          items: [
            FoundPerson(
              author: Author(id: "a", handle: "ann", name: "Ann"), followers: 7, following: false)
          ], nextCursor: nil))
    }
    bench.model.ask("ann", .people)
    let people = bench.model.people
    await people.list.begin()
    await people.toggle(people.list.items[0])
    #expect(people.list.items[0].following && people.list.items[0].followers == 8)
    fails.withLock { $0 = true }
    await people.toggle(people.list.items[0])
    #expect(people.list.items[0].following && !bench.feed.notices.isEmpty)
    await bench.feed.end()
  }
}

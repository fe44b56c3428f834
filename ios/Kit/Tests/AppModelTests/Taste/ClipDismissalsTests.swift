import Contract
import CoreTypes
import Foundation
import Playback
import PlaybackTesting
import Testing

@testable import AppModel

@MainActor @Suite struct ClipDismissalsTests {
  private nonisolated static func clip(
    _ id: String, by author: String, tags: [String] = [], sound: String? = nil
  ) -> Clip {
    var clip = sampleClip(id)
    clip.author = Author(id: author, handle: author, name: author.capitalized)
    clip.tags = tags
    clip.soundId = sound
    return clip
  }

  /// For you has two clips of Ann's, the first with a sound that the last clip has too, the second with a tag
  /// that one of Bob's has too.
  private func bench(refuses: Bool = false) async -> FeedBench {
    let bench = FeedBench { request in
      if request.target.hasPrefix("/api/v1/taste/dismissals") {
        if refuses { return try ScriptedTransport.problem(.unavailable) }
        return WireResponse(status: 204, headers: [:], body: Data())
      }
      guard request.target.contains("/feed?") else { return nil }
      return try ScriptedTransport.json(
        FeedPage(
          items: [
            Self.clip("a", by: "ann", sound: "s1"), Self.clip("b", by: "ann", tags: ["Pier"]),
            Self.clip("c", by: "bob", tags: ["pier"]), Self.clip("d", by: "cy", sound: "s1"),
          ], nextCursor: nil))
    }
    bench.start()
    _ = await eventually { bench.model.currentClip?.id == "a" }
    return bench
  }

  private func ids(_ bench: FeedBench) -> [String] {
    let feed = bench.assembly.host.feed
    return feed.list.order.compactMap { feed.clip($0)?.clip.id }
  }

  @Test func anAuthorsClipsLeaveForYouAtOnceAndComeBackWithTheirOwn() async throws {
    let bench = await bench()
    bench.model.choose(.less(Dismissal(.author, "ann"), name: "@ann"))
    // What is on the screen goes by itself.
    #expect(ids(bench) == ["a", "c", "d"])
    bench.advance(by: 5_000)
    #expect(bench.model.currentClip?.id == "c")
    await bench.assembly.dismissals.settled()
    let sent = try #require(bench.transport.requests.last { $0.method == "POST" })
    #expect(sent.target == "/api/v1/taste/dismissals")
    #expect(try WireCoding.decode(Dismissal.self, from: sent.body ?? Data()) == Dismissal(.author, "ann"))
    let undo = try #require(bench.announcements.waiting.last?.action)
    #expect(bench.announcements.waiting.last?.text == Sentence("For you shows less of %@.", "@ann"))
    undo.run()
    await bench.assembly.dismissals.settled()
    bench.advance(by: 5_000)
    #expect(ids(bench) == ["a", "b", "c", "d"] && bench.model.currentClip?.id == "a")
    #expect(
      bench.transport.calls.last { $0.hasPrefix("DELETE") }
        == "DELETE /api/v1/taste/dismissals?kind=author&subject=ann")
    await bench.end()
  }

  @Test func aTagIsMeantInEverySpelling() async {
    let bench = await bench()
    bench.model.choose(.less(Dismissal(.tag, "PIER"), name: "#PIER"))
    #expect(ids(bench) == ["a", "d"])
    await bench.end()
  }

  @Test func aSoundsClipsLeaveForYouAtOnceAndComeBack() async throws {
    let bench = await bench()
    #expect(bench.model.why?.choices.contains(.lessOfSound("s1")) == true)
    bench.model.choose(.lessOfSound("s1"))
    // What is on the screen goes by itself.
    #expect(ids(bench) == ["a", "b", "c"])
    bench.advance(by: 5_000)
    #expect(bench.model.currentClip?.id == "b")
    await bench.assembly.dismissals.settled()
    let sent = try #require(bench.transport.requests.last { $0.method == "POST" })
    #expect(try WireCoding.decode(Dismissal.self, from: sent.body ?? Data()) == Dismissal(.sound, "s1"))
    #expect(bench.announcements.waiting.last?.text == "For you shows less of this sound.")
    try #require(bench.announcements.waiting.last?.action).run()
    await bench.assembly.dismissals.settled()
    bench.advance(by: 5_000)
    #expect(ids(bench) == ["a", "b", "c", "d"] && bench.model.currentClip?.id == "a")
    #expect(
      bench.transport.calls.last { $0.hasPrefix("DELETE") }
        == "DELETE /api/v1/taste/dismissals?kind=sound&subject=s1")
    await bench.end()
  }

  @Test func aWishThatIsNotTakenIsTakenBackAndSaid() async {
    let bench = await bench(refuses: true)
    bench.model.choose(.less(Dismissal(.author, "ann"), name: "@ann"))
    await bench.assembly.dismissals.settled()
    #expect(ids(bench) == ["a", "b", "c", "d"])
    #expect(bench.notices.last?.key == "This was not saved. %@")
    await bench.end()
  }

  @Test func notInterestedIsAboutTheClipAlone() async throws {
    let bench = await bench()
    bench.model.choose(.notInterested)
    bench.advance(by: 5_000)
    #expect(bench.model.currentClip?.id == "b" && ids(bench).count == 4)
    await bench.assembly.dismissals.settled()
    let sent = try #require(bench.transport.requests.last { $0.method == "POST" })
    #expect(try WireCoding.decode(Dismissal.self, from: sent.body ?? Data()) == Dismissal(.clip, "a"))
    await bench.end()
  }
}

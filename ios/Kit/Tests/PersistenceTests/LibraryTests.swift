import Contract
import Foundation
import Persistence
import Testing

@Suite final class LibraryTests {
  private let root = FileManager.default.temporaryDirectory.appending(path: "library-\(UUID().uuidString)")

  deinit { try? FileManager.default.removeItem(at: root) }

  private let now = Date(timeIntervalSince1970: 1_800_000_000)

  private func clip(_ id: String) -> Clip {
    Clip(
      id: id, caption: "ein Wort \u{1F980}", createdAt: Date(timeIntervalSince1970: 1), author: .guest("g"),
      counts: Counts(reactions: ["heart_eyes": 2]), width: 1, height: 2,
      poster: Poster(url: "/p", width: 1, height: 2, placeholder: ""),
      playback: Playback(durationMs: 1_000, hlsUrl: "/h", renditions: []))
  }

  @Test func bringsBackWhatWasSaved() throws {
    let feed = try #require(LastFeed((0..<9).map { clip("\($0)") }, at: now))
    #expect(Library(root: root).lastFeed.save(feed))
    #expect(Library(root: root).lastFeed.load() == feed)
    #expect(feed.clips.count == 6)
    #expect(feed.clips(returns: true, at: now).first?.id == "0")
    #expect(feed.clips(returns: false, at: now).first?.id == "1")
    #expect(feed.clips(returns: true, at: now.addingTimeInterval(8 * 86_400)).isEmpty)
    #expect(LastFeed([], at: now) == nil)
    // Of a tab they are for that tab; of a time without tabs for whichever.
    #expect(feed.clips(returns: true, of: .following, at: now).count == 6)
    let latest = try #require(LastFeed([clip("0")], of: .latest, at: now))
    #expect(latest.clips(returns: true, of: .latest, at: now).count == 1)
    #expect(latest.clips(returns: true, of: .forYou, at: now).isEmpty)
  }

  @Test func aFileThatIsNotAsItWasWrittenIsNothing() throws {
    let file = StoredFile<[String]>(root.appending(path: "words"))
    #expect(file.load() == nil)
    #expect(file.save(["a", "b"]))
    let url = root.appending(path: "words")
    let whole = try Data(contentsOf: url)
    for bit in 0..<whole.count * 8 {
      var flipped = whole
      flipped[bit / 8] ^= 1 << (bit % 8)
      try flipped.write(to: url)
      #expect(file.load() == nil, "bit \(bit)")
    }
    for length in 0..<whole.count {
      try whole.prefix(length).write(to: url)
      #expect(file.load() == nil, "\(length) bytes")
    }
    try whole.write(to: url)
    #expect(file.load() == ["a", "b"])
    #expect(StoredFile<[Int]>(url).load() == nil)
    #expect(StoredFile<[String]>(url, version: 2).load() == nil)
    file.remove()
    #expect(file.load() == nil)
  }

  @Test func leavesNoScratchBehindAndKeepsWhatWasThereWhenItCannotWrite() throws {
    let file = StoredFile<[String]>(root.appending(path: "words"))
    #expect(file.save(["a"]))
    #expect(file.save(["b"]))
    #expect(try FileManager.default.contentsOfDirectory(atPath: root.path) == ["words"])
    // What a kill left of it, and what is another file's.
    for name in [".words.1.left", ".other.1.left"] {
      try Data("x".utf8).write(to: root.appending(path: name))
    }
    #expect(file.save(["b"]))
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: root.path).sorted() == [".other.1.left", "words"])
    let impossible = StoredFile<[String]>(root.appending(path: "words/below a file"))
    #expect(!impossible.save(["c"]))
    #expect(file.load() == ["b"])
  }

  @Test func keepsOneDraftForEachPlace() {
    var drafts = Drafts()
    drafts["a"] = Draft(place: "a", text: "one")
    drafts["a"] = Draft(place: "a", text: "two", tried: [TriedText(text: "t", key: "k")])
    drafts["b"] = Draft(place: "b", text: "x")
    #expect(drafts["a"]?.text == "two")
    #expect(drafts.all.count == 2)
    drafts["a"] = Draft(place: "a")
    #expect(drafts.all == [Draft(place: "b", text: "x")])
    for number in 0..<300 { drafts["\(number)"] = Draft(place: "\(number)", text: "t") }
    #expect(drafts.all.count == Drafts.most)
    #expect(drafts["b"] == nil)
  }

  @Test func whatIsOnItsWayIsNotForgottenForNewDrafts() {
    var drafts = Drafts()
    drafts["a"] = Draft(place: "a", away: [TriedText(text: "hello", key: "k")])
    for number in 0..<300 { drafts["\(number)"] = Draft(place: "\(number)", text: "t") }
    #expect(drafts["a"]?.away.map(\.text) == ["hello"])
  }

  @MainActor @Test func writesTheLastValueInTheEndAndInTheOrderInWhichTheyCame() async {
    let file = StoredFile<[Int]>(root.appending(path: "numbers"))
    let behind = WriteBehind(file)
    for number in 1...100 { behind.save([number]) }
    await behind.settled()
    #expect(file.load() == [100])
    behind.save(nil)
    await behind.settled()
    #expect(file.load() == nil)
  }
}

import Accounts
import Contract
import Foundation
import Platform
import Social
import Testing
import Videos

@testable import Composition
@testable import PlatformTesting
@testable import Search
@testable import ServerTesting

/// Sounds that are found by the words of the first clip that has them.
@Suite(.everyEngine) struct SearchSoundTests {
  private let bench: TestInstance
  private let search: SearchStore
  private let accounts: Accounts

  init() async throws {
    bench = try await TestInstance()
    search = try await bench.instance.search(.open)
    accounts = try await bench.instance.accounts(hashing: CountingPasswords())
  }

  private func signUp(_ handle: String) async throws -> String {
    try await accounts.signUp(NewAccount(handle), guest: nil, client: "").account.id
  }

  private func found(_ text: String, for viewer: String? = nil) async throws -> [FoundSound] {
    try await search.sounds(text, cursor: nil, limit: 50, for: viewer).items
  }

  private func ids(_ text: String, for viewer: String? = nil) async throws -> [String] {
    try await found(text, for: viewer).map(\.id)
  }

  private func write(_ work: @escaping @Sendable (ClipStore, any Transaction) throws -> Void) async throws {
    let clips = bench.instance.clips
    try await bench.instance.database.write { try work(clips, $0) }
  }

  /// Clips with a sound, the first first.
  private func publish(
    _ captions: [String], _ sound: String, by author: String? = nil
  ) async throws -> [String] {
    var clips: [String] = []
    for caption in captions { clips.append(try await bench.publishBare(caption, by: author)) }
    try await bench.setSound(sound, of: clips)
    return clips
  }

  @Test func aSoundIsFoundByTheWordsOfItsFirstClip() async throws {
    let ada = try await signUp("ada")
    let first = try await bench.publishBare("harbour at dawn #pier", by: ada)
    let second = try await bench.publishBare("something else #wave")
    try await bench.setSound("tide", of: [second, first])
    for word in ["harbour", "HARB", "harbuor", "pier", "ada", "dawn harbour"] {
      #expect(try await ids(word) == ["tide"], "\(word)")
    }
    for word in ["something", "wave", "me", "tide"] { #expect(try await ids(word) == [], "\(word)") }
    let clip = try #require(try await search.clips("harbour", cursor: nil, limit: 1, for: nil).clips.first)
    let sound = FoundSound(
      id: "tide", clips: 2, author: clip.author, caption: clip.caption, poster: clip.poster)
    #expect(try await found("harbour") == [sound] && clip.author.handle == "ada" && clip.soundId == "tide")
    // Neither a clip nor a word of one is found by it.
    #expect(try await search.suggestions("tid", for: nil).items == [])
  }

  @Test func whatOneClipAloneHasIsNotFound() async throws {
    let clips = try await publish(["harbour", "quay", "dock"], "tide")
    func words() async throws -> [String] {
      var words: [String] = []
      for word in ["harbour", "quay", "dock"] {
        if try await !ids(word).isEmpty { words.append(word) }
      }
      return words
    }
    #expect(try await words() == ["harbour"])
    try await bench.instance.clips.setVisibility(of: clips[0], to: .unlisted)
    #expect(try await words() == ["quay"])
    #expect(try await found("quay").map(\.clips) == [2])
    try await write { try $0.remove(clips[2], in: $1) }
    #expect(try await words() == [])
    try await write { try $0.restore(clips[2], in: $1) }
    #expect(try await words() == ["quay"])
    try await bench.instance.clips.setVisibility(of: clips[0], to: .public)
    #expect(try await words() == ["harbour"])
    #expect(try await found("harbour").map(\.clips) == [3])
    // Moderators limit its reach: it makes nothing known any more.
    try await write { _ = try $0.limitReach(of: clips[0], in: $1) }
    #expect(try await words() == ["quay"])
    try await write { try $0.liftReachLimit(of: clips[0], in: $1) }
    #expect(try await words() == ["harbour"])
    try await bench.setSound("another", of: [clips[0]])
    #expect(try await words() == ["quay"])
    for clip in clips { try await write { try $0.delete(clip, in: $1) } }
    #expect(try await words() == [])
    #expect(try await bench.count("search_sounds") == 0)
    // The author of the imports is left.
    #expect(try await bench.count("search_entries") == 1)
  }

  @Test func otherWordsOfTheFirstClipFindItAndTheOldOnesDoNot() async throws {
    let clips = try await publish(["harbour", "quay"], "tide")
    try await write {
      _ = try $0.describe(clips[0], caption: "dock", tags: ["dawn"], visibility: nil, in: $1)
      _ = try $0.describe(clips[1], caption: "wave", tags: nil, visibility: nil, in: $1)
    }
    #expect(try await ids("harbour") == [])
    #expect(try await found("dock").map(\.caption) == ["dock"])
    #expect(try await ids("dawn") == ["tide"])
    #expect(try await ids("wave") == [])
  }

  @Test func theBestKnownComeFirstThenTheNewest() async throws {
    for (sound, count) in [("0190-a", 2), ("0190-b", 12), ("0190-c", 2)] {
      _ = try await publish((0..<count).map { "harbour \($0) of \(sound)" }, sound)
    }
    #expect(try await ids("harbour") == ["0190-b", "0190-c", "0190-a"])
    for limit in 1...3 {
      var shown: [String] = []
      var cursor: String?
      repeat {
        let page = try await search.sounds("harbour", cursor: cursor, limit: limit, for: nil)
        #expect(page.items.count <= limit)
        shown += page.items.map(\.id)
        cursor = page.nextCursor
        if let cursor {
          await #expect(throws: AppError(.invalidCursor)) {
            try await search.sounds("quay", cursor: cursor, limit: 1, for: nil)
          }
          await #expect(throws: AppError(.invalidCursor)) {
            try await search.tags("harbour", cursor: cursor, limit: 1)
          }
        }
      } while cursor != nil
      #expect(shown == ["0190-b", "0190-c", "0190-a"])
    }
  }

  // MARK: Who finds what

  @Test func whoMayNotSeeTheFirstClipDoesNotFindTheSound() async throws {
    let (ada, bob) = (try await signUp("ada"), try await signUp("bob"))
    let ofAda = try await publish(["harbour", "dock"], "tide", by: ada)
    _ = try await publish(["quay"], "tide", by: bob)
    _ = try await publish(["harbour by night", "night"], "dawn", by: bob)
    let social = try await bench.instance.social(.open)
    _ = try await social.block(ada, by: "viewer")
    #expect(try await ids("harbour", for: "viewer") == ["dawn"])
    #expect(try await ids("ada", for: "viewer") == [])
    // Whoever was blocked finds as little, though a clip of theirs has the sound.
    _ = try await social.block(bob, by: ada)
    #expect(try await ids("harbour", for: bob) == ["dawn"])
    #expect(try await ids("ada", for: bob) == [])
    #expect(try await found("harbour").map(\.author.handle) == ["ada", "bob"])
    #expect(try await found("ada").map(\.clips) == [3])
    _ = try await social.unblock(ada, by: "viewer")
    #expect(try await ids("harbour", for: "viewer") == ["tide", "dawn"])
    // For adults alone, as its moderators say.
    try await write { _ = try $0.limitAge(of: ofAda[0], in: $1) }
    for viewer in [nil, "viewer"] {
      #expect(try await ids("harbour", for: viewer) == ["dawn"])
      for word in ["ada", "dock", "quay"] { #expect(try await ids(word, for: viewer) == [], "\(word)") }
    }
    #expect(try await found("ada", for: ada).map(\.caption) == ["harbour"])
  }

  @Test func pagesGoOnBehindSoundsThatAreLeftOut() async throws {
    let ada = try await signUp("ada")
    // From the newest to the oldest, as they are shown: some at the beginning, between others and at the end.
    let sounds = ["i", "h", "g", "f", "e", "d", "c", "b", "a"]
    let ofAda: Set = ["i", "h", "f", "d", "c", "a"]
    for sound in sounds.reversed() {
      let captions = (0..<2).map { "harbour \($0) of \(sound)" }
      _ = try await publish(captions, sound, by: ofAda.contains(sound) ? ada : nil)
    }
    _ = try await bench.instance.social(.open).block(ada, by: "viewer")
    for (viewer, expected) in [(nil, sounds), ("viewer", ["g", "e", "b"])] as [(String?, [String])] {
      for limit in 1...4 {
        var shown: [String] = []
        var cursor: String?
        repeat {
          let page = try await search.sounds("harbour", cursor: cursor, limit: limit, for: viewer)
          #expect(page.items.count <= limit)
          shown += page.items.map(\.id)
          cursor = page.nextCursor
        } while cursor != nil
        #expect(shown == expected, "\(limit)")
      }
    }
  }

  // MARK: What the index keeps

  @Test func whatIsRolledBackLeavesNothing() async throws {
    struct Undone: Error {}
    let clips = try await publish(["harbour", "quay"], "tide")
    let other = try await bench.publishBare("dock")
    for work in [
      { try $0.setSound("tide", of: other, in: $1) }, { try $0.setSound(nil, of: clips[0], in: $1) },
      { try $0.delete(clips[0], in: $1) },
    ] as [@Sendable (ClipStore, any Transaction) throws -> Void] {
      await #expect(throws: Undone.self) {
        try await write {
          try work($0, $1)
          throw Undone()
        }
      }
      #expect(try await found("harbour").map(\.clips) == [2])
      #expect(try await ids("quay") == [])
    }
  }

  @Test func manyThatGetASoundAtOnceAreAllCounted() async throws {
    let instance = bench
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<24 {
        group.addTask {
          let id = try await instance.publishBare("harbour \(number)")
          try await instance.setSound("sound-\(number % 3)", of: [id])
        }
      }
      try await group.waitForAll()
    }
    let sounds = try await found("harbour")
    #expect(sounds.count == 3 && sounds.allSatisfy { $0.clips == 8 })
    // Each by the words of whichever clip was made first.
    for sound in sounds {
      let first = try await bench.instance.database.read {
        try $0.query(
          "SELECT caption FROM clips WHERE sound_id = ? ORDER BY id LIMIT 1", [.text(sound.id)])[0]
          .text("caption")
      }
      #expect(sound.caption == first)
    }
  }
}

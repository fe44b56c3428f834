import Accounts
import Contract
import Feed
import Foundation
import Platform
import Social
import Testing
import Videos

@testable import Composition
@testable import PlatformTesting
@testable import Recommendations
@testable import ServerTesting

/// What rises comes first before those who read its language.
@Suite(.everyEngine) struct LanguageFeedTests {
  private let bench: TestInstance
  private let feed: FeedStore

  /// By a clock that stands still: the orders for strangers are kept for a while.
  init() async throws {
    bench = try await TestInstance()
    feed = try await bench.instance.feed(
      ordering: bench.instance.patientRanking(), time: TestTime(ms: SystemTime().nowMs))
  }

  /// Clips that some like, each of another author, since few of one stand on a page.
  private func publishLiked(_ count: Int, in language: String) async throws -> Set<String> {
    let accounts = try await bench.instance.accounts(hashing: CountingPasswords())
    let social = try await bench.instance.social(.open)
    var clips: Set<String> = []
    for number in 0..<count {
      let author = try await accounts.signUp(
        NewAccount("writer.\(language)\(number)"), guest: nil, client: ""
      ).account.id
      let clip = try await bench.publishBare("\(language) \(number)", by: author)
      try await bench.instance.database.write { [bench] in
        try bench.instance.clips.setLanguage(language, of: clip, in: $0)
      }
      for other in 0..<5 { _ = try await social.like(clip, by: "other \(other)") }
      clips.insert(clip)
    }
    return clips
  }

  @Test func whoeverReadsALanguageGetsWhatRisesInItFirst() async throws {
    let german = try await publishLiked(3, in: "de")
    let english = try await publishLiked(2, in: "en")
    // Which languages there are is known with the first page.
    _ = try await feed.forYou(cursor: nil, limit: 5, for: nil)
    #expect(feed.hasFront(in: "de", 5) && feed.hasFront(in: "en", 5))
    #expect(!feed.hasFront(in: "fr", 5))
    // Of lengths that nobody begins with there would be too many.
    #expect(!feed.hasFront(in: "de", 6))
    for (language, own) in [("de", german), ("en", english)] {
      for viewer in [nil, "reader of \(language)"] {
        let page = try await feed.forYou(cursor: nil, limit: 5, for: viewer, language: language)
        #expect(Set(page.items.map(\.id)) == german.union(english))
        // A place may belong to the lot, or to a new clip.
        let rising = page.items.filter { $0.reason?.kind == .trending }.map(\.id)
        let mine = rising.prefix { own.contains($0) }
        #expect(!mine.isEmpty && own.isDisjoint(with: rising.dropFirst(mine.count)))
      }
    }
  }

  @Test func languagesOfWhichThereIsNothingShareOnePage() async throws {
    _ = try await publishLiked(5, in: "de")
    let shared = try await feed.forYou(cursor: nil, limit: 5, for: nil)
    let own = try await feed.forYou(cursor: nil, limit: 5, for: nil, language: "de")
    let rows = try await bench.count("shown_clips")
    for language in ["fr", "xx", "abc", nil] {
      let page = try await feed.forYou(cursor: nil, limit: 5, for: nil, language: language)
      #expect(page.items.map(\.id) == shared.items.map(\.id))
      #expect(page.items.map(\.reason) == shared.items.map(\.reason))
    }
    let again = try await feed.forYou(cursor: nil, limit: 5, for: nil, language: "de")
    #expect(again.items.map(\.id) == own.items.map(\.id))
    // Nothing of it is written down once more.
    #expect(try await bench.count("shown_clips") == rows)
  }

  @Test func theListOfWhatRisesHasTheirLanguageFirst() async throws {
    let german = try await publishLiked(5, in: "de")
    let english = try await publishLiked(2, in: "en")
    let ranking = bench.instance.recommendations(on: bench.instance.database)
    let lists = ListedClips(feed: feed)
    for (language, own, other) in [("de", german, english), ("en", english, german)] {
      let rising = try await ranking.trending(for: nil, language: language, as: lists).items.map(\.id)
      let first = rising.prefix(own.count)
      #expect(Set(first) == own && Set(rising.dropFirst(own.count)) == other)
    }
  }

  @Test func anAnswerThatHangsOnTheLanguageSaysSo() async throws {
    try await bench.publishBare("one")
    try await bench.serving { server in
      let feed = Route.feed.path()
      for (path, isByLanguage) in [
        ("\(feed)?tab=for_you", true), ("\(feed)?tab=for_you&limit=1", true), (Route.trending.path(), true),
        (feed, false), ("\(feed)?tab=following", false),
      ] {
        for headers in [[:], ["accept-language": "de"], ["cache-control": "no-cache"]] as [[String: String]] {
          let answer = try await server.send(WireRequest("GET", path, headers: headers))
          #expect(answer.status == 200)
          let names = (answer.headers["vary"] ?? "").split(separator: ",").map {
            $0.trimmingCharacters(in: .whitespaces)
          }
          #expect(names.contains("Accept-Language") == isByLanguage, "\(path)")
          #expect(names.contains("Accept-Encoding") && Set(names).count == names.count, "\(path)")
        }
      }
    }
  }
}

import Accounts
import Comments
import Contract
import Foundation
import Platform
import Social
import Testing

@testable import Composition
@testable import Live
@testable import PlatformTesting
@testable import ServerTesting

/// Who hears of a comment.
@Suite(.everyEngine) struct CommentNoticeTests {
  private let bench: TestInstance
  private let comments: CommentStore
  private let told = Shared<[String]>([])
  private let people: [String: String]
  private let clip: String

  private struct Noted: LiveNotices {
    let told: Shared<[String]>

    func append(to account: String, _ notice: LiveNotice, in transaction: any Transaction) -> Bool {
      told.with { $0.append("\(account) \(notice.kind) \(notice.subject ?? "")") }
      return true
    }
  }

  init() async throws {
    bench = try await TestInstance()
    comments = try await bench.instance.comments(.open, notices: SocialNews(live: Noted(told: told)))
    let accounts = try await bench.instance.accounts(hashing: CountingPasswords())
    var people: [String: String] = [:]
    for handle in ["ada", "bob", "cleo"] + (0..<12).map({ "friend\($0)" }) {
      people[handle] = try await accounts.signUp(NewAccount(handle), guest: nil, client: "").account.id
    }
    self.people = people
    clip = try await bench.publishBare("clip", by: people["ada"])
  }

  private func id(_ handle: String) -> String { people[handle] ?? "" }

  /// Writes, and says who heard of it as what.
  private func news(
    _ text: String, to comment: String? = nil, by handle: String? = nil, on other: String? = nil
  ) async throws -> (id: String, told: [String]) {
    let made = try await comments.add(
      text, to: other ?? clip, replyTo: comment, by: handle.map(id), guest: handle == nil ? "guest" : nil,
      idempotencyKey: UUID().uuidString)
    let handles = Dictionary(uniqueKeysWithValues: people.map { ($1, $0) })
    let news = told.with { told in
      defer { told = [] }
      return told.map { $0.split(separator: " ").map(String.init) }
    }
    #expect(news.allSatisfy { $0.last == made.id })
    return (made.id, news.map { "\($0[1]) \(handles[$0[0]] ?? "somebody")" })
  }

  @Test func whoseClipItIsHearsOfAComment() async throws {
    #expect(try await news("hello", by: "bob").told == ["comment ada"])
    #expect(try await news("hello").told == ["comment ada"])
    #expect(try await news("my own", by: "ada").told == [])
  }

  @Test func whoIsAnsweredHearsOfAReply() async throws {
    let first = try await news("first", by: "bob").id
    let answer = try await news("answer", to: first, by: "cleo")
    #expect(answer.told == ["reply bob", "comment ada"])
    // Both whose answer it is and under whose comment it hangs.
    #expect(try await news("again", to: answer.id, by: "ada").told == ["reply cleo", "reply bob"])
    #expect(try await news("to myself", to: first, by: "bob").told == ["comment ada"])
    // A guest has no place to hear of it.
    let unnamed = try await news("from a guest").id
    #expect(try await news("yes", to: unnamed, by: "bob").told == ["comment ada"])
  }

  @Test func whoIsNamedHearsOfAMentionAndEachHearsOnce() async throws {
    #expect(
      try await news("@Cleo, @cleo and @nobody_here: a@ada.org", by: "bob").told == [
        "mention cleo", "comment ada",
      ])
    #expect(try await news("@ada look", by: "bob").told == ["mention ada"])
    let first = try await news("first", by: "bob").id
    #expect(try await news("@bob @cleo @ada", to: first, by: "cleo").told == ["reply bob", "mention ada"])
    #expect(try await news("@guest", by: "ada").told == [])
  }

  @Test func noMoreThanTenAreNamed() async throws {
    let text = (0..<12).map { "@friend\($0)" }.joined(separator: " ")
    let told = try await news("@friend0 @FRIEND0 " + text, by: "bob").told
    #expect(Set(told) == Set((0..<10).map { "mention friend\($0)" } + ["comment ada"]))
  }

  @Test func nobodyHearsOfWhoTheyAreKeptApartFrom() async throws {
    let social = try await bench.instance.social(.open)
    let first = try await news("first", by: "bob").id
    _ = try await social.block(id("cleo"), by: id("bob"))
    #expect(try await news("@cleo", by: "bob").told == ["comment ada"])
    #expect(try await news("@bob", by: "cleo").told == ["comment ada"])
    // Nor of a clip that they cannot see.
    _ = try await social.block(id("bob"), by: id("ada"))
    #expect(try await news("yes @bob", to: nil, by: "friend1").told == ["comment ada"])
    #expect(try await news("yes", to: first, by: "friend1").told == ["comment ada"])
  }

  @Test func aRepetitionIsNoNews() async throws {
    for _ in 0..<2 {
      _ = try await comments.add("once", to: clip, by: id("bob"), idempotencyKey: "the-same-key")
    }
    #expect(told.with { $0.count } == 1)
  }

  @Test func theLiveEventSaysWhichComment() async throws {
    let live = bench.instance.liveLog
    let store = try await bench.instance.comments(
      .open, notices: SocialNews(live: bench.instance.live(bus: nil)))
    let named = try await store.add("hi", to: clip, by: id("bob"), idempotencyKey: "of-an-account")
    let unnamed = try await store.add("hi", to: clip, guest: "guest", idempotencyKey: "of-a-guest")
    let events = try await live.events(of: id("ada"), from: .at(0), limit: 9)
    #expect(events.map(\.kind) == [LiveEvent.comment, LiveEvent.comment])
    #expect(events.map(\.commentId) == [named.id, unnamed.id] && events.map(\.clipId) == [clip, clip])
    #expect(events.map(\.actor?.handle) == ["bob", nil])
  }

  @Test func aClipOfNobodyWithAnAccountTellsNobody() async throws {
    let other = try await bench.publishBare("an import")
    #expect(try await news("hello", by: "bob", on: other).told == ["comment somebody"])
    try await bench.instance.database.write {
      try $0.execute("UPDATE authors SET handle = ? WHERE handle = 'me'", [.text(Author.guestHandle)])
    }
    #expect(try await news("hello", by: "bob", on: other).told == [])
  }
}

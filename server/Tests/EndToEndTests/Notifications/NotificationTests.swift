import Accounts
import Comments
import Contract
import Foundation
import Maintenance
import Moderation
import Platform
import Social
import Testing
import Uploads
import Videos

@testable import Composition
@testable import Live
@testable import Notifications
@testable import PlatformTesting
@testable import ServerTesting

/// The list of what happened to an account, on each database.
@Suite(.everyEngine) struct NotificationTests {
  private let bench: TestInstance
  private let clock = TestTime(ms: SystemTime().nowMs)
  private let accounts: Accounts
  private let store: NotificationStore
  private let social: SocialStore
  private let comments: CommentStore
  private let everywhere: NewsEverywhere
  private let ada: Viewer
  private let bob: Viewer
  private let cleo: Viewer

  init() async throws {
    bench = try await TestInstance()
    let instance = bench.instance
    accounts = try await instance.accounts(hashing: CountingPasswords(), time: clock)
    store = instance.notifications(on: instance.database, time: clock)
    everywhere = NewsEverywhere(
      live: instance.live(bus: nil), notifications: store, devices: instance.devices(time: clock),
      webhooks: instance.webhooks(time: clock))
    let news = SocialNews(live: everywhere)
    social = instance.social(on: instance.database, notices: news, time: clock)
    comments = CommentStore(
      database: instance.database, time: clock,
      clips: OwnedClips(uploads: instance.uploads(UploadRules(), time: clock), clips: instance.clips),
      cursorKeys: TokenKeys(secret: ""), state: .open, blocking: Blocks(), follows: ViewerMarks(),
      notices: news)
    ada = try await accounts.join("ada")
    bob = try await accounts.join("bob")
    cleo = try await accounts.join("cleo")
  }

  private func page(
    of viewer: Viewer? = nil, cursor: String? = nil, limit: Int = 20
  ) async throws -> NotificationPage {
    try await store.page(of: (viewer ?? ada).id, cursor: cursor, limit: limit).page
  }

  /// `*` in front of what is new.
  private func told(_ viewer: Viewer? = nil) async throws -> [String] {
    try await page(of: viewer).items.map { entry in
      let people = entry.people.map(\.name).joined(separator: ",")
      let words = entry.comment.map { " '\($0.text)'" } ?? ""
      return
        "\(entry.isNew ? "*" : "")\(entry.kind) \(people)/\(entry.count)\(words) \(entry.clip?.caption ?? "")"
    }
  }

  private func see(_ viewer: Viewer? = nil) async throws -> Int {
    let mark = try await page(of: viewer).mark
    return try await store.markSeen(upTo: mark, by: (viewer ?? ada).id).unseen
  }

  private func unseen(_ viewer: Viewer? = nil) async throws -> Int {
    try await store.unseen(of: (viewer ?? ada).id).unseen
  }

  @discardableResult
  private func say(
    _ text: String, on clip: String, to comment: ClipComment? = nil, by viewer: Viewer
  ) async throws -> ClipComment {
    clock.advance(ms: 10)
    return try await comments.add(
      text, to: clip, replyTo: comment?.id, by: viewer.accountID, guest: viewer.isGuest ? viewer.id : nil,
      idempotencyKey: "comment-of-\(text)")
  }

  private func like(_ clip: String, by viewer: Viewer) async throws {
    clock.advance(ms: 10)
    _ = try await social.like(clip, by: viewer.id)
  }

  // MARK: What is told as one

  @Test func likesOfAClipAreOneEntryThatMovesUpAndIsSeen() async throws {
    let (one, two) = (
      try await bench.publishBare("one", by: ada.id), try await bench.publishBare("two", by: ada.id)
    )
    try await like(one, by: bob)
    #expect(try await told() == ["*like bob/1 one"])
    #expect(try await unseen() == 1)
    #expect(try await see() == 0)
    #expect(try await told() == ["like bob/1 one"])
    try await like(two, by: bob)
    let before = try await page().items.map(\.id)
    clock.advance(ms: NotificationStore.quietMs)
    try await like(one, by: cleo)
    #expect(try await told() == ["*like cleo,bob/2 one", "*like bob/1 two"])
    #expect(try await page().items.map(\.id) == before.reversed(), "an entry keeps its id")
    #expect(try await unseen() == 2)
    // Twice is once, and what one does oneself is nothing.
    try await like(one, by: cleo)
    try await like(one, by: ada)
    #expect(try await told() == ["*like cleo,bob/2 one", "*like bob/1 two"])
    #expect(try await see() == 0)
  }

  @Test func aLikeThatIsTakenBackIsInNoEntry() async throws {
    let clip = try await bench.publishBare("one", by: ada.id)
    try await like(clip, by: bob)
    _ = try await see()
    try await like(clip, by: cleo)
    #expect(try await unseen() == 1)
    _ = try await social.unlike(clip, by: cleo.id)
    #expect(try await told() == ["like bob/1 one"], "who is left was seen")
    #expect(try await unseen() == 0)
    _ = try await social.unlike(clip, by: bob.id)
    #expect(try await told() == [])
  }

  @Test func guestsHaveNoNameAndAreNotCounted() async throws {
    let clip = try await bench.publishBare("one", by: ada.id)
    try await like(clip, by: Viewer(id: "a-guest", standing: .guest))
    #expect(try await told() == [])
    try await like(clip, by: bob)
    #expect(try await told() == ["*like bob/1 one"])
  }

  @Test func manyAreAHundredAndMoreAndThreeHaveNames() async throws {
    let clip = try await bench.publishBare("one", by: ada.id)
    let fans = try await (0..<5).asyncMap { try await accounts.join("fan\($0)") }
    for fan in fans { try await like(clip, by: fan) }
    #expect(try await told() == ["*like fan4,fan3,fan2/5 one"])
    try await bench.instance.database.write { [clock] transaction in
      for number in 0..<Limits.notificationPeople {
        try transaction.execute(
          "INSERT INTO authors (id, handle, name, created_at_ms) VALUES (?, ?, 'N', 0)",
          [.text("m\(number)"), .text("many\(number)")])
        try transaction.execute(
          "INSERT INTO likes (viewer_id, clip_id, id, created_at_ms) VALUES (?, ?, ?, ?)",
          [.text("m\(number)"), .text(clip), .text("i\(number)"), .integer(clock.nowMs)])
      }
    }
    #expect(try await page().items.first?.count == Limits.notificationPeople)
  }

  @Test func followersAreOneEntryForEachDay() async throws {
    // Noon, so that no day ends in between.
    clock.advance(ms: NotificationStore.dayMs - clock.nowMs % NotificationStore.dayMs + 43_200_000)
    _ = try await social.follow(ada.id, by: bob.id)
    clock.advance(ms: 5000)
    _ = try await social.follow(ada.id, by: cleo.id)
    clock.advance(ms: NotificationStore.dayMs)
    let dan = try await accounts.join("dan")
    _ = try await social.follow(ada.id, by: dan.id)
    #expect(try await told() == ["*follow dan/1 ", "*follow cleo,bob/2 "])
    _ = try await social.unfollow(ada.id, by: cleo.id)
    #expect(try await told() == ["*follow dan/1 ", "*follow bob/1 "])
  }

  @Test func ofACommentEachHearsOnceAndOfItsLikesInOneEntry() async throws {
    let clip = try await bench.publishBare("one", by: ada.id)
    let first = try await say("nice", on: clip, by: bob)
    let answer = try await say("thanks @cleo", on: clip, to: first, by: ada)
    #expect(try await told() == ["*comment bob/1 'nice' one"])
    #expect(try await told(bob) == ["*reply ada/1 'thanks @cleo' one"])
    #expect(try await told(cleo) == ["*mention ada/1 'thanks @cleo' one"])
    #expect(try await page(of: bob).items.first?.comment?.parentId == first.id)
    clock.advance(ms: 10)
    _ = try await comments.like(answer.id, by: bob.id)
    clock.advance(ms: 10)
    _ = try await comments.like(answer.id, by: cleo.id)
    _ = try await comments.like(answer.id, by: ada.id)
    #expect(
      try await told() == ["*comment_like cleo,bob/2 'thanks @cleo' one", "*comment bob/1 'nice' one"])
    _ = try await comments.unlike(answer.id, by: cleo.id)
    #expect(try await told().first == "*comment_like bob/1 'thanks @cleo' one")
    // A guest answers as one; on one's clip alone it is nobody's news.
    let guest = Viewer(id: "a-guest", standing: .guest)
    try await say("hello", on: clip, by: guest)
    try await say("me too", on: clip, to: first, by: guest)
    #expect(try await told().count == 2)
    #expect(try await told(bob).first == "*reply /1 'me too' one")
  }

  // MARK: What is gone

  @Test func whatIsGoneOrCannotBeSeenIsInNoEntry() async throws {
    let clip = try await bench.publishBare("one", by: ada.id)
    let comment = try await say("nice @cleo", on: clip, by: bob)
    try await like(clip, by: bob)
    #expect(try await told().count == 2)
    #expect(try await told(cleo).count == 1)
    // Private: still whose it is sees it, and nobody else.
    try await bench.instance.database.write { [clips = bench.instance.clips] in
      _ = try clips.describe(clip, caption: nil, tags: nil, visibility: .private, in: $0)
    }
    #expect(try await told() == ["*like bob/1 one"])
    #expect(try await told(cleo) == [])
    #expect(try await unseen(cleo) == 0)
    try await bench.instance.database.write { [clips = bench.instance.clips] in
      _ = try clips.describe(clip, caption: nil, tags: nil, visibility: .public, in: $0)
    }
    try await comments.delete(comment.id, by: bob.id)
    #expect(try await told() == ["*like bob/1 one"])
    try await bench.instance.database.write { [clips = bench.instance.clips] in
      try clips.remove(clip, in: $0)
    }
    #expect(try await told() == [])
    try await bench.instance.database.write { [clips = bench.instance.clips] in
      try clips.restore(clip, in: $0)
    }
    #expect(try await told() == ["*like bob/1 one"])
    try await bench.instance.database.write { [clips = bench.instance.clips] in
      try clips.delete(clip, in: $0)
    }
    #expect(try await told() == [])
    #expect(try await unseen() == 0)
  }

  @Test(arguments: [true, false]) func nobodyHearsOfSomebodyBlocked(isByReader: Bool) async throws {
    let clip = try await bench.publishBare("one", by: ada.id)
    try await like(clip, by: bob)
    try await like(clip, by: cleo)
    _ = try await social.follow(ada.id, by: bob.id)
    let own = try await say("mine", on: clip, by: ada)
    _ = try await comments.like(own.id, by: bob.id)
    try await say("nice", on: clip, by: bob)
    #expect(try await told().count == 4)
    _ =
      isByReader
      ? try await social.block(bob.id, by: ada.id) : try await social.block(ada.id, by: bob.id)
    #expect(try await told() == ["*like cleo/1 one"])
    #expect(try await unseen() == 1)
    _ =
      isByReader
      ? try await social.unblock(bob.id, by: ada.id) : try await social.unblock(ada.id, by: bob.id)
    #expect(try await told().contains("*like cleo,bob/2 one"))
  }

  @Test func whoDeletesTheirAccountIsInNoEntryAndLeavesNone() async throws {
    let clip = try await bench.publishBare("one", by: ada.id)
    try await like(clip, by: bob)
    try await say("nice @cleo", on: clip, by: bob)
    _ = try await see(cleo)
    try await accounts.delete(bob.id, AccountDeletion(password: NewAccount("bob").password))
    #expect(try await told() == [])
    #expect(try await told(cleo) == [])
    try await accounts.delete(cleo.id, AccountDeletion(password: NewAccount("cleo").password))
    try await accounts.delete(ada.id, AccountDeletion(password: NewAccount("ada").password))
    #expect(try await bench.count("notifications") == 0)
    #expect(try await bench.count("notification_readers") == 0)
  }

  // MARK: Clips on their way

  @Test func whoseClipItIsReadsWhatBecameOfIt() async throws {
    let clips = ClipsWithNews(
      clips: bench.instance.clips, news: everywhere, announcements: bench.instance.announcements(time: clock))
    let good = try await bench.publishBare("good", by: ada.id)
    let bad = try await bench.publishBare("bad", by: ada.id)
    let nobodys = try await bench.publishBare("nobody's")
    try await bench.instance.database.write { [clock] transaction in
      try transaction.execute("UPDATE clips SET state = 'processing'")
      for clip in [bad, nobodys] { try clips.refuse(clip, in: transaction) }
      clock.advance(ms: 10)
      try everywhere.tell(ada.id, published: good, well: true, in: transaction)
      try everywhere.tell(ada.id, published: good, well: true, in: transaction)
    }
    #expect(try await told() == ["*failed /0 bad"], "what cannot be watched is not told as published")
    try await bench.instance.database.write {
      _ = try $0.execute("UPDATE clips SET state = 'ready' WHERE id = ?", [.text(good)])
    }
    #expect(try await told() == ["*published /0 good", "*failed /0 bad"])
    #expect(try await page().items.map { $0.clip?.picture == nil } == [false, true])
  }

  // MARK: The list

  @Test func aListIsReadInPagesAndKeepsTheNewest() async throws {
    let clip = try await bench.publishBare("one", by: ada.id)
    for number in 0..<25 { try await say("c\(number)", on: clip, by: bob) }
    var (texts, cursor): ([String], String?) = ([], nil)
    repeat {
      let page = try await page(cursor: cursor, limit: 7)
      texts += page.items.compactMap(\.comment?.text)
      cursor = page.nextCursor
    } while cursor != nil
    #expect(texts == (0..<25).reversed().map { "c\($0)" })
    await #expect(throws: AppError(.invalidCursor)) { try await page(cursor: "x") }
    let others = try await page(limit: 1).nextCursor
    await #expect(throws: AppError(.invalidCursor)) { try await page(of: bob, cursor: others) }
    try await bench.instance.database.write { [store, ada, bob] transaction in
      for number in 0..<Limits.notifications {
        try store.note(
          .commented("made-up-\(number)", clip: clip, kind: LiveEvent.comment), to: ada.id, by: bob.id,
          in: transaction)
      }
    }
    #expect(try await bench.count("notifications") == Int64(Limits.notifications))
  }

  @Test func whatHappensWhileTheListIsLookedAtStaysNew() async throws {
    let clip = try await bench.publishBare("one", by: ada.id)
    try await say("first", on: clip, by: bob)
    let mark = try await page().mark
    try await say("second", on: clip, by: bob)
    #expect(try await store.markSeen(upTo: mark, by: ada.id).unseen == 1)
    #expect(try await told() == ["*comment bob/1 'second' one", "comment bob/1 'first' one"])
    // Nobody goes back, nor ahead of what there is.
    #expect(try await store.markSeen(upTo: "0", by: ada.id).unseen == 1)
    _ = try await store.markSeen(upTo: "999999999999999", by: ada.id)
    try await say("third", on: clip, by: bob)
    #expect(try await unseen() == 1)
  }

  // MARK: Decisions

  @Test func aDecisionIsToldAndSoIsTheAnswerToIt() async throws {
    let clip = try await bench.publishBare("one", by: ada.id)
    let instance = bench.instance
    let moderation = FeatureContext(
      instance, notices: SocialNews(live: everywhere), cursorKeys: try await instance.cursorKeys(),
      time: clock,
      accounts: accounts
    ).moderation
    func moderator(_ viewer: Viewer) -> Viewer {
      Viewer(id: viewer.id, standing: .account(session: "", role: .moderator))
    }
    _ = try await moderation.report(NewReport(kind: .clip, subjectID: clip, reason: .nudity), by: bob.id)
    let id = try #require(try await moderation.cases(.open, cursor: nil, limit: 1).items.first?.id)
    let file = try await moderation.decide(
      id, NewDecision(action: .ageLimit, reason: .nudity, statement: "for adults"), by: moderator(bob),
      idempotencyKey: "a-key-of-bob")
    let decision = try #require(file.decisions.first?.decision.id)
    #expect(try await told() == ["*decision /0 one"])
    let first = try #require(try await page().items.first)
    #expect(first.decision == NotificationDecision(id: decision, kind: .clip, action: .ageLimit))
    // Nobody else hears of it, and nobody who does not want to; no device does.
    #expect(try await told(bob) == [])
    #expect(try await bench.count("push_notices") == 0)

    clock.advance(ms: 10)
    _ = try await moderation.appeal(decision, NewAppeal(text: "it is not"), by: ada.id)
    _ = try await moderation.review(
      decision, DecisionReview(outcome: .reversed, statement: "right"), by: moderator(cleo))
    #expect(try await page().items.map { $0.decision?.outcome } == [.reversed, nil])
    #expect(try await unseen() == 2)
    let off = NotificationSettingsChange(items: [.init(kind: NotificationKind.decision, list: false)])
    _ = try await store.change(off, of: ada.id)
    #expect(try await told() == [])
  }

  // MARK: Settings

  @Test func whatIsSwitchedOffIsNotToldAndComesBack() async throws {
    let clip = try await bench.publishBare("one", by: ada.id)
    try await like(clip, by: bob)
    let off = NotificationSettingsChange(items: [.init(kind: NotificationKind.like, list: false)])
    #expect(try await store.change(off, of: ada.id).items.first?.list == false)
    #expect(try await told() == [])
    #expect(try await unseen() == 0)
    #expect(try await store.settings(of: ada.id).items.first?.push == true)
    let on = NotificationSettingsChange(items: [.init(kind: NotificationKind.like, list: true)])
    _ = try await store.change(on, of: ada.id)
    #expect(try await told() == ["*like bob/1 one"])
    #expect(try await store.settings(of: nil) == store.settings(of: bob.id))
  }

  @Test func manyOfAKindThatIsSwitchedOffHideNothingThatIsNew() async throws {
    let clip = try await bench.publishBare("one", by: ada.id)
    let off = NotificationSettingsChange(items: [.init(kind: NotificationKind.like, list: false)])
    _ = try await store.change(off, of: ada.id)
    try await say("nice", on: clip, by: bob)
    clock.advance(ms: 10)
    try await bench.instance.database.write { [store, ada, bob] transaction in
      for number in 0...Limits.unseenNotifications {
        try store.note(.liked(clip: "made-up-\(number)"), to: ada.id, by: bob.id, in: transaction)
      }
    }
    #expect(try await bench.count("notifications") == Int64(Limits.unseenNotifications) + 2)
    #expect(try await unseen() == 1)
    #expect(try await told() == ["*comment bob/1 'nice' one"])
    #expect(try await see() == 0)
  }

  @Test func aGuestsSettingsAreTheAccountsUnlessThatHasItsOwn() async throws {
    let guest = "guest-of-a-test"
    let off = NotificationSettingsChange(items: [.init(kind: NotificationKind.message, push: false)])
    _ = try await store.change(off, of: guest)
    _ = try await accounts.signIn(
      NewSession(handle: "ada", password: NewAccount("ada").password, transport: .token), guest: guest,
      client: "")
    #expect(try await store.settings(of: ada.id).items.first { $0.kind == "message" }?.push == false)
    #expect(try await bench.count("notification_readers") == 1)
  }

  // MARK: While the page is open

  @Test func whatNoOtherEventTellsOfIsHintedAt() async throws {
    let clip = try await bench.publishBare("one", by: ada.id)
    let comment = try await say("mine", on: clip, by: ada)
    _ = try await comments.like(comment.id, by: bob.id)
    let kinds = try await bench.instance.liveLog.events(of: ada.id, from: .at(0), limit: 10).map(\.kind)
    #expect(kinds == [LiveEvent.notification])
  }
}

import Accounts
import Contract
import Feed
import Foundation
import Platform
import Social
import Testing
import Videos
import Watching

@testable import Composition
@testable import PlatformTesting
@testable import Recommendations
@testable import ServerTesting

/// A feed that learns, on real databases.
@Suite(.everyEngine) struct ForYouTests {
  private let bench: TestInstance
  private let feed: FeedStore
  private let social: SocialStore
  private let ranking: RecommendationStore

  init() async throws {
    bench = try await TestInstance()
    feed = try await bench.instance.patientFeed()
    social = try await bench.instance.social(.open)
    ranking = bench.instance.recommendations(on: bench.instance.database)
  }

  /// Newest last, as many authors as clips if they are to have some of their own.
  private func publish(_ count: Int) async throws -> [String] {
    var clips: [String] = []
    for number in 0..<count { clips.append(try await bench.publishBare("clip \(number)")) }
    return clips
  }

  /// A process that waits for its order.
  private func patientRanking() -> RecommendationStore {
    let instance = bench.instance
    return RecommendationStore(
      database: instance.database, time: instance.time, blocking: Blocks(), state: instance.patientRanking())
  }

  private func walk(_ viewer: String?, by limit: Int, pages most: Int = 60) async throws -> [[String]] {
    var pages: [[String]] = []
    var cursor: String?
    repeat {
      let page = try await feed.forYou(cursor: cursor, limit: limit, for: viewer)
      pages.append(page.items.map(\.id))
      cursor = page.nextCursor
    } while cursor != nil && pages.count < most
    return pages
  }

  private func watch(_ clips: [String], _ viewer: String, ms: Int64 = 1000) async throws {
    let nowMs = SystemTime().nowMs
    for start in stride(from: 0, to: clips.count, by: 50) {
      let events = clips[start..<min(start + 50, clips.count)].map {
        WatchEvent(id: UUID().uuidString, clipID: $0, kind: .skip, atMs: nowMs, watchedMs: ms)
      }
      _ = try await bench.instance.watching().take(WatchEvents(events), of: viewer)
    }
  }

  @Test func theNextPageReflectsTheLastLike() async throws {
    let clips = try await publish(30)
    for other in 0..<6 {
      for clip in [3, 7] { _ = try await social.like(clips[clip], by: "other \(other)") }
    }
    _ = try await feed.forYou(cursor: nil, limit: 10, for: "me")
    _ = try await social.like(clips[3], by: "me")
    try await watch([clips[3]], "me")
    let page = try await feed.forYou(cursor: nil, limit: 10, for: "me")
    let found = try #require(page.items.first { $0.id == clips[7] })
    #expect(found.reason?.kind == .likedClip)
    #expect(found.reason?.clipId == clips[3])
    #expect(found.reason?.author?.handle == "me")
    #expect(!page.items.contains { $0.id == clips[3] })
  }

  /// Nobody else has liked anything: then nothing may be said of other people, nor of what resembles what.
  @Test func whatIsSaidIsTrueForTheFirstWhoLikesAnything() async throws {
    let clips = try await publish(14)
    for clip in [3, 7, 9] { _ = try await social.like(clips[clip], by: "me") }
    let page = try await feed.forYou(cursor: nil, limit: 10, for: "me")
    #expect(Set(page.items.map(\.id)).isDisjoint(with: [clips[3], clips[7], clips[9]]))
    let kinds = Set(page.items.compactMap(\.reason?.kind))
    #expect(kinds.isDisjoint(with: [.likedClip, .resembling, .trending, .followedAuthor, .likedTag]))
  }

  @Test func aWalkRepeatsNothingAndSkipsNothing() async throws {
    let clips = try await publish(45)
    for viewer in [nil, "me"] {
      let pages = try await walk(viewer, by: 7)
      let all = pages.flatMap { $0 }
      #expect(all.count == Set(all).count)
      #expect(Set(all) == Set(clips))
    }
  }

  @Test func anAnswerThatGotLostComesAgain() async throws {
    _ = try await publish(30)
    let first = try await feed.forYou(cursor: nil, limit: 5, for: "me")
    let second = try await feed.forYou(cursor: first.nextCursor, limit: 5, for: "me")
    let again = try await feed.forYou(cursor: first.nextCursor, limit: 5, for: "me")
    #expect(again.items.map(\.id) == second.items.map(\.id))
    #expect(again.items.map(\.reason?.kind) == second.items.map(\.reason?.kind))
    let third = try await feed.forYou(cursor: again.nextCursor, limit: 5, for: "me")
    #expect(Set(third.items.map(\.id)).isDisjoint(with: Set((first.items + second.items).map(\.id))))
  }

  @Test func whatWasSeenComesAgainWhenNothingNewIsLeft() async throws {
    let clips = try await publish(12)
    try await watch(Array(clips[0..<9]), "me")
    // What was seen in the millisecond in which a walk begins is of this walk.
    try await Self.pass()
    let page = try await feed.forYou(cursor: nil, limit: 10, for: "me")
    #expect(Set(page.items.prefix(3).map(\.id)) == Set(clips[9...]))
    #expect(page.items.dropFirst(3).allSatisfy { $0.viewer?.seen == true })
  }

  /// Until the clock shows another millisecond.
  private static func pass() async throws {
    let began = SystemTime().nowMs
    while SystemTime().nowMs == began { await Task.yield() }
  }

  @Test func nothingOfWhoIsBlockedNorWhatIsHiddenIsShown() async throws {
    let accounts = try await bench.instance.accounts(hashing: CountingPasswords())
    let ada = try await accounts.signUp(NewAccount("ada"), guest: nil, client: "").account.id
    let bob = try await accounts.signUp(NewAccount("bob"), guest: nil, client: "").account.id
    var blocked: [String] = []
    for number in 0..<8 { blocked.append(try await bench.publishBare("of ada \(number)", by: ada)) }
    let clips = try await publish(10)
    _ = try await social.block(ada, by: bob)
    try await bench.instance.database.write { [bench] in
      _ = try bench.instance.clips.describe(
        clips[4], caption: nil, tags: nil, visibility: .private, coverMs: nil, in: $0)
    }
    let seen = Set(try await walk(bob, by: 4).flatMap { $0 })
    #expect(seen == Set(clips).subtracting([clips[4]]))
    // The other way round it holds as well.
    #expect(Set(try await walk(ada, by: 4).flatMap { $0 }).isDisjoint(with: [clips[4]]))
  }

  /// Neither in the reason of somebody else's clip nor in the taste.
  @Test func nobodyWhoIsBlockedIsNamedNorAClipThatIsNotPublic() async throws {
    let accounts = try await bench.instance.accounts(hashing: CountingPasswords())
    let ada = try await accounts.signUp(NewAccount("ada"), guest: nil, client: "").account.id
    let bob = try await accounts.signUp(NewAccount("bob"), guest: nil, client: "").account.id
    let ofAda = try await bench.publishBare("of ada", by: ada)
    let clips = try await publish(4)
    for other in 0..<6 {
      for clip in [ofAda, clips[2]] { _ = try await social.like(clip, by: "other \(other)") }
    }
    _ = try await social.like(ofAda, by: bob)
    let store = patientRanking()
    func named() async throws -> [Set<String>] {
      var authors: Set<String> = []
      // The clip may come to a place by the lot, or as a new one, and has that reason then.
      for _ in 0..<20 {
        let page = try #require(await store.order(10, of: [], for: bob))
        authors.formUnion(page.compactMap(\.reason.author?.id))
      }
      return [authors, Set(try await store.taste(of: bob).authors.map(\.author.id))]
    }
    #expect(try await named() == [[ada], [ada]])
    for (author, viewer) in [(ada, bob), (bob, ada)] {
      _ = try await social.block(author, by: viewer)
      #expect(try await named() == [[], []])
      _ = try await social.unblock(author, by: viewer)
    }
    #expect(try await named() == [[ada], [ada]])
    try await bench.instance.database.write { [bench] in
      _ = try bench.instance.clips.describe(
        ofAda, caption: nil, tags: nil, visibility: .private, coverMs: nil, in: $0)
    }
    #expect(try await named()[0].isEmpty)
  }

  @Test func whatSomebodyWantsLessOfIsGoneFromTheNextPage() async throws {
    let accounts = try await bench.instance.accounts(hashing: CountingPasswords())
    let ada = try await accounts.signUp(NewAccount("ada"), guest: nil, client: "").account.id
    let ofAda = try await bench.publishBare("of ada", by: ada)
    let tagged = try await bench.publishBare("something #loud")
    let clips = try await publish(6)
    let wishes = [Dismissal(.author, ada), Dismissal(.tag, "loud"), Dismissal(.clip, clips[2])]
    for wish in wishes { _ = try await ranking.dismiss(wish, by: "me") }
    let ordered = try await feed.forYou(cursor: nil, limit: 5, for: "me")
    #expect(Set(ordered.items.map(\.id)).isDisjoint(with: [ofAda, tagged, clips[2]]))
    // Nor does it come behind the order, where the walk goes on through the latest.
    #expect(Set(try await walk("me", by: 5).flatMap { $0 }) == Set(clips).subtracting([clips[2]]))
    let taste = try await ranking.taste(of: "me")
    #expect(Set(taste.dismissed.map(\.dismissal.kind)) == [.author, .tag])
    #expect(taste.dismissed.first { $0.author != nil }?.author?.handle == "ada")
    for wish in wishes { try await ranking.undismiss(wish, by: "me") }
    #expect(try await ranking.taste(of: "me").dismissed.isEmpty)
    await #expect(throws: AppError(.clipNotFound)) {
      try await ranking.dismiss(Dismissal(.clip, "none"), by: "me")
    }
    await #expect(throws: AppError(.authorNotFound)) {
      try await ranking.dismiss(Dismissal(.author, "none"), by: "me")
    }
  }

  @Test func aSoundThatSomebodyWantsLessOfIsGoneFromTheNextPage() async throws {
    let accounts = try await bench.instance.accounts(hashing: CountingPasswords())
    let ada = try await accounts.signUp(NewAccount("ada"), guest: nil, client: "").account.id
    let alike = [try await bench.publishBare("of ada", by: ada), try await bench.publishBare("the same")]
    let clips = try await publish(6)
    try await bench.setSound("tide", of: alike)
    try await bench.setSound("dawn", of: [clips[2]])
    let wish = Dismissal(.sound, "tide")
    for _ in 0..<2 { _ = try await ranking.dismiss(wish, by: "me") }
    let store = patientRanking()
    let ordered = try #require(await store.order(20, of: [], for: "me"))
    #expect(Set(ordered.map(\.id)) == Set(clips))
    let page = try await feed.forYou(cursor: nil, limit: 5, for: "me")
    #expect(page.items.count == 5 && Set(page.items.map(\.id)).isDisjoint(with: alike))
    // Nor does it come behind the order, where the walk goes on through the latest.
    #expect(Set(try await walk("me", by: 5).flatMap { $0 }) == Set(clips))
    func listed() async throws -> [String?] {
      let dismissed = try await ranking.taste(of: "me").dismissed
      #expect(dismissed.allSatisfy { $0.dismissal == wish })
      return dismissed.map(\.author?.handle)
    }
    // With whoever made the first clip that has it and that is shown to the viewer.
    #expect(try await listed() == ["ada"])
    _ = try await social.block(ada, by: "me")
    #expect(try await listed() == [])
    _ = try await social.unblock(ada, by: "me")
    for (clip, expected) in [(alike[0], ["me"]), (alike[1], [])] as [(String, [String?])] {
      try await bench.instance.clips.setVisibility(of: clip, to: .private)
      #expect(try await listed() == expected)
    }
    for clip in alike { try await bench.instance.clips.setVisibility(of: clip, to: .public) }
    #expect(try await listed() == ["ada"])
    try await ranking.undismiss(wish, by: "me")
    #expect(try await listed() == [])
    #expect(Set(try await walk("me", by: 5).flatMap { $0 }) == Set(clips + alike))
    for sound in ["none", "ti\u{0}de"] {
      await #expect(throws: AppError(.soundNotFound)) {
        try await ranking.dismiss(Dismissal(.sound, sound), by: "me")
      }
    }
  }

  @Test func whoWantsNothingLearnedGetsTheLatest() async throws {
    let clips = try await publish(12)
    for clip in [2, 5] { _ = try await social.like(clips[clip], by: "me") }
    #expect(try await ranking.taste(of: "me").authors.first?.clips == 2)
    #expect(try await ranking.personalise(false, "me").personalised == false)
    _ = try await social.like(clips[7], by: "me")
    try await watch([clips[8]], "me", ms: 900)
    let page = try await feed.forYou(cursor: nil, limit: 5, for: "me")
    #expect(page.items.map(\.id) == [clips[11], clips[10], clips[9], clips[7], clips[6]])
    #expect(page.items.allSatisfy { $0.reason == nil })
    let taste = try await ranking.taste(of: "me")
    #expect(!taste.personalised && taste.tags.isEmpty && taste.authors.isEmpty)
    // Only that it is to be forgotten.
    #expect(try await bench.count("ranking_events") == 1)
    #expect(try await bench.count("shown_clips") == 0)
  }

  @Test func aLikeWithoutTracesIsNotLearned() async throws {
    let clips = try await publish(3)
    _ = try await social.like(clips[0], by: "me", isLearned: false)
    let event = WatchEvent(
      id: UUID().uuidString, clipID: clips[1], kind: .completion, atMs: SystemTime().nowMs)
    _ = try await bench.instance.watching().take(WatchEvents([event]), of: "me", isLearned: false)
    #expect(try await bench.count("ranking_events") == 0)
    try await bench.serving { [bench] socket in
      let body = String(decoding: try WireCoding.encode(WatchEvents([event])), as: UTF8.self)
      _ = try await socket.answer("POST", "/api/v1/events", body, ["sec-gpc": "1"])
      let page = try await socket.answer("GET", "/api/v1/feed?tab=for_you", nil, ["dnt": "1"])
      #expect(page.status == 200)
      #expect(try await bench.count("ranking_events") == 0)
      #expect(try await bench.count("shown_clips") == 0)
    }
  }

  @Test func whatIsForgottenIsForgottenAndWhatWasSeenStaysSeen() async throws {
    let clips = try await publish(8)
    for clip in [1, 2] { _ = try await social.like(clips[clip], by: "me") }
    try await watch([clips[7]], "me", ms: 100)
    #expect(try await ranking.taste(of: "me").authors.first?.clips == 2)
    try await ranking.forgetTaste(of: "me")
    #expect(try await ranking.taste(of: "me") == Taste())
    let page = try await feed.forYou(cursor: nil, limit: 7, for: "me")
    #expect(!page.items.contains { $0.id == clips[7] })
  }

  @Test func theGuestsTasteIsTheAccounts() async throws {
    let clips = try await publish(8)
    for clip in [1, 2] { _ = try await social.like(clips[clip], by: "guest") }
    _ = try await ranking.dismiss(Dismissal(.clip, clips[4]), by: "guest")
    #expect(try await ranking.taste(of: "guest").authors.first?.clips == 2)
    try await bench.instance.database.write { [ranking] in
      try ranking.merge("guest", into: "account", in: $0)
    }
    #expect(try await ranking.taste(of: "account").authors.first?.clips == 2)
    #expect(try await ranking.taste(of: "guest") == Taste())
    let page = try await feed.forYou(cursor: nil, limit: 5, for: "account")
    #expect(!page.items.contains { $0.id == clips[4] })
  }

  /// Also what the guest saw before the account saw anything.
  @Test func whatTheGuestSawIsNotProposedToTheAccount() async throws {
    let clips = try await publish(12)
    try await watch(Array(clips[0..<9]), "guest")
    try await Self.pass()
    try await watch([clips[9]], "account")
    let store = patientRanking()
    func proposed() async throws -> Set<String> {
      Set(try #require(await store.order(20, of: [], for: "account")).map(\.id))
    }
    #expect(try await proposed().isSuperset(of: clips[0..<9]))
    try await bench.instance.database.write { [bench, ranking] in
      try bench.instance.watching().merge("guest", into: "account", in: $0)
      try ranking.merge("guest", into: "account", in: $0)
    }
    #expect(try await proposed() == Set(clips[10...]))
  }

  @Test func aFollowCountsForTheLastClipOfTheAuthorThatWasShown() async throws {
    let accounts = try await bench.instance.accounts(hashing: CountingPasswords())
    let ada = try await accounts.signUp(NewAccount("ada"), guest: nil, client: "").account.id
    let clip = try await bench.publishBare("of ada", by: ada)
    _ = try await publish(3)
    try await watch([clip], "me")
    _ = try await social.follow(ada, by: "me")
    #expect(try await ranking.taste(of: "me").authors.map(\.author.id) == [ada])
    let following = try await feed.following(cursor: nil, limit: 5, for: "me")
    #expect(following.items.map(\.id) == [clip])
    #expect(following.nextCursor == nil)
    #expect(try await feed.following(cursor: nil, limit: 5, for: nil).items.isEmpty)
  }

  @Test func everybodyOfWhomNothingIsKnownGetsOnePageAndGoesOnBehindIt() async throws {
    let clips = try await publish(25)
    let front = try await feed.forYou(cursor: nil, limit: 5, for: nil)
    #expect(front.items.count == 5)
    for viewer in [nil, "one", "two"] {
      var all = front.items.map(\.id)
      var cursor = front.nextCursor
      while let place = cursor, all.count < 60 {
        let page = try await feed.forYou(cursor: place, limit: 5, for: viewer)
        all += page.items.map(\.id)
        cursor = page.nextCursor
      }
      #expect(all.count == Set(all).count)
      #expect(Set(all) == Set(clips))
    }
  }

  /// However often somebody asks of whom nothing is known, the order is written down now and then.
  @Test func whoIsNotKnownHasNothingWrittenDown() async throws {
    _ = try await publish(25)
    // By a clock that stands still: the order is kept for a while.
    let feed = try await bench.instance.feed(
      ordering: bench.instance.patientRanking(), time: TestTime(ms: SystemTime().nowMs))
    let front = try await feed.forYou(cursor: nil, limit: 5, for: nil)
    let rows = try await bench.count("shown_clips")
    var cursor = front.nextCursor
    for _ in 0..<4 {
      let again = try await feed.forYou(cursor: nil, limit: 5, for: nil)
      #expect(again.items.map(\.id) == front.items.map(\.id))
      #expect(again.items.map(\.reason) == front.items.map(\.reason))
      cursor = try await feed.forYou(cursor: cursor, limit: 5, for: nil).nextCursor
    }
    #expect(try await bench.count("shown_clips") == rows)
    // One that is gone is not kept for anybody.
    try await bench.instance.database.write { [bench] in
      _ = try bench.instance.clips.describe(
        front.items[0].id, caption: nil, tags: nil, visibility: .private, in: $0)
    }
    let other = try await feed.forYou(cursor: nil, limit: 5, for: nil)
    #expect(other.items.count == 5 && !other.items.contains { $0.id == front.items[0].id })
  }

  @Test func aCursorOfAnotherTabStartsThisOne() async throws {
    let clips = try await publish(12)
    let latest = try await feed.text(cursor: nil, limit: 5, for: "me").nextCursor
    let mine = try await feed.forYou(cursor: nil, limit: 5, for: "me").nextCursor
    #expect(try await feed.forYou(cursor: latest, limit: 5, for: "me").items.count == 5)
    let started = try await feed.text(cursor: mine, limit: 5, for: "me")
    #expect(started.items.map(\.id) == Array(clips.reversed().prefix(5)))
    #expect(try await feed.following(cursor: mine, limit: 5, for: "me").items.isEmpty)
    for made in ["made-up", String(repeating: "A", count: 40)] {
      await #expect(throws: AppError(.invalidCursor)) {
        try await feed.forYou(cursor: made, limit: 5, for: "me")
      }
      await #expect(throws: AppError(.invalidCursor)) {
        try await feed.following(cursor: made, limit: 5, for: "me")
      }
      await #expect(throws: AppError(.invalidCursor)) {
        try await feed.text(cursor: made, limit: 5, for: "me")
      }
    }
  }

  @Test func anOrderThatIsNotThereInTimeIsTheLatest() async throws {
    struct Stuck: Platform.Database {
      func wait() async throws -> Never {
        while true { try await Task.sleep(for: .seconds(3_600)) }
      }
      func read<Value: Sendable>(
        _ body: @escaping @Sendable (any Transaction) throws -> Value
      ) async throws -> Value { try await wait() }
      func readOnce<Value: Sendable>(
        _ body: @escaping @Sendable (any Transaction) throws -> Value
      ) async throws -> Value { try await wait() }
      func write<Value: Sendable>(
        _ body: @escaping @Sendable (any Transaction) throws -> Value
      ) async throws -> Value { try await wait() }
    }
    let clips = try await publish(9)
    let slow = RankingState(
      database: Stuck(), time: SystemTime(), blobs: bench.instance.sources,
      workFolder: bench.instance.workFolder, patience: .zero, seed: 1)
    let feed = try await bench.instance.feed(ordering: slow)
    let page = try await feed.forYou(cursor: nil, limit: 4, for: "me")
    #expect(page.items.map(\.id) == Array(clips.reversed().prefix(4)))
    let next = try await feed.forYou(cursor: page.nextCursor, limit: 9, for: "me")
    #expect(next.items.map(\.id) == Array(clips.reversed().dropFirst(4).prefix(5)))
  }

  /// As on a disk that is full.
  @Test func aPageThatCannotBeWrittenDownIsShownAllTheSame() async throws {
    struct Full: ClipOrdering {
      struct Ordered: OrderedClip {
        let id: String
        let reason = ClipReason(.new)
      }
      let clips: [String]

      func isPersonalised(_ viewer: String) async throws -> Bool { true }
      func next(
        _ count: Int, of walks: [String], for viewer: String?, language: String?
      ) async -> [any OrderedClip]? {
        clips.prefix(count).map { Ordered(id: $0) }
      }
      func hasFront(in language: String) -> Bool { false }
      func note(
        _ clips: [(clip: any OrderedClip, isShown: Bool)], in walk: String, behind placed: Int,
        for viewer: String?
      ) async throws { throw AppError(.storageFull) }
      func noted(in walk: String, behind placed: Int) async throws -> [(id: String, reason: ClipReason?)] {
        []
      }
      func shown(in walks: [String]) async throws -> [String] { [] }
      func dismissed(among clips: [String], by viewer: String) async throws -> Set<String> { [] }
    }
    let clips = try await publish(6)
    let instance = bench.instance
    let feed = FeedStore(
      database: instance.database, time: SystemTime(), cursorKeys: try await instance.cursorKeys(),
      comments: .open, seen: instance.watching(), marks: ViewerMarks(), blocking: Blocks(),
      ordering: Full(clips: clips))
    let page = try await feed.forYou(cursor: nil, limit: 4, for: "me")
    #expect(page.items.map(\.id) == Array(clips[0..<4]))
    #expect(page.nextCursor != nil)
  }

  @Test func listsHoldWhatRisesAndWhatResembles() async throws {
    let clips = try await publish(10)
    for other in 0..<6 {
      for clip in [3, 7] { _ = try await social.like(clips[clip], by: "other \(other)") }
    }
    let lists = ListedClips(feed: feed)
    #expect(Set(try await ranking.trending(for: nil, as: lists).items.map(\.id)) == [clips[3], clips[7]])
    #expect(try await ranking.similar(to: clips[3], for: nil, as: lists).items.first?.id == clips[7])
    await #expect(throws: AppError(.clipNotFound)) {
      try await ranking.similar(to: "none", for: nil, as: lists)
    }
    try await bench.instance.database.write { [bench] in
      _ = try bench.instance.clips.describe(
        clips[7], caption: nil, tags: nil, visibility: .private, coverMs: nil, in: $0)
    }
    #expect(try await ranking.trending(for: nil, as: lists).items.map(\.id) == [clips[3]])
  }
}

extension Instance {
  /// A feed that waits for its order, however busy the machine is.
  func patientFeed() async throws -> FeedStore { try await feed(ordering: patientRanking()) }

  /// The same pages with every run.
  func patientRanking() -> RankingState {
    RankingState(
      database: database, time: time, blobs: sources, workFolder: workFolder, patience: .seconds(60), seed: 1)
  }

  /// Learns when it is asked to and not by itself: what happens between two questions is the test's to say.
  func askedRanking(
    _ other: (any Database)? = nil, blobs: (any BlobStore)? = nil, time: any TimeSource
  ) -> RankingState {
    RankingState(
      database: other ?? database, time: time, blobs: blobs ?? sources, workFolder: workFolder,
      patience: .seconds(60), seed: 1, soon: { throw CancellationError() })
  }

  func feed(ordering state: RankingState, time other: (any TimeSource)? = nil) async throws -> FeedStore {
    FeedStore(
      database: database, time: other ?? time, cursorKeys: try await cursorKeys(), comments: .open,
      seen: watching(),
      marks: ViewerMarks(), blocking: Blocks(),
      ordering: RecommendationStore(database: database, time: time, blocking: Blocks(), state: state))
  }
}

import Accounts
import Comments
import Contract
import Feed
import Foundation
import Moderation
import Platform
import Search
import Social
import Testing

@testable import Composition
@testable import PlatformTesting
@testable import Recommendations
@testable import ServerTesting
@testable import Videos

/// What moderators decide happens, once, and can be taken back by somebody else.
@Suite(.everyEngine) struct DecisionTests {
  private let world: ModerationBench

  init() async throws { world = try await ModerationBench() }

  private func isVisible(_ clip: String) async throws -> Bool {
    try await world.bench.instance.database.read {
      try !world.bench.instance.clips.visible(among: [clip], in: $0).isEmpty
    }
  }

  private func isSuspended(_ handle: String = "ada") async throws -> Bool {
    try await world.accounts.account(handle: handle).suspended
  }

  @Test func aRemovedClipIsGoneUntilItIsGivenBack() async throws {
    let clip = try await world.bench.publishBare("clip", by: world.ada)
    let id = try await world.report(.clip, clip)
    let decision = try await world.decide(id, .remove)
    #expect(try await !isVisible(clip))
    #expect(try await world.heard() == [.acted])
    // Nobody shows it again but moderators; what its owner wishes counts afterwards.
    try await world.bench.instance.clips.setVisibility(of: clip, to: .unlisted)
    #expect(try await !isVisible(clip))
    #expect(try await world.moderation.caseFile(id, for: world.judge).summary.isGone)
    let told = try await world.moderation.decisions(about: world.ada, cursor: nil, limit: 10).items
    #expect(told.map(\.statement) == ["because"] && told[0].appealUntil != nil && told[0].text == "clip")

    let appeal = NewAppeal(text: "it is mine")
    _ = try await world.moderation.appeal(decision.id, appeal, by: world.ada)
    _ = try await world.moderation.appeal(decision.id, appeal, by: world.ada)
    #expect(
      await world.refusal {
        try await world.moderation.appeal(decision.id, NewAppeal(text: "else"), by: world.ada)
      } == .appealMade)
    #expect(
      await world.refusal { try await world.moderation.appeal(decision.id, appeal, by: world.bob) }
        == .decisionNotFound)
    #expect(try await world.moderation.cases(.appealed, cursor: nil, limit: 10).items.map(\.id) == [id])

    let review = DecisionReview(outcome: .reversed, statement: "you are right")
    #expect(
      await world.refusal { try await world.moderation.review(decision.id, review, by: world.judge) }
        == .notAllowed)
    for _ in 0..<2 { _ = try await world.moderation.review(decision.id, review, by: world.second) }
    #expect(
      await world.refusal {
        try await world.moderation.review(
          decision.id, DecisionReview(outcome: .upheld, statement: "no"), by: world.second)
      } == .decisionReviewed)
    #expect(try await isVisible(clip))
    #expect(try await world.bench.instance.clips.visibility(of: clip) == .unlisted)
    #expect(try await world.heard() == [.dismissed])
    let after = try await world.moderation.decisions(about: world.ada, cursor: nil, limit: 10).items[0]
    #expect(after.state == .reversed && after.review == review && after.appealUntil == nil)
    #expect(try await world.moderation.cases(.closed, cursor: nil, limit: 10).items.map(\.id) == [id])
  }

  @Test func aPictureThatIsRemovedIsGivenBackUnlessThereIsAnother() async throws {
    let instance = world.bench.instance
    let authors = instance.authors(SystemTime())
    let blobs = try ["a", "b"].map {
      try #require(BlobName(hash: String(repeating: $0, count: 64), ext: "jpg"))
    }
    func put(_ blob: BlobName) async throws {
      try await instance.database.write { [world] in
        try authors.setPicture(of: world.ada, color: "aabbcc", large: blob, small: blob, in: $0)
      }
    }
    func shown() async throws -> BlobName? {
      try await instance.database.read { [world] in try AuthorStore.picture(of: world.ada, in: $0) }
    }
    func open() async throws -> [Bool] {
      try await instance.database.read { transaction in
        try blobs.map { try AuthorStore.isOpenPicture($0, in: transaction) }
      }
    }
    let id = try await world.report(.person, world.ada)
    #expect(await world.refusal { try await world.decide(id, .remove) } == .decisionNotPossible)
    for isReplaced in [false, true] {
      try await put(blobs[0])
      let again = try await world.report(.person, world.ada, by: isReplaced ? "somebody" : nil)
      let decision = try await world.decide(again, .remove)
      #expect(try await shown() == nil)
      #expect(try await open() == [false, false])
      let kept = try await instance.database.read {
        try AuthorStore.pictures(among: blobs, since: .max, in: $0)
      }
      #expect(kept == [blobs[0]], "it may have to be given back")
      if isReplaced { try await put(blobs[1]) }
      _ = try await world.moderation.appeal(decision.id, NewAppeal(text: "that is me"), by: world.ada)
      _ = try await world.moderation.review(
        decision.id, DecisionReview(outcome: .reversed, statement: "right"), by: world.second)
      #expect(try await shown() == blobs[isReplaced ? 1 : 0])
      #expect(try await open() == [!isReplaced, isReplaced])
    }
  }

  /// One after the other in one case; `isLater`: which of the two is taken back.
  @Test(arguments: [true, false])
  func ofTwoPicturesThatWereRemovedTheLastOneIsGivenBack(isLater: Bool) async throws {
    let instance = world.bench.instance
    let authors = instance.authors(SystemTime())
    let blobs = try ["a", "b"].map {
      try #require(BlobName(hash: String(repeating: $0, count: 64), ext: "jpg"))
    }
    var decisions: [String] = []
    for (blob, reporter) in zip(blobs, [world.bob, "somebody"]) {
      try await instance.database.write { [world] in
        try authors.setPicture(of: world.ada, color: "aabbcc", large: blob, small: blob, in: $0)
      }
      world.clock.advance(ms: 1)
      let id = try await world.report(.person, world.ada, by: reporter)
      decisions.append(try await world.decide(id, .remove).id)
    }
    func state() async throws -> (shown: BlobName?, open: [Bool]) {
      try await instance.database.read { [world] transaction in
        (
          try AuthorStore.picture(of: world.ada, in: transaction),
          try blobs.map { try AuthorStore.isOpenPicture($0, in: transaction) }
        )
      }
    }
    let inOrder: [String] = isLater ? decisions.reversed() : decisions
    for decision in inOrder {
      _ = try await world.moderation.review(
        decision, DecisionReview(outcome: .reversed, statement: "right"), by: world.second)
      let (shown, open) = try await state()
      let isBack = isLater || decision == decisions[1]
      #expect(shown == (isBack ? blobs[1] : nil))
      #expect(open == [false, isBack])
    }
  }

  @Test func anAgeLimitKeepsAClipFromWhoIsInRestrictedModeUntilItIsTakenBack() async throws {
    let clip = try await world.bench.publishBare("clip", by: world.ada)
    let feed = try await world.bench.instance.feed(.open)
    let id = try await world.report(.clip, clip, .nudity)
    let decision = try await world.decide(id, .ageLimit)
    #expect(
      await world.refusal { try await feed.clip(id: clip, forOwner: false, for: world.bob) } == .clipForAdults
    )
    #expect(try await feed.page(cursor: nil, limit: 9, for: world.bob).items.isEmpty)
    #expect(try await feed.clip(id: clip, forOwner: false, for: world.ada).forAdults == true)
    #expect(try await isVisible(clip))
    #expect(try await world.heard() == [.acted])
    #expect(await world.refusal { try await world.decide(id, .ageLimit) } == .decisionNotPossible)
    let file = try await world.moderation.caseFile(id, for: world.judge)
    #expect(file.record.limits == 1 && !file.summary.isGone)
    let told = try await world.moderation.decisions(about: world.ada, cursor: nil, limit: 9).items
    #expect(told.map(\.action) == [.ageLimit] && told[0].statement == "because" && told[0].appealUntil != nil)

    _ = try await world.moderation.appeal(decision.id, NewAppeal(text: "nobody is naked"), by: world.ada)
    _ = try await world.moderation.review(
      decision.id, DecisionReview(outcome: .reversed, statement: "right"), by: world.second)
    #expect(try await feed.clip(id: clip, forOwner: false, for: world.bob).forAdults == nil)
    #expect(try await world.heard() == [.dismissed])
    #expect(try await world.moderation.caseFile(id, for: world.judge).record.limits == 0)
    try await ModerationLog.verify(in: world.bench.instance.database)
  }

  @Test func whatIsLimitedInItsReachStaysWherePeopleGoToIt() async throws {
    let instance = world.bench.instance
    let clip = try await world.bench.publishBare("harbour #quay", by: world.ada)
    let (feed, search) = (try await instance.feed(.open), try await instance.search(.open))
    let social = try await instance.social(.open)
    _ = try await social.follow(world.ada, by: world.bob)
    for other in 0..<6 { _ = try await social.like(clip, by: "other \(other)") }
    let ranking = instance.recommendations(on: instance.database)
    let lists = ListedClips(feed: feed)
    #expect(try await ranking.trending(for: nil, as: lists).items.map(\.id) == [clip])

    func found(_ words: String) async throws -> [String] {
      try await search.clips(words, cursor: nil, limit: 9, for: world.bob).items.map(\.id)
    }
    func latest(_ viewer: String?) async throws -> [String] {
      try await feed.page(cursor: nil, limit: 9, for: viewer).items.map(\.id)
    }
    func tagged() async throws -> [String] {
      try await feed.tagged("quay", cursor: nil, limit: 9).items.map(\.id)
    }
    let decision = try await world.decide(try await world.report(.clip, clip), .limitReach)
    for viewer in [nil, world.bob] {
      #expect(try await latest(viewer) == [])
      #expect(try await feed.forYou(cursor: nil, limit: 9, for: viewer).items.isEmpty)
      #expect(try await ranking.trending(for: viewer, as: lists).items.isEmpty)
    }
    #expect(try await tagged() == [])
    #expect(try await found("harbour") == [])
    #expect(try await search.tags("quay", cursor: nil, limit: 9).items == [])
    // By whose it is, by its address, and to those who follow.
    #expect(try await found("ada") == [clip])
    #expect(try await feed.clip(id: clip, forOwner: false, for: nil).id == clip)
    #expect(try await feed.following(cursor: nil, limit: 9, for: world.bob).items.map(\.id) == [clip])
    #expect(
      try await feed.page(ofAuthor: world.ada, cursor: nil, limit: 9, for: nil).items.map(\.id) == [clip])

    _ = try await world.moderation.review(
      decision.id, DecisionReview(outcome: .reversed, statement: "sorry"), by: world.second)
    for viewer in [nil, world.bob] { #expect(try await latest(viewer) == [clip]) }
    #expect(try await tagged() == [clip])
    #expect(try await found("harbour") == [clip])
  }

  @Test func onlyClipsAreLimited() async throws {
    let comments = try await world.bench.instance.comments(.open)
    let clip = try await world.bench.publishBare("clip", by: world.bob)
    let comment = try await comments.add("words", to: clip, by: world.ada, idempotencyKey: "a-comment-key").id
    let cases = [try await world.report(.comment, comment), try await world.report(.person, world.ada)]
    for id in cases {
      for action in [ModerationAction.ageLimit, .limitReach] {
        #expect(await world.refusal { try await world.decide(id, action) } == .decisionNotPossible)
      }
    }
  }

  @Test func aClipThatItsOwnerDeletedStaysDeleted() async throws {
    let clip = try await world.bench.publishBare("clip", by: world.ada)
    let decision = try await world.decide(try await world.report(.clip, clip), .remove)
    let clips = world.bench.instance.clips
    try await world.bench.instance.database.write { try clips.remove(clip, in: $0) }
    _ = try await world.moderation.review(
      decision.id, DecisionReview(outcome: .reversed, statement: "sorry"), by: world.judge)
    #expect(try await !isVisible(clip))
    try await world.bench.instance.database.write { try clips.restore(clip, in: $0) }
    #expect(try await isVisible(clip))
  }

  @Test func aRemovedCommentTakesItsRepliesAlongAndBringsThemBack() async throws {
    let comments = try await world.bench.instance.comments(.open)
    let clip = try await world.bench.publishBare("clip", by: world.bob)
    func add(_ text: String, _ to: String?, by author: String) async throws -> String {
      try await comments.add(
        text, to: clip, replyTo: to, by: author, idempotencyKey: "key of \(text)"
      ).id
    }
    let first = try await add("first", nil, by: world.ada)
    let kept = try await add("kept", first, by: world.bob)
    let deleted = try await add("deleted", first, by: world.bob)
    _ = try await comments.like(first, by: world.bob)
    let id = try await world.report(.comment, first)
    let decision = try await world.decide(id, .remove)
    #expect(try await comments.page(of: clip, cursor: nil, limit: 10).items == [])
    #expect(await world.refusal { try await comments.comment(kept, for: nil) } == .commentNotFound)
    #expect(await world.refusal { try await world.decide(id, .remove) } == .decisionNotPossible)
    try await comments.delete(deleted, by: world.bob)
    _ = try await world.moderation.review(
      decision.id, DecisionReview(outcome: .reversed, statement: "sorry"), by: world.second)
    let back = try await comments.page(of: clip, cursor: nil, limit: 10).items
    #expect(back.map(\.text) == ["first"] && back.map(\.replies) == [1] && back.map(\.likes) == [1])
    #expect(try await comments.replies(to: first, cursor: nil, limit: 10).items.map(\.text) == ["kept"])
    let counted = try await world.bench.instance.database.read {
      try Counters.clips.count(.comments, of: clip, in: $0)
    }
    #expect(counted == 2)
  }

  @Test(arguments: [false, true])
  func aReplyThatIsGivenBackComesWithTheCommentAboveIt(isDeleted: Bool) async throws {
    let comments = try await world.bench.instance.comments(.open)
    let clip = try await world.bench.publishBare("clip", by: world.bob)
    let first = try await comments.add("first", to: clip, by: world.ada, idempotencyKey: "key-of-first").id
    let reply = try await comments.add(
      "reply", to: clip, replyTo: first, by: world.ada, idempotencyKey: "key-of-reply"
    ).id
    func giveBack(_ decision: Decision) async throws {
      _ = try await world.moderation.review(
        decision.id, DecisionReview(outcome: .reversed, statement: "sorry"), by: world.second)
    }
    func counted() async throws -> Int {
      try await world.bench.instance.database.read {
        try Counters.clips.count(.comments, of: clip, in: $0)
      }
    }
    let ofReply = try await world.decide(try await world.report(.comment, reply), .remove)
    let ofFirst = try await world.decide(try await world.report(.comment, first), .remove)
    #expect(try await counted() == 0)
    try await giveBack(ofReply)
    #expect(await world.refusal { try await comments.comment(reply, for: nil) } == .commentNotFound)
    #expect(try await counted() == 0)
    if isDeleted { try await comments.delete(reply, by: world.ada) }
    try await giveBack(ofFirst)
    let back = try await comments.page(of: clip, cursor: nil, limit: 10).items
    #expect(back.map(\.text) == ["first"] && back.map(\.replies) == [isDeleted ? 0 : 1])
    let replies = try await comments.replies(to: first, cursor: nil, limit: 10).items
    #expect(replies.map(\.text) == (isDeleted ? [] : ["reply"]))
    #expect(try await counted() == (isDeleted ? 1 : 2))
  }

  @Test func theOperatorErasesACommentThatIsWithheld() async throws {
    let comments = try await world.bench.instance.comments(.open)
    let clip = try await world.bench.publishBare("clip", by: world.bob)
    let comment = try await comments.add("words", to: clip, by: world.ada, idempotencyKey: "a-comment-key").id
    let decision = try await world.decide(try await world.report(.comment, comment), .remove)
    try await comments.remove(comment)
    let text = try await world.bench.instance.database.read {
      try $0.query("SELECT text FROM comments WHERE id = ?", [.text(comment)])[0].text("text")
    }
    #expect(text == "")
    #expect(await world.refusal { try await comments.remove(comment) } == .commentNotFound)
    _ = try await world.moderation.review(
      decision.id, DecisionReview(outcome: .reversed, statement: "sorry"), by: world.second)
    #expect(await world.refusal { try await comments.comment(comment, for: nil) } == .commentNotFound)
    #expect(try await comments.page(of: clip, cursor: nil, limit: 10).items == [])
  }

  @Test func aCommentDeletedWhileItWasWithheldStaysDeleted() async throws {
    let comments = try await world.bench.instance.comments(.open)
    let clip = try await world.bench.publishBare("clip", by: world.bob)
    let comment = try await comments.add("words", to: clip, by: world.ada, idempotencyKey: "a-comment-key").id
    let decision = try await world.decide(try await world.report(.comment, comment), .remove)
    try await comments.delete(comment, by: world.ada)
    _ = try await world.moderation.review(
      decision.id, DecisionReview(outcome: .reversed, statement: "sorry"), by: world.second)
    #expect(await world.refusal { try await comments.comment(comment, for: nil) } == .commentNotFound)
    let text = try await world.bench.instance.database.read {
      try $0.query("SELECT text FROM comments WHERE id = ?", [.text(comment)])[0].text("text")
    }
    #expect(text == "")
  }

  @Test func aSuspensionEndsByItselfAndOneByTheOperatorStays() async throws {
    let id = try await world.report(.person, world.ada)
    try await world.decide(id, .suspend, days: 2)
    #expect(try await isSuspended())
    try await world.decide(id, .suspend, days: 1)
    world.clock.advance(ms: 86_400_000 + 1)
    try await world.moderation.endSuspensions()
    #expect(try await isSuspended(), "the longer one stands")
    world.clock.advance(ms: 86_400_000)
    try await world.moderation.endSuspensions()
    #expect(try await !isSuspended())
    let states = try await world.moderation.decisions(about: world.ada, cursor: nil, limit: 10).items
    #expect(states.map(\.state) == [.over, .over])

    try await world.decide(id, .suspend, days: 1)
    world.clock.advance(ms: 1)
    try await world.accounts.setSuspended(true, handle: "ada")
    world.clock.advance(ms: 2 * 86_400_000)
    try await world.moderation.endSuspensions()
    #expect(try await isSuspended(), "the operator's is not a moderator's to end")
  }

  @Test func theSameKeyAgainIsTheSameDecision() async throws {
    let clip = try await world.bench.publishBare("clip", by: world.ada)
    let id = try await world.report(.clip, clip)
    let first = try await world.decide(id, .warn, key: "a-key-of-a-judge")
    #expect(try await world.decide(id, .warn, key: "a-key-of-a-judge").id == first.id)
    #expect(
      await world.refusal { try await world.decide(id, .remove, key: "a-key-of-a-judge") }
        == .idempotencyKeyReused)
    let told = try await world.accounts.notices(of: world.ada, cursor: nil, limit: 10).items
    #expect(told.filter { $0.kind == AccountNotice.Kind.decided.rawValue }.count == 1)
  }

  @Test func whatCannotBeDecidedIsRefused() async throws {
    let person = try await world.report(.person, world.ada)
    let guests = try await world.report(.clip, try await world.bench.publishBare("a guest's"))
    #expect(await world.refusal { try await world.decide(person, .remove) } == .decisionNotPossible)
    #expect(await world.refusal { try await world.decide(person, .warn, days: 3) } == .decisionNotPossible)
    #expect(await world.refusal { try await world.decide("none", .warn) } == .caseNotFound)
    #expect(await world.refusal { try await world.decide(guests, .suspend) } == .decisionNotPossible)
    let judges = try await world.report(.person, world.judge.id)
    #expect(await world.refusal { try await world.decide(judges, .warn) } == .notAllowed)
    #expect(
      await world.refusal { try await world.decide(judges, .suspend, by: world.second) }
        == .decisionNotPossible)
    try await world.decide(person, .dismiss)
    #expect(await world.refusal { try await world.decide(person, .dismiss) } == .decisionNotPossible)
    let silent = NewDecision(action: .warn, reason: .spam)
    #expect(
      await world.refusal {
        try await world.moderation.decide(
          person, silent, by: world.judge, idempotencyKey: "a-key-of-a-judge")
      } == .statementEmpty)
  }

  @Test func whatIsReportedAgainIsOpenAgain() async throws {
    let clip = try await world.bench.publishBare("clip", by: world.ada)
    let id = try await world.report(.clip, clip)
    try await world.decide(id, .dismiss)
    #expect(try await world.heard() == [.dismissed])
    try await world.bench.instance.database.write { [bench = world.bench] in
      _ = try bench.instance.clips.describe(clip, caption: "worse", tags: nil, visibility: nil, in: $0)
    }
    #expect(try await world.report(.clip, clip, .hate, by: "a guest") == id)
    let file = try await world.moderation.caseFile(id, for: world.judge)
    #expect(file.summary.text == "worse" && file.summary.reporters == 1)
    #expect(file.summary.reasons == [ReasonCount(reason: .hate, count: 1)])
    #expect(try await world.heard() == [.dismissed])
    #expect(try await world.heard(by: "a guest") == [.open])
  }

  @Test func whatIsReportedWhileAnAppealWaitsIsDecidedBehindIt() async throws {
    let clip = try await world.bench.publishBare("clip", by: world.ada)
    let id = try await world.report(.clip, clip)
    let warning = try await world.decide(id, .warn)
    let again = NewReport(kind: .clip, subjectID: clip, reason: .hate)
    _ = try await world.moderation.report(again, by: "before")
    _ = try await world.moderation.appeal(warning.id, NewAppeal(text: "no"), by: world.ada)
    _ = try await world.moderation.report(again, by: "behind")
    #expect(try await world.moderation.cases(.appealed, cursor: nil, limit: 10).items.map(\.id) == [id])
    _ = try await world.moderation.review(
      warning.id, DecisionReview(outcome: .upheld, statement: "yes"), by: world.second)
    #expect(try await world.moderation.cases(.open, cursor: nil, limit: 10).items.map(\.reporters) == [2])
    #expect(try await world.heard() == [.acted])
    try await world.decide(id, .dismiss)
    #expect(try await world.moderation.cases(.closed, cursor: nil, limit: 10).items.map(\.id) == [id])
    for guest in ["before", "behind"] { #expect(try await world.heard(by: guest) == [.dismissed]) }
    #expect(try await world.heard() == [.acted])
  }

  @Test func whoeverADecisionIsAboutReadsWhyItWasTakenBack() async throws {
    let warning = try await world.decide(try await world.report(.person, world.ada), .warn)
    let review = DecisionReview(outcome: .reversed, statement: "a slip of mine")
    _ = try await world.moderation.review(warning.id, review, by: world.judge)
    let told = try await world.moderation.decisions(about: world.ada, cursor: nil, limit: 10).items
    #expect(told.map(\.review) == [review] && told.map(\.appealUntil) == [nil])
  }

  @Test func anAppealIsMadeInTime() async throws {
    let decision = try await world.decide(try await world.report(.person, world.ada), .warn)
    world.clock.advance(ms: Limits.appealMs)
    let refused = await world.refusal {
      try await world.moderation.appeal(decision.id, NewAppeal(text: "late"), by: world.ada)
    }
    #expect(refused == .appealOver)
  }

  @Test func aDeletedAccountTakesItsWordsAlong() async throws {
    let clip = try await world.bench.publishBare("clip", by: world.ada)
    let id = try await world.report(.clip, clip, note: "note")
    try await world.decide(id, .warn)
    let comments = try await world.bench.instance.comments(.open)
    let other = try await world.bench.publishBare("another's", by: world.judge.id)
    let comment = try await comments.add("words", to: other, by: world.ada, idempotencyKey: "a-comment-key")
    _ = try await world.report(.comment, comment.id)
    try await world.accounts.delete(handle: "ada")
    #expect(try await world.heard() == [.acted, .acted], "nothing is left to decide")
    let file = try await world.moderation.caseFile(id, for: world.judge)
    #expect(
      file.summary.person == nil && file.summary.text == "" && file.decisions[0].decision.statement == "")
    try await world.accounts.delete(handle: "judge")
    #expect(try await world.moderation.caseFile(id, for: world.second).decisions[0].moderator == nil)
    var events: [String] = []
    try await ModerationLog.verify(in: world.bench.instance.database) {
      events.append("\($0.event) \($0.actor ?? "-")")
    }
    #expect(events == ["decided -"])
  }

  @Test(arguments: [
    "UPDATE moderation_log SET detail = 'dismiss spam -' WHERE number = 2",
    "DELETE FROM moderation_log WHERE number = 2", "UPDATE moderation_log SET number = 9 WHERE number = 2",
    "UPDATE moderation_log SET actor_viewer_id = 'somebody else' WHERE number = 2",
    "UPDATE moderation_log SET at_ms = at_ms + 1 WHERE number = 2",
  ])
  func whoeverChangesTheLogIsFoundOut(sql: String) async throws {
    let id = try await world.report(.person, world.ada)
    for _ in 0..<3 { try await world.decide(id, .warn) }
    var entries = 0
    try await ModerationLog.verify(in: world.bench.instance.database) { _ in entries += 1 }
    #expect(entries == 3)
    try await world.bench.instance.database.write { _ = try $0.execute(sql) }
    await #expect(throws: ModerationLog.Broken(number: 2)) {
      try await ModerationLog.verify(in: world.bench.instance.database)
    }
  }
}

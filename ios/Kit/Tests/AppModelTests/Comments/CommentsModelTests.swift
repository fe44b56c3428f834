import Contract
import Foundation
import Testing

@testable import AppModel

@MainActor @Suite struct CommentsModelTests {
  // MARK: Replies

  @Test func repliesComeAtATapPageByPageOldestFirst() async {
    let replies = (2...13).map { ClipComment.sample($0, under: "c1") }
    let bench = CommentsBench(CommentServer([.sample(1)] + replies))
    let model = await bench.begun()
    #expect(model.hiddenReplies(of: model["c1"]) == 12 && model.ids(under: "c1").isEmpty)
    await model.toggleReplies(to: model["c1"])
    #expect(model.ids(under: "c1") == (2...11).map { "c\($0)" } && model.hiddenReplies(of: model["c1"]) == 2)
    await model.thread(of: model["c1"])?.list.more()
    #expect(model.ids(under: "c1").count == 12 && model.hiddenReplies(of: model["c1"]) == 0)
    await model.toggleReplies(to: model["c1"])
    #expect(model.ids(under: "c1").isEmpty && model.hiddenReplies(of: model["c1"]) == 12)
  }

  @Test func aThreadThatIsOpenedAgainHasWhatCameMeanwhile() async {
    let bench = CommentsBench(CommentServer([.sample(1), .sample(2, under: "c1")]))
    let model = await bench.begun()
    await model.toggleReplies(to: model["c1"])
    await model.toggleReplies(to: model["c1"])
    bench.server.change { $0.comments.append(.sample(3, under: "c1")) }
    await model.toggleReplies(to: model["c1"])
    #expect(model.ids(under: "c1") == ["c2", "c3"])
  }

  @Test func aReplyIsSeenAtOnceUnderItsCommentAndCountedOnce() async {
    let bench = CommentsBench(CommentServer([.sample(1), .sample(2)]))
    let model = await bench.begun()
    model.reply(to: model["c1"])
    #expect(model.answered?.id == "c1")
    model.field.text = "true"
    model.post()
    #expect(model.answered == nil && model.field.text.isEmpty && model.pending.isEmpty)
    #expect(model.pending(under: model["c1"]).map(\.text) == ["true"])
    await bench.talk.comments.settled()
    #expect(model.pending(under: model["c1"]).isEmpty && model.ids == ["c2", "c1"])
    #expect(model.ids(under: "c1") == ["c100"] && model["c1"].replies == 1 && model.count == 1)
    #expect(bench.server.answered == ["c1"])
    await model.toggleReplies(to: model["c1"])
    #expect(model.ids(under: "c1") == ["c100"])
  }

  @Test func replyingSetsTheFieldAndCanBeTakenBackWithNothingLost() async {
    let bench = CommentsBench(CommentServer([.sample(1)]))
    let model = await bench.begun()
    model.field.text = "a comment"
    model.reply(to: model["c1"])
    #expect(model.field.text.isEmpty)
    model.field.text = "an answer"
    model.takeReplyBack()
    #expect(model.field.text == "a comment" && model.answered == nil)
    model.reply(to: model["c1"])
    #expect(model.field.text == "an answer")
  }

  @Test func anAnswerToAReplyNamesItsWriterAndHangsUnderTheSameComment() async {
    let bench = CommentsBench(
      CommentServer([.sample(1), .sample(2, by: "ben", under: "c1"), .sample(3, by: nil, under: "c1")]))
    let model = await bench.begun()
    await model.toggleReplies(to: model["c1"])
    model.reply(to: model["c3"])
    #expect(model.field.text.isEmpty)
    model.reply(to: model["c2"])
    #expect(model.field.text == "@ben ")
    model.takeReplyBack()
    model.reply(to: model["c2"])
    model.field.text += "yes"
    model.post()
    #expect(model.pending(under: model["c1"]).map(\.text) == ["@ben yes"])
    await bench.talk.comments.settled()
    #expect(bench.server.answered == ["c2"] && model.ids(under: "c1") == ["c2", "c3", "c100"])
  }

  @Test func aReplyOutlivesAKillAndStaysUnderItsComment() async {
    let bench = CommentsBench(CommentServer([.sample(1)]))
    let killed = await bench.begun()
    bench.server.change { $0.isDown = true }
    killed.reply(to: killed["c1"])
    killed.field.text = "later"
    killed.post()
    await bench.talk.comments.settled()
    bench.restart()
    let model = bench.model()
    // Its comment is not there yet.
    #expect(model.pending.map(\.text) == ["later"])
    bench.server.change { $0.isDown = false }
    await model.list.begin()
    #expect(model.pending.isEmpty && model.pending(under: model["c1"]).map(\.text) == ["later"])
    bench.talk.networkReturned()
    await bench.talk.comments.settled()
    #expect(bench.server.answered == ["c1"] && model.ids(under: "c1") == ["c100"])
  }

  @Test func anAnswerToACommentThatIsGoneSaysSoAndCanBeGivenUp() async {
    let bench = CommentsBench(CommentServer([.sample(1)]))
    let model = await bench.begun()
    bench.server.change { $0.comments = [] }
    model.reply(to: model["c1"])
    model.field.text = "late"
    model.post()
    await bench.talk.comments.settled()
    let entry = model.pending(under: model["c1"]).first
    #expect(entry?.state == .refused(.commentGone))
    if let entry { model.discard(entry) }
    #expect(model.pending(under: model["c1"]).isEmpty)
  }

  // MARK: Likes

  @Test func aLikeShowsAtOnceAndTakesTheServersCount() async {
    let bench = CommentsBench(CommentServer([.sample(1, likes: 4), .sample(2, under: "c1")]))
    let model = await bench.begun()
    await model.toggleReplies(to: model["c1"])
    bench.server.change { $0.comments[0].likes = 9 }
    model.toggleLike(model["c1"])
    model.toggleLike(model["c2"])
    #expect(model.isLiked(model["c1"]) && model.likes(of: model["c1"]) == 5)
    #expect(model.likes(of: model["c2"]) == 1)
    await model.activity.settled()
    #expect(model["c1"].liked && model.likes(of: model["c1"]) == 10 && model["c2"].liked)
    model.toggleLike(model["c1"])
    await model.activity.settled()
    #expect(!model.isLiked(model["c1"]) && model.likes(of: model["c1"]) == 9)
    #expect(bench.count("PUT /api/v1/comments/c1/like") == 1 && bench.count("DELETE") == 1)
  }

  @Test func aLikeThatFailsIsTakenBackAndSaid() async {
    let bench = CommentsBench(CommentServer([.sample(1, likes: 4)]))
    let model = await bench.begun()
    bench.server.change { $0.refusals["PUT"] = .tooManyRequests }
    model.toggleLike(model["c1"])
    await model.activity.settled()
    #expect(!model.isLiked(model["c1"]) && model.likes(of: model["c1"]) == 4)
    #expect(bench.notices == [.likeFailed])
  }

  @Test func aCommentThatIsGoneGoesWhenItIsLiked() async {
    let bench = CommentsBench(CommentServer([.sample(1)]))
    let model = await bench.begun()
    bench.server.change { $0.comments = [] }
    model.toggleLike(model["c1"])
    await model.activity.settled()
    #expect(model.ids.isEmpty && bench.notices == [.commentGone])
  }

  @Test func aStrangersNumbersAreNoCalculation() {
    let bench = CommentsBench(CommentServer())
    let model = bench.model()
    var comment = ClipComment.sample(1, likes: .max)
    comment.replies = .min
    #expect(model.likes(of: comment) == .max && model.hiddenReplies(of: comment) == 0)
    comment.liked = true
    comment.likes = .min
    #expect(model.likes(of: comment) == 0)
  }

  // MARK: Pins

  @Test func thePinnedOneLeadsAndAnotherTakesItsPlace() async {
    let bench = CommentsBench(CommentServer([.sample(1), .sample(2), .sample(3)]))
    let model = await bench.begun(by: "me")
    #expect(model.canPin(model["c1"]) && !model.canPin(.sample(9, under: "c1")))
    await model.setPinned(true, model["c1"])
    #expect(model.ids == ["c1", "c3", "c2"] && model["c1"].pinned)
    await model.setPinned(true, model["c2"])
    #expect(model.ids == ["c2", "c3", "c1"] && !model["c1"].pinned)
    await model.setPinned(false, model["c2"])
    #expect(model.ids == ["c3", "c2", "c1"])
    #expect(bench.notices.first == "The comment is pinned.")
  }

  @Test func onlyWhoMadeTheClipPins() async {
    let bench = CommentsBench(CommentServer([.sample(1)]))
    let model = await bench.begun()
    #expect(!model.canPin(model["c1"]))
    bench.server.change { $0.refusals["PUT"] = .commentNotYours }
    await model.setPinned(true, model["c1"])
    #expect(!model["c1"].pinned)
    #expect(bench.notices == ["This comment is not yours, and neither is its clip."])
  }

  // MARK: Deletion

  @Test func whatIsDeletedGoesAtOnceWithItsRepliesAndTheNumberFollows() async {
    let bench = CommentsBench(CommentServer([.sample(1, own: true), .sample(2, under: "c1"), .sample(3)]))
    let model = await bench.begun()
    var counted: [Int] = []
    bench.talk.onCommentsCounted = { counted.append($1) }
    #expect(model.canDelete(model["c1"]) && !model.canDelete(model["c3"]))
    model.reply(to: model["c1"])
    await model.delete(model["c1"])
    #expect(model.ids == ["c3"] && model.count == 1 && counted == [1] && model.answered == nil)
  }

  @Test func whatCouldNotBeDeletedIsThereAgain() async {
    let bench = CommentsBench(CommentServer([.sample(1)]))
    let model = await bench.begun(by: "me")
    bench.server.change { $0.refusals["DELETE"] = .commentNotYours }
    await model.delete(model["c1"])
    #expect(model.ids == ["c1"])
    #expect(bench.notices.map(\.key) == ["The comment was not deleted. %@"])
    bench.server.change { $0.refusals["DELETE"] = .commentNotFound }
    await model.delete(model["c1"])
    #expect(model.ids.isEmpty && bench.notices.count == 1)
  }

  @Test func aDeletedReplyIsOneLessUnderItsComment() async {
    let bench = CommentsBench(CommentServer([.sample(1), .sample(2, under: "c1", own: true)]))
    let model = await bench.begun()
    await model.toggleReplies(to: model["c1"])
    await model.delete(model["c2"])
    #expect(model.ids(under: "c1").isEmpty && model["c1"].replies == 0)
  }

  // MARK: Order and links

  @Test func thoseWithTheMostLikesComeFirstWhereThatIsChosen() async {
    let bench = CommentsBench(
      CommentServer([.sample(1, likes: 1), .sample(2, likes: 7), .sample(3), .sample(4, likes: 1)]))
    let model = await bench.begun()
    #expect(model.ids == ["c4", "c3", "c2", "c1"])
    await model.sort(by: .top)
    #expect(model.ids == ["c2", "c4", "c1", "c3"])
    await model.sort(by: .top)
    await model.sort(by: .newest)
    #expect(model.ids == ["c4", "c3", "c2", "c1"])
    #expect(bench.transport.lines.map { $0.contains("order=top") } == [false, true, false])
  }

  @Test func anOrderThatDidNotComeIsAskedForAgain() async {
    let bench = CommentsBench(CommentServer([.sample(1, likes: 1), .sample(2), .sample(3, likes: 7)]))
    let model = await bench.begun()
    bench.server.change { $0.isDown = true }
    await model.sort(by: .top)
    #expect(model.list.failure != nil && model.ids.count == 3)
    await model.list.again()
    #expect(model.list.failure != nil)
    bench.server.change { $0.isDown = false }
    await model.list.again()
    #expect(model.list.failure == nil && model.list.items.map(\.id) == ["c3", "c1", "c2"])
  }

  @Test func linksAreThoseOfTheWebAndNoneToAClipThatNobodySees() {
    let bench = CommentsBench(CommentServer())
    let model = bench.model()
    #expect(model.link(to: .sample(1))?.absoluteString == "https://clips.test/c/clip?comment=c1")
    #expect(model.address(of: "ann.b")?.absoluteString == "https://clips.test/@ann.b")
    let hidden = CommentsBench(CommentServer()).model { $0.visibility = .private }
    #expect(hidden.link(to: .sample(1)) == nil)
  }

  @Test func whoeverSignsInSeesTheirOwnLikes() async {
    let bench = CommentsBench(CommentServer([.sample(1)]))
    let model = await bench.begun()
    bench.server.change { $0.comments[0].liked = true }
    bench.viewer.viewerID = "another"
    bench.talk.viewerChanged()
    while !model["c1"].liked { await Task.yield() }
    #expect(model.isLiked(model["c1"]))
  }

  @Test func whoeverSignsInMayWriteAndSeesNothingThatWasTheOtherOnes() async {
    let bench = CommentsBench(CommentServer([.sample(1), .sample(2, under: "c1", own: true)]), viewer: nil)
    let model = bench.model { $0.comments = .off }
    await model.list.begin()
    await model.toggleReplies(to: model["c1"])
    #expect(model.ids(under: "c1") == ["c2"] && model.closedReason != nil)
    bench.viewer.viewerID = "another"
    bench.talk.viewerChanged()
    while !model.takesComments { await Task.yield() }
    #expect(model.ids(under: "c1").isEmpty && model.closedReason == nil)
  }

  @Test func anAnswerThatSomebodyBeganIsNotTheNextOnes() async {
    let bench = CommentsBench(CommentServer([.sample(1)]))
    let model = await bench.begun()
    let comment = model["c1"]
    model.reply(to: comment)
    model.field.text = "an answer"
    bench.viewer.viewerID = "another"
    bench.talk.viewerChanged()
    #expect(model.answered == nil && model.field.text.isEmpty)
    model.reply(to: comment)
    #expect(model.field.text.isEmpty)
    bench.viewer.viewerID = "me"
    bench.talk.viewerChanged()
    #expect(model.field.text == "an answer" && model.answered?.id == "c1")
  }

  @Test func whatBlockedPeopleWroteIsNotShownAmongReplies() async {
    let bench = CommentsBench(CommentServer([.sample(1), .sample(2, by: "loud", under: "c1")]))
    let model = await bench.begun()
    await model.toggleReplies(to: model["c1"])
    let gate = Gate()
    bench.server.change { state in
      state.gates["PUT"] = gate
      state.refusals["PUT"] = .tooManyRequests
    }
    let blocking = Task { await model.blocking.block(Author(id: "loud", handle: "loud", name: "Loud")) }
    while model.blocking.gone.isEmpty { await Task.yield() }
    #expect(model.ids(under: "c1").isEmpty)
    gate.open()
    #expect(await !blocking.value && model.ids(under: "c1") == ["c2"])
  }
}

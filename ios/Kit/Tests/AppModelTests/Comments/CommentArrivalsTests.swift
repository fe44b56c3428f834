import Contract
import Foundation
import Testing

@testable import AppModel

@MainActor @Suite struct CommentArrivalsTests {
  // MARK: Looking

  @Test func looksInPausesThatGrowUntilSomethingComes() async {
    let bench = CommentsBench(CommentServer([.sample(1)]))
    let model = bench.model()
    await model.appeared()
    for count in 1...5 { _ = await bench.clock.end(after: count) }
    while bench.clock.asked.count < 6 { await Task.yield() }
    bench.server.change { $0.comments.append(.sample(2)) }
    _ = await bench.clock.end(after: 6)
    while bench.clock.asked.count < 7 { await Task.yield() }
    #expect(model.ids == ["c2", "c1"] && model.count == 2)
    #expect(bench.clock.asked == [10, 20, 40, 60, 60, 60, 10].map { .seconds($0) })
    model.left()
    let asked = bench.count("GET")
    _ = await bench.clock.end(after: 7)
    await Task.yield()
    #expect(bench.count("GET") == asked && bench.clock.asked.count == 7)
  }

  @Test func nothingIsLookedForBehindTheAppAndAtOnceWhenItIsBack() async {
    let bench = CommentsBench(CommentServer([.sample(1)]))
    let model = bench.model()
    await model.appeared()
    bench.talk.backgrounded()
    bench.server.change { $0.comments.append(.sample(2)) }
    bench.talk.foregrounded()
    while model.ids != ["c2", "c1"] { await Task.yield() }
    model.left()
    bench.talk.backgrounded()
  }

  @Test func whatComesWhileSomebodyReadsFurtherDownWaits() async {
    let bench = CommentsBench(CommentServer([.sample(1)]))
    let model = await bench.begun()
    model.setAtTop(false)
    bench.server.change { $0.comments += [.sample(2), .sample(3)] }
    #expect(await model.look())
    #expect(model.ids == ["c1"] && model.held.map(\.id) == ["c3", "c2"] && model.count == 3)
    model.showHeld()
    #expect(model.ids == ["c3", "c2", "c1"] && model.held.isEmpty)
    bench.server.change { $0.comments.append(.sample(4)) }
    await model.look()
    model.setAtTop(true)
    #expect(model.ids == ["c4", "c3", "c2", "c1"])
  }

  @Test(arguments: [1, 60])
  func whereThereWereNoneNewOnesAreSeenAtOnceAndTheRestCanBeReached(_ count: Int) async {
    let bench = CommentsBench(CommentServer())
    let model = await bench.begun()
    model.setAtTop(false)
    bench.server.change { $0.comments = (1...count).map { .sample($0) } }
    #expect(await model.look())
    #expect(model.ids.first == "c\(count)" && model.held.isEmpty)
    while !model.list.isWhole { await model.list.more() }
    #expect(model.ids.count == count)
  }

  @Test func whatWasChangedOrDeletedElsewhereIsSo() async {
    let bench = CommentsBench(CommentServer((1...30).map { .sample($0) }))
    let model = await bench.begun()
    await model.list.more()
    bench.server.change { state in
      state.comments.removeAll { $0.id == "c29" }
      state.comments[2].pinned = true
      state.comments[27].likes = 5
      state.comments[27].replies = 0
    }
    #expect(await !model.look())
    #expect(model.ids.first == "c3" && model.ids.count == 29 && !model.ids.contains("c29"))
    #expect(model["c28"].likes == 5)
    bench.server.change { $0.comments[2].pinned = false }
    await model.look()
    #expect(model.ids.first == "c30" && model.ids.last == "c1" && !model["c3"].pinned)
  }

  @Test func whereMoreCameThanAPageTheListBeginsAnew() async {
    let bench = CommentsBench(CommentServer((1...30).map { .sample($0) }))
    let model = await bench.begun()
    bench.server.change { $0.comments += (31...90).map { .sample($0) } }
    #expect(await model.look())
    #expect(model.ids == (67...90).reversed().map { "c\($0)" } && !model.list.isWhole)
  }

  @Test func amongTheMostLikedNewOnesStandWhereTheServerHasThem() async {
    let bench = CommentsBench(CommentServer([.sample(1, likes: 9), .sample(2, likes: 2)]))
    let model = await bench.begun()
    await model.sort(by: .top)
    bench.server.change { $0.comments += [.sample(3, likes: 5), .sample(4)] }
    await model.look()
    #expect(model.ids == ["c1", "c3", "c2", "c4"])
  }

  @Test func newRepliesComeIntoAThreadThatIsOpen() async {
    let replies = (2...11).map { ClipComment.sample($0, under: "c1") }
    let bench = CommentsBench(CommentServer([.sample(1)] + replies))
    let model = await bench.begun()
    await model.toggleReplies(to: model["c1"])
    bench.server.change { state in
      state.comments.removeAll { $0.id == "c5" }
      state.comments += [.sample(12, under: "c1"), .sample(13, under: "c1")]
    }
    #expect(await model.look())
    #expect(model.ids(under: "c1") == [2, 3, 4, 6, 7, 8, 9, 10, 11, 12].map { "c\($0)" })
    #expect(model.hiddenReplies(of: model["c1"]) == 1)
  }

  @Test func withoutANetworkTheFirstPageIsTriedAgain() async {
    let bench = CommentsBench(CommentServer([.sample(1)]))
    bench.server.change { $0.isDown = true }
    let model = await bench.begun()
    #expect(model.list.failure != nil)
    #expect(await !model.look())
    bench.server.change { $0.isDown = false }
    #expect(await model.look())
    #expect(model.ids == ["c1"] && model.list.failure == nil)
  }

  // MARK: Told live

  @Test func whatIsToldOfTheClipOnTheScreenIsThereAndNoNotice() async throws {
    let bench = CommentsBench(CommentServer([.sample(1, own: true)]))
    let model = bench.model()
    await model.appeared()
    bench.talk.inbox.noteWritten()
    bench.talk.foregrounded()
    bench.server.change { $0.comments += [.sample(2, by: "ben", under: "c1"), .sample(3, by: "ben")] }
    let ben = Author(id: "ben", handle: "ben", name: "Ben")
    let now = Date(timeIntervalSince1970: 0)
    try await bench.stream.send(
      LiveEvent(
        id: "1", kind: LiveEvent.reply, createdAt: now, actor: ben, clipId: "clip", commentId: "c2"))
    // The look at the app's return may bring one and the stream the other, in either order.
    while model.ids != ["c3", "c1"] || model.ids(under: "c1") != ["c2"] { await Task.yield() }
    while model["c1"].replies != 1 { await Task.yield() }
    #expect(model.ids == ["c3", "c1"] && model.ids(under: "c1") == ["c2"])
    try await bench.stream.send(
      LiveEvent(
        id: "2", kind: LiveEvent.mention, createdAt: now, actor: ben, clipId: "other", commentId: "c9"))
    // The pause of the sheet, and the one in which notices gather.
    while !bench.clock.asked.contains(.milliseconds(800)) { await Task.yield() }
    _ = await bench.clock.end(after: bench.clock.asked.count)
    while bench.notices.isEmpty { await Task.yield() }
    #expect(bench.notices == [Sentence("%@ mentioned you in a comment.", "Ben")])
    model.left()
    bench.talk.backgrounded()
  }

  @Test func whatIsToldAmongTheMostLikedStandsOnTop() async {
    let liked = (1...30).map { ClipComment.sample($0, likes: 3) }
    let bench = CommentsBench(CommentServer(liked))
    let model = await bench.begun()
    await model.sort(by: .top)
    bench.server.change { $0.comments.append(.sample(40, by: "ben")) }
    await model.announced("c40")
    #expect(model.ids.first == "c40" && model.count == 31)
    await model.announced("c41")
    await model.announced(nil)
    #expect(model.ids.first == "c40")
  }

  // MARK: Links

  @Test func aLinkShowsItsCommentFirstAndMarked() async {
    let bench = CommentsBench(CommentServer((1...60).map { .sample($0) }))
    bench.talk.lead(to: "c2", of: "clip")
    let model = bench.model()
    await model.appeared()
    #expect(model.ids.prefix(3) == ["c2", "c60", "c59"] && model.marked == "c2")
    while !model.list.isWhole { await model.list.more() }
    #expect(model.ids.count == 60)
    model.left()
  }

  @Test func aLinkToAReplyShowsWhatItAnswersWithItsReplies() async {
    let replies = (3...20).map { ClipComment.sample($0, under: "c1") }
    let bench = CommentsBench(CommentServer([.sample(1), .sample(2)] + replies))
    let model = bench.model()
    await model.appeared()
    bench.talk.lead(to: "c19", of: "clip")
    while model.marked == nil || model.ids(under: "c1").count < 11 { await Task.yield() }
    #expect(model.ids == ["c1", "c2"] && model.marked == "c19")
    #expect(model.ids(under: "c1") == ((3...12).map { "c\($0)" } + ["c19"]))
    #expect(model.hiddenReplies(of: model["c1"]) == 7)
    model.left()
  }

  @Test func aLinkToWhatIsGoneOrOfAnotherClipSaysSo() async {
    let bench = CommentsBench(CommentServer([.sample(1)]))
    let model = bench.model()
    model.show("c9")
    await model.appeared()
    #expect(bench.notices == [.commentGone] && model.marked == nil && model.ids == ["c1"])
    bench.server.change { state in
      var other = ClipComment.sample(8)
      other.clipId = "other"
      state.comments.append(other)
    }
    bench.announcements.remove(1)
    model.show("c8")
    while bench.notices.isEmpty { await Task.yield() }
    #expect(bench.notices == [.commentGone] && model.marked == nil)
    model.left()
  }

  @Test func aLinkWaitsForTheNetwork() async {
    let bench = CommentsBench(CommentServer([.sample(1), .sample(2)]))
    bench.server.change { $0.isDown = true }
    let model = bench.model()
    model.show("c1")
    await model.appeared()
    #expect(model.marked == nil && bench.notices.isEmpty)
    bench.server.change { $0.isDown = false }
    await model.look()
    #expect(model.marked == "c1" && model.ids == ["c1", "c2"])
    model.left()
  }
}

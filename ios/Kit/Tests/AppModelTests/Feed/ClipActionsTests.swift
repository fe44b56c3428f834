import Contract
import CoreTypes
import Foundation
import PlaybackTesting
import Testing

@testable import AppModel

@MainActor @Suite struct ClipActionsTests {
  private func actions(
    left: [Clip] = [], _ answer: @escaping @Sendable (WireRequest) async throws -> WireResponse?
  ) -> (ClipActions, ScriptedTransport) {
    let transport = ScriptedTransport(answer)
    let client = Client(transport: transport)
    let activity = ActivityHost(client: client, clock: ManualClock(), file: nil)
    return (ClipActions(activity: activity, client: client, left: left), transport)
  }

  private let clip = sampleClip("a")
  private let item = ItemID(0)

  @Test func showsALikeAtOnceAndTakesTheServersCount() async {
    let (actions, transport) = actions { _ in
      try ScriptedTransport.json(LikeState(liked: true, likes: 42))
    }
    actions.like(clip, item)
    actions.like(clip, item)
    let standing = actions.standing(of: clip, item)
    #expect(standing.isLiked && standing.counts.likes == 1)
    await actions.settled()
    #expect(actions.standing(of: clip, item).counts.likes == 42)
    #expect(transport.calls == ["PUT /api/v1/clips/a/like"])
  }

  @Test func takesBackAndSaysWhatFails() async {
    let (actions, _) = actions { _ in try ScriptedTransport.problem(.clipNotFound) }
    var notices: [Sentence] = []
    actions.onNotice = { notices.append($0) }
    actions.turn(.like, of: clip, item)
    actions.turn(.follow, of: clip, item)
    await actions.settled()
    let standing = actions.standing(of: clip, item)
    #expect(!standing.isLiked && !standing.isFollowing && standing.counts.likes == 0)
    // Both were asked side by side: either answer may come first.
    #expect(notices.count == 2 && notices.contains(.likeFailed) && notices.contains(.followFailed))
  }

  @Test func followsNeitherOneselfNorAGuest() {
    let (actions, transport) = actions { _ in nil }
    actions.viewerID = { "a" }
    actions.turn(.follow, of: clip, item)
    actions.viewerID = { nil }
    var guest = clip
    guest.author = .guest("g")
    actions.turn(.follow, of: guest, item)
    #expect(transport.calls.isEmpty)
  }

  @Test func asksAgainForAClipOfTheLastVisit() async {
    var fresh = clip
    fresh.viewer = ClipViewer(liked: true)
    fresh.counts.likes = 9
    let body = fresh
    let (actions, transport) = actions(left: [clip]) { _ in try ScriptedTransport.json(body) }
    actions.renew(clip, item)
    actions.renew(clip, item)
    await actions.settled()
    let standing = actions.standing(of: clip, item)
    #expect(standing.isLiked && standing.counts.likes == 9)
    #expect(transport.calls == ["GET /api/v1/clips/a"])
  }

  @Test func saysThatAClipOfTheLastVisitIsGone() async {
    let (actions, _) = actions(left: [clip]) { _ in try ScriptedTransport.problem(.clipNotFound) }
    var gone: [ItemID] = []
    actions.onGone = { gone.append($0) }
    actions.renew(clip, item)
    await actions.settled()
    #expect(gone == [item])
  }

  @Test func forgetsHowSomebodyElseStoodToAClip() async {
    var liked = clip
    liked.viewer = ClipViewer(liked: true)
    let (actions, _) = actions { _ in throw URLError(.notConnectedToInternet) }
    #expect(actions.standing(of: liked, item).isLiked)
    actions.viewerChanged(size: 1)
    #expect(!actions.standing(of: liked, item).isLiked)
    #expect(actions.standing(of: liked, ItemID(1)).isLiked)
  }

  @Test(arguments: [false, true])
  func whatSomebodyElseAskedForIsNotHowOneStands(isGone: Bool) async {
    var liked = clip
    liked.viewer = ClipViewer(liked: true)
    let (gate, body) = (Gate(), liked)
    let (actions, transport) = actions(left: [clip]) { _ in
      await gate.pass()
      return isGone ? try ScriptedTransport.problem(.clipNotFound) : try ScriptedTransport.json(body)
    }
    var gone: [ItemID] = []
    actions.onGone = { gone.append($0) }
    actions.renew(clip, item)
    #expect(await soon { transport.calls.count == 1 })
    actions.viewerChanged(size: 1)
    gate.open()
    await actions.settled()
    #expect(!actions.standing(of: clip, item).isLiked && gone.isEmpty)
    actions.renew(clip, item)
    await actions.settled()
    #expect(transport.calls.count == 2)
    #expect(isGone ? gone == [item] : actions.standing(of: clip, item).isLiked)
  }

  @Test func countsAShareOnlyIfTheServerDoes() async {
    let (actions, transport) = actions { request in
      if request.headers["idempotency-key"] == nil {
        return try ScriptedTransport.problem(.invalidParameter)
      }
      return try ScriptedTransport.json(ShareCount(shares: 3))
    }
    actions.shared(clip)
    #expect(actions.standing(of: clip, item).counts.shares == 1)
    await actions.settled()
    #expect(actions.standing(of: clip, item).counts.shares == 3)
    #expect(transport.calls == ["POST /api/v1/clips/a/shares"])
  }

  @Test func blocksOnceAndTakesItBackIfItFails() async {
    let (actions, transport) = actions { _ in try ScriptedTransport.problem(.authorNotFound) }
    var notices: [Sentence] = []
    actions.onNotice = { notices.append($0) }
    actions.block(clip.author) { Issue.record("it failed") }
    actions.block(clip.author) { Issue.record("it failed") }
    await actions.settled()
    #expect(notices == [.blocked("Ann"), .notBlocked("Ann")])
    #expect(transport.calls == ["PUT /api/v1/authors/a/block"])
    #expect(actions.blocked.isEmpty)
  }
}

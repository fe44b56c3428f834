import Contract
import CoreTypes
import Foundation
import Playback
import PlaybackTesting
import Synchronization
import Testing

@testable import AppModel

@MainActor @Suite struct OwnershipTests {
  private let transport = ParkedTransport()

  private func ownership() -> Ownership { Ownership(client: Client(transport: transport)) }

  private func guestClip(_ id: String) -> Clip {
    var clip = sampleClip(id)
    clip.author = .guest("g")
    return clip
  }

  private func listed(_ id: String) -> OwnClip {
    OwnClip(uploadId: "u-" + id, clipId: id, state: .published, createdAt: epoch)
  }

  @Test func aClipOfAnAccountBearsItsNameAndNobodyIsAsked() {
    let ownership = ownership()
    let clip = sampleClip("1")
    ownership.learn(clip, viewer: nil)
    #expect(ownership.owner(of: clip, viewer: "a") == .own)
    #expect(ownership.owner(of: clip, viewer: "b") == .other)
    #expect(ownership.owner(of: clip, viewer: nil) == .other)
    #expect(transport.count == 0)
  }

  @Test func aGuestsOwnClipStandsInTheirListWhichIsAskedForOnce() async {
    let ownership = ownership()
    ownership.learn(guestClip("1"), viewer: nil)
    ownership.learn(guestClip("2"), viewer: nil)
    #expect(ownership.owner(of: guestClip("1"), viewer: nil) == .unknown)
    let asked = await transport.next()
    #expect(asked.request.target == "/api/v1/account/clips?limit=50")
    asked.answer(200, OwnClipPage(items: [listed("1")], nextCursor: "next"))
    let second = await transport.next()
    #expect(second.request.target.contains("cursor=next"))
    second.answer(200, OwnClipPage(items: [listed("3")], nextCursor: nil))
    await ownership.settled()
    #expect(["1", "2", "3"].map { ownership.owner(of: guestClip($0), viewer: nil) } == [.own, .other, .own])
    #expect(ownership.upload(of: "3") == "u-3")
    ownership.learn(guestClip("2"), viewer: nil)
    #expect(transport.count == 2)
  }

  @Test func whatCouldNotBeFoundOutIsAskedForTheNextTime() async {
    let ownership = ownership()
    ownership.learn(guestClip("1"), viewer: nil)
    await transport.next().fail(.notConnectedToInternet)
    await ownership.settled()
    #expect(ownership.owner(of: guestClip("1"), viewer: nil) == .unknown)
    ownership.learn(guestClip("2"), viewer: nil)
    await transport.next().answer(200, OwnClipPage(items: [], nextCursor: nil))
    await ownership.settled()
    #expect(ownership.owner(of: guestClip("1"), viewer: nil) == .other)
  }

  @Test func whatWasUploadedMeanwhileIsKnownAtOnce() async {
    let ownership = ownership()
    ownership.learn(guestClip("1"), viewer: nil)
    await transport.next().answer(200, OwnClipPage(items: [], nextCursor: nil))
    await ownership.settled()
    ownership.add("2", upload: "u-2")
    #expect(ownership.owner(of: guestClip("2"), viewer: nil) == .own)
  }

  /// A private clip's id leads nobody to it.
  @Test func theFeedAsksForAClipByItsSecretWhereThatIsKnown() async throws {
    let transport = ScriptedTransport { _ in try ScriptedTransport.json(sampleClip("1")) }
    let client = Client(transport: transport)
    let ownership = Ownership(client: client)
    let source = FeedServer(client: client, ownership: ownership)
    #expect(try await source.clip("1").id == "1")
    ownership.remember("u-1", of: "1")
    #expect(try await source.clip("1").id == "1")
    #expect(transport.calls == ["GET /api/v1/clips/1", "GET /api/v1/uploads/u-1/clip"])
  }

  @Test func whoeverComesNextKnowsNeitherClipsNorSecrets() async {
    let ownership = ownership()
    ownership.add("1", upload: "u-1")
    ownership.learn(guestClip("2"), viewer: nil)
    let asked = await transport.next()
    ownership.clear()
    // The answer is to somebody who is gone.
    asked.answer(200, OwnClipPage(items: [listed("2")], nextCursor: nil))
    ownership.learn(guestClip("3"), viewer: nil)
    await transport.next().answer(200, OwnClipPage(items: [], nextCursor: nil))
    await ownership.settled()
    #expect(["1", "2"].allSatisfy { ownership.owner(of: guestClip($0), viewer: nil) == .other })
    #expect(ownership.upload(of: "1") == nil && ownership.upload(of: "2") == nil)
  }

  // MARK: On the screen

  @Test func theMenuOfAGuestsOwnClipOffersWhatItsOwnerMay() async {
    let clip = guestClip("1")
    let list = OwnClipPage(items: [listed("1")], nextCursor: nil)
    let bench = FeedBench(left: [clip]) { request in
      if request.target.hasPrefix("/api/v1/account/clips") { return try ScriptedTransport.json(list) }
      return nil
    }
    bench.start()
    #expect(await eventually { bench.model.menu?.items.last == .edit })
    var opened: [String] = []
    bench.model.onInsights = { opened.append($0.id) }
    bench.model.onOwnClips = { opened.append("list") }
    bench.model.openInsights()
    bench.model.openOwnClips()
    #expect(opened == ["1", "list"])
    await bench.end()
  }

  @Test func theLinkOfAPrivateClipIsCopiedWithItsSecretAndCountsAsNoShare() async {
    let bench = FeedBench(left: [sampleClip("1", visibility: .private)]) { _ in nil }
    bench.start()
    #expect(bench.model.linkToCopy() == nil && bench.notices == [.clipPrivate])
    bench.assembly.actions.ownership.remember("secret", of: "1")
    #expect(bench.model.linkToCopy() == "https://clips.test/c/1#secret")
    bench.model.linkCopied()
    #expect(bench.notices.last == .secretCopied)
    // Handing it on by the system's sheet stays refused, as on the web.
    #expect(bench.model.link() == nil)
    #expect(!bench.transport.calls.contains { $0.hasSuffix("/shares") })
    await bench.end()
  }

  @Test func theSecretOfALinkIsRemembered() async throws {
    let clip = sampleClip("p", visibility: .private)
    let bench = FeedBench(left: [sampleClip("1")]) { request in
      request.target == "/api/v1/uploads/secret/clip" ? try ScriptedTransport.json(clip) : nil
    }
    bench.start()
    #expect(await bench.model.open("p", upload: "secret"))
    // As long as the core waits for its first frame at most.
    bench.advance(by: 5_000)
    #expect(bench.model.currentClip?.id == "p")
    #expect(bench.model.linkToCopy() == "https://clips.test/c/p#secret")
    // To have a link is not to have made the clip.
    #expect(bench.model.menu?.items.contains(.insights) == false)
    await bench.end()
  }
}

import Contract
import Foundation
import Playback
import PlaybackTesting
import Testing

@testable import AppModel

@MainActor @Suite struct ProfileModelTests {
  @Test func aNameLeadsToTheirPageAndAGuestsToNone() async throws {
    let bench = ProfileBench()
    bench.profiles.open(.guest("g"))
    bench.profiles.open(Author(id: "z", handle: "", name: ""))
    #expect(bench.router.path.isEmpty)
    let model = await bench.opened()
    #expect(bench.router.path == [.profile("ada")])
    #expect(model.profile == bench.server.profile)
    #expect(model.link?.absoluteString == "https://clips.test/#profile/ada")
    // Whoever comes back finds it as it was; whoever opens it again finds it as it is.
    #expect(bench.profiles.profile(of: .profile("ada")) === model)
    bench.router.back()
    #expect(await bench.opened() !== model)
    #expect(bench.profiles.profile(of: .settings) == nil && bench.profiles.people(of: .settings) == nil)
    await bench.feed.end()
  }

  @Test func whoIsNotThereIsNobodyAndWhatFailsCanBeTriedAgain() async {
    let bench = ProfileBench()
    bench.profiles.open(.profile("eve"))
    let nobody = bench.profiles.profile(of: .profile("eve"))
    await nobody?.begin()
    #expect(nobody?.state == .nobody)
    bench.server.change { $0.refusals["GET /api/v1/profiles/ada"] = Problem(.unavailable, requestID: "") }
    let model = await bench.opened()
    guard case .failed = model.state else {
      Issue.record("it did not fail")
      return
    }
    bench.server.change { $0.refusals = [:] }
    await model.load()
    #expect(model.profile?.bio == "Engines.")
    // Afterwards what was there stays, and the failure is said.
    bench.server.change { $0.refusals["GET /api/v1/profiles/ada"] = Problem(.unavailable, requestID: "") }
    await model.reload()
    #expect(model.profile?.bio == "Engines." && bench.feed.notices.count == 1)
    await bench.feed.end()
  }

  @Test func onlyWhatABrowserOpensIsALink() async {
    let bench = ProfileBench(
      ProfileServer {
        $0.profile.links = [
          "https://ada.example/", "http://b.example/x?y#z", "javascript:alert(1)", "clipfeed://c/x",
          "https://ada@evil.example", "https://", "tel:123", "not an address", "",
        ]
      })
    let model = await bench.opened()
    #expect(model.links.map(\.text) == ["ada.example", "b.example/x?y#z"])
    #expect(model.links.first?.url.absoluteString == "https://ada.example/")
    await bench.feed.end()
  }

  @Test func followingShowsAtOnceInTheFeedTooAndIsTakenBackWhenItFails() async throws {
    let gate = Gate()
    let bench = ProfileBench(ProfileServer { $0.gates["/follow"] = gate })
    let model = await bench.opened()
    let item = try #require(bench.feed.model.state.current)
    model.toggleFollow()
    #expect(model.profile?.viewer.following == true && model.profile?.followers == 8)
    // The clip on the screen is of the same author.
    #expect(bench.feed.model.standing(of: item)?.isFollowing == true)
    gate.open()
    #expect(await eventually { bench.server.profile.viewer.following })
    bench.server.change { $0.refusals["DELETE"] = Problem(.authorNotFound, requestID: "") }
    model.toggleFollow()
    #expect(model.profile?.viewer.following == false && model.profile?.followers == 7)
    #expect(await eventually { model.profile?.viewer.following == true })
    #expect(model.profile?.followers == 8)
    #expect(bench.feed.model.standing(of: item)?.isFollowing == true)
    #expect(bench.feed.notices == [.followFailed])
    await bench.feed.end()
  }

  @Test func aServersNumberIsNeverTooLarge() async {
    let bench = ProfileBench(
      ProfileServer {
        $0.profile.followers = .max
        $0.refusals["PUT"] = Problem(.authorNotFound, requestID: "")
      })
    let model = await bench.opened()
    model.toggleFollow()
    #expect(model.profile?.viewer.following == true && (model.profile?.followers ?? -1) >= 0)
    #expect(await eventually { model.profile?.viewer.following == false })
    #expect((model.profile?.followers ?? -1) >= 0)
    await bench.feed.end()
  }

  @Test func othersCanBeReportedAlsoOnceTheyAreBlockedAndOneselfCannot() async {
    let bench = ProfileBench()
    var reported: [ReportSubject] = []
    bench.profiles.onReport = { reported.append($0) }
    let model = await bench.opened()
    model.report()
    await model.block()
    #expect(!model.canBlock && model.canReport)
    model.report()
    let ada = bench.server.profile.author
    #expect(reported == [.person(ada, isBlocked: false), .person(ada, isBlocked: true)])
    bench.server.change { $0.profile.viewer = ProfileViewer(isSelf: true) }
    await model.load()
    model.report()
    #expect(!model.canReport && reported.count == 2)
    await bench.feed.end()
  }

  @Test func whoeverIsBlockedElsewhereIsBlockedOnTheirPageToo() async {
    let bench = ProfileBench()
    let model = await bench.opened()
    await model.clips.list.begin()
    await bench.blocking.block(bench.server.profile.author)
    #expect(await eventually { model.profile?.viewer.blocked == true })
    await bench.feed.end()
  }

  @Test func blockingTakesTheClipsAwayAndUnblockingBringsThemBack() async {
    let bench = ProfileBench()
    var blocked: [String] = []
    bench.blocking.onBlocked { blocked.append($0) }
    let model = await bench.opened()
    await model.clips.list.begin()
    #expect(model.canBlock && model.clips.list.items.map(\.id) == ["x", "y"])
    await model.block()
    #expect(model.profile?.viewer == ProfileViewer(blocked: true) && blocked == ["a"])
    #expect(model.clips.list.items.isEmpty && !model.canBlock)
    model.toggleFollow()
    model.write()
    #expect(model.profile?.viewer.following == false && bench.router.path == [.profile("ada")])
    await model.unblock()
    #expect(model.profile?.viewer == ProfileViewer() && bench.blocking.gone.isEmpty)
    await model.clips.list.begin()
    #expect(model.clips.list.items.count == 2)
    await bench.feed.end()
  }

  @Test func aBlockThatFailsIsTakenBack() async {
    let bench = ProfileBench(
      ProfileServer {
        $0.refusals["PUT /api/v1/authors/a/block"] = Problem(.unavailable, requestID: "")
      })
    let model = await bench.opened()
    await model.clips.list.begin()
    await model.block()
    #expect(model.profile?.viewer == ProfileViewer() && model.clips.list.items.count == 2)
    #expect(bench.feed.notices.count == 1)
    await bench.feed.end()
  }

  @Test func aClipOpensTheFeedRightThereAndGoingBackComesToTheSamePlace() async throws {
    let bench = ProfileBench()
    let model = await bench.opened()
    await model.clips.list.begin()
    model.clips.open(try #require(model.clips.list.items.last))
    #expect(bench.feed.model.currentClip?.id == "y" && bench.router.path.isEmpty)
    #expect(bench.feed.assembly.tabs.back == Sentence("@%@", "ada"))
    // Another profile on the way does not make it forgotten.
    bench.profiles.open(.profile("eve"))
    _ = bench.profiles.profile(of: .profile("eve"))
    bench.router.showFeed()
    bench.feed.assembly.tabs.goBack()
    #expect(bench.router.path == [.profile("ada")])
    #expect(bench.profiles.profile(of: .profile("ada")) === model && model.clips.returnsTo == "y")
    await bench.feed.end()
  }

  @Test func whatTheyShowThatTheyLikeIsATabWhoseClipsOpenTheFeed() async throws {
    let bench = ProfileBench()
    let model = await bench.opened()
    #expect(model.tabs == [.clips] && model.grid === model.clips)
    // Chosen where it is not there: nothing changes.
    model.turn(to: .liked)
    #expect(model.tab == .clips && model.grid === model.clips)
    bench.server.change { $0.profile.likesPublic = true }
    await model.load()
    #expect(model.tabs == [.clips, .liked] && model.tab == .liked && model.seenBy == nil)
    await model.grid.list.begin()
    #expect(model.grid.list.items.map(\.id) == ["l", "m"])
    #expect(model.noClips.key == "Nothing here yet.")
    model.grid.open(try #require(model.grid.list.items.last))
    #expect(bench.feed.model.currentClip?.id == "m" && bench.router.path.isEmpty)
    #expect(bench.feed.assembly.tabs.back == Sentence("Liked by %@", "@ada"))
    bench.feed.assembly.tabs.goBack()
    #expect(bench.router.path == [.profile("ada")])
    #expect(bench.profiles.profile(of: .profile("ada")) === model)
    #expect(model.tab == .liked && model.grid.returnsTo == "m")
    // It is not shown any more.
    bench.server.change { $0.profile.likesPublic = false }
    await model.reload()
    #expect(model.tab == .clips && model.liked.list.items.isEmpty && model.clips.list.items.count == 2)
    await bench.feed.end()
  }

  @Test func onesOwnLikesAreThereWithWhoSeesThem() async {
    let bench = ProfileBench(ProfileServer { $0.profile.viewer = ProfileViewer(isSelf: true) })
    let model = await bench.opened()
    #expect(model.tabs == [.clips, .liked] && model.seenBy == nil)
    model.turn(to: .liked)
    #expect(model.seenBy?.key == "You alone see what you like.")
    await model.grid.list.begin()
    #expect(model.grid.list.items.map(\.id) == ["l", "m", "u"])
    model.edit()
    await bench.profiles.editing.showLikes(true)
    #expect(model.seenBy?.key == "Everybody finds the public ones of these clips on your profile.")
    // Somebody else looks.
    bench.server.change { $0.profile.viewer = ProfileViewer() }
    bench.profiles.viewerChanged()
    #expect(await eventually { model.profile != nil })
    #expect(model.tab == .clips && model.liked.list.items.isEmpty)
    model.turn(to: .liked)
    await model.grid.list.begin()
    #expect(model.grid.list.items.map(\.id) == ["l", "m"])
    await bench.feed.end()
  }

  @Test func theMessageButtonOpensTheConversation() async {
    let bench = ProfileBench()
    var written: [String] = []
    bench.profiles.onWrite = { written.append($0.name) }
    let model = await bench.opened()
    model.write()
    #expect(written == ["Ada"] && bench.router.top == .conversation(with: "a"))
    await bench.feed.end()
  }

  @Test func whoSignsInIsToldAnew() async {
    let bench = ProfileBench()
    let model = await bench.opened()
    bench.server.change { $0.profile.viewer = ProfileViewer(isSelf: true) }
    bench.profiles.viewerChanged()
    #expect(model.profile == nil)
    #expect(await eventually { model.profile?.viewer.isSelf == true })
    #expect(!model.canBlock)
    await bench.feed.end()
  }

  private func eventually(_ isSo: () -> Bool) async -> Bool {
    for _ in 0..<20_000 {
      if isSo() { return true }
      try? await Task.sleep(for: .milliseconds(1))
    }
    return false
  }
}

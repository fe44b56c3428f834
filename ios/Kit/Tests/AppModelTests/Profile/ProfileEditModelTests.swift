import Contract
import Foundation
import Persistence
import Playback
import Testing

@testable import AppModel

@MainActor @Suite struct ProfileEditModelTests {
  private func opened(
    _ change: (inout ProfileServer.State) -> Void = { _ in }
  ) async -> (ProfileBench, ProfileModel, ProfileEditModel) {
    let bench = ProfileBench(
      ProfileServer {
        $0.profile.viewer = ProfileViewer(isSelf: true)
        change(&$0)
      })
    let model = await bench.opened()
    model.edit()
    return (bench, model, bench.profiles.editing)
  }

  @Test func onlyOnesOwnIsEdited() async {
    let bench = ProfileBench()
    await bench.opened().edit()
    #expect(bench.router.path == [.profile("ada")])
    await bench.feed.end()
  }

  @Test func whatIsSavedIsShownAtOnceWhereItWasBegun() async {
    let (bench, model, editing) = await opened()
    #expect(editing.form[.bio] == "Engines." && editing.form[.firstLink] == "https://ada.example")
    editing.form[.bio] = "  Numbers.  "
    editing.form[.firstLink] = ""
    editing.form[.thirdLink] = "https://b.example"
    await editing.save()
    #expect(model.profile?.bio == "Numbers." && model.links.map(\.text) == ["b.example"])
    #expect(bench.router.path == [.profile("ada")])
    #expect(bench.feed.notices == ["The profile is saved."])
    await editing.settled()
    #expect(bench.drafts.load() == nil)
    await bench.feed.end()
  }

  /// What is empty is not sent: the second of two is the third field.
  @Test func aRefusalShowsAtItsFieldAndNothingTypedIsLost() async {
    let (bench, _, editing) = await opened {
      $0.refusals["PATCH"] = Problem(.profileLinkInvalid, field: "links[1]", requestID: "")
    }
    editing.form[.thirdLink] = "javascript:x"
    await editing.save()
    #expect(editing.form.faults[.thirdLink]?.key == ErrorCode.profileLinkInvalid.message)
    #expect(editing.form.faults.count == 1 && editing.form.focus == .thirdLink)
    #expect(editing.form[.thirdLink] == "javascript:x" && editing.form[.bio] == "Engines.")
    #expect(bench.router.top == .profileEditing)
    bench.server.change { $0.refusals["PATCH"] = Problem(.bioTooLong, field: "bio", requestID: "") }
    await editing.save()
    #expect(editing.form.faults[.bio]?.key == ErrorCode.bioTooLong.message)
    await bench.feed.end()
  }

  @Test func aDraftOutlivesTheAppAndIsItsAccountsAlone() async throws {
    let (bench, model, editing) = await opened()
    editing.form[.bio] = ""
    editing.form[.secondLink] = "b.example"
    let pauses = await bench.pause.end(after: 1)
    #expect(pauses == [WrittenField.storeDelay])
    while bench.drafts.load() == nil { await Task.yield() }
    let later = bench.make().editing
    later.begin(try #require(model.profile))
    #expect(later.form[.bio] == "" && later.form[.secondLink] == "b.example")
    #expect(later.form[.firstLink] == "https://ada.example")
    var other = try #require(model.profile)
    other.author.id = "b"
    other.bio = "Another"
    later.begin(other)
    #expect(later.form[.bio] == "Another" && later.form[.secondLink] == "")
    // Typed as it was: there is no draft any more.
    editing.form[.bio] = "Engines."
    editing.form[.secondLink] = ""
    editing.store()
    await editing.settled()
    #expect(bench.drafts.load() == nil)
    await bench.feed.end()
  }

  @Test func whatIsTypedWhileItTravelsStays() async {
    let gate = Gate()
    let (bench, model, editing) = await opened { $0.gates["/account/profile"] = gate }
    editing.form[.bio] = "First"
    async let saved: Void = editing.save()
    while !bench.transport.calls.contains("PATCH /api/v1/account/profile") { await Task.yield() }
    editing.form[.bio] = "First and second"
    gate.open()
    await saved
    #expect(bench.server.profile.bio == "First" && editing.form[.bio] == "First and second")
    #expect(bench.router.top == .profileEditing && model.profile?.bio == "First")
    await bench.feed.end()
  }

  @Test func whatOneLikesIsShownAsSoonAsItIsTurnedAndTheLastTurnHolds() async {
    let gate = Gate()
    let (bench, model, editing) = await opened { $0.gates["/account/profile"] = gate }
    editing.form[.bio] = "Typed"
    #expect(!editing.showsLikes)
    async let first: Void = editing.showLikes(true)
    while !editing.showsLikes { await Task.yield() }
    async let second: Void = editing.showLikes(false)
    while editing.showsLikes { await Task.yield() }
    async let third: Void = editing.showLikes(true)
    while !editing.showsLikes { await Task.yield() }
    #expect(!bench.server.profile.likesPublic)
    gate.open()
    _ = await (first, second, third)
    #expect(bench.server.profile.likesPublic && editing.showsLikes && model.profile?.likesPublic == true)
    // Nothing that is typed goes with it, or is lost.
    #expect(bench.server.profile.bio == "Engines." && editing.form[.bio] == "Typed")
    #expect(bench.router.top == .profileEditing && bench.feed.notices.isEmpty)
    await bench.feed.end()
  }

  @Test func aTurnThatFailsIsTakenBackAndSaid() async {
    let (bench, model, editing) = await opened {
      $0.refusals["PATCH"] = Problem(.unavailable, requestID: "")
    }
    await editing.showLikes(true)
    #expect(!editing.showsLikes && model.profile?.likesPublic == false && bench.feed.notices.count == 1)
    await bench.feed.end()
  }

  @Test func whoSignsOutLeavesTheFormAndTheDraftStays() async {
    let (bench, _, editing) = await opened()
    editing.form[.bio] = "Half"
    bench.profiles.viewerChanged()
    #expect(bench.router.path == [.profile("ada")] && editing.form[.bio] == "" && editing.profile == nil)
    await editing.settled()
    #expect(bench.drafts.load()?["a"]?.bio == "Half")
    await bench.feed.end()
  }
}

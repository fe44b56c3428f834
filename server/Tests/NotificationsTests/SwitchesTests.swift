import Contract
import Platform
import Testing

@testable import Notifications

@Suite struct SwitchesTests {
  @Test func everybodyHearsOfEverythingButLikesOfCommentsAndClipsOfOthersOnDevices() {
    let settings = Switches(stored: "").settings.items
    #expect(settings.map(\.kind) == NotificationKind.all)
    #expect(
      settings.filter { $0.push == false }.map(\.kind) == [
        NotificationKind.commentLike, NotificationKind.newClip,
      ])
    // Told in the list and by mail, and on no device.
    #expect(settings.filter { $0.push == nil }.map(\.kind) == [NotificationKind.decision])
    #expect(
      settings.filter { $0.list == nil }.map(\.kind) == [NotificationKind.message, NotificationKind.reaction])
    #expect(settings.allSatisfy { $0.list != false })
  }

  @Test func onlyWhatDiffersIsKept() {
    var switches = Switches(stored: "")
    switches.change(
      NotificationSettingsChange(items: [
        .init(kind: NotificationKind.like, list: false), .init(kind: NotificationKind.follow, push: true),
        .init(kind: NotificationKind.commentLike, push: true),
        .init(kind: NotificationKind.message, list: true, push: false),
        .init(kind: NotificationKind.decision, list: true, push: false),
        .init(kind: "of tomorrow", push: false),
      ]))
    #expect(switches.stored == "list.like=0 push.comment_like=1 push.message=0")
    #expect(Switches(stored: switches.stored) == switches)
    switches.change(
      NotificationSettingsChange(items: [
        .init(kind: NotificationKind.like, list: true),
        .init(kind: NotificationKind.commentLike, push: false),
        .init(kind: NotificationKind.message, push: true),
      ]))
    #expect(switches.stored == "")
  }

  @Test(arguments: ["=", "push", "push.like", "push.like=2", "push.like=0=1", " ", "=1 x"])
  func whatIsNoneIsPassedOver(_ stored: String) {
    #expect(Switches(stored: stored).isOn(.push, NotificationKind.like))
  }
}

@Suite struct EntryTests {
  @Test func aDayOfFollowsIsRead() {
    let entry = Entry(.followed, at: 2 * NotificationStore.dayMs + 5)
    #expect(entry.about == "follow/2")
    #expect(Entry.day(of: entry.about) == 2 * NotificationStore.dayMs..<3 * NotificationStore.dayMs)
    #expect(Entry.day(of: "follow/x") == nil && Entry.day(of: "") == nil)
  }

  @Test func whatIsToldAsOneIsOneRow() {
    #expect(Entry(.liked(clip: "a"), at: 0).about == "like/a")
    #expect(Entry(.likedComment("c", clip: "a"), at: 0).about == "comment_like/c")
    #expect(Entry(.commented("c", clip: "a", kind: LiveEvent.reply), at: 0).about == "reply/c")
    #expect(Entry(.commented("c", clip: "a", kind: LiveEvent.reply), at: 0).needsName == false)
    #expect(Entry(.commented("c", clip: "a", kind: LiveEvent.comment), at: 0).needsName)
    #expect(Entry(.published(clip: "a"), at: 0).about != Entry(.failed(clip: "a"), at: 0).about)
    let (made, failed) = (Entry(.generated("g", clip: "a"), at: 0), Entry(.generated("g", clip: nil), at: 0))
    #expect(made.about == "generated/g" && made.clipID == "a" && !made.isGroup)
    #expect(failed.about == "generation_failed/g" && failed.clipID == nil)
    #expect(Entry.generation(of: made.about) == "g" && Entry.generation(of: failed.about) == "g")
    #expect(Entry.generation(of: "like/g") == nil && Entry.generation(of: "generated") == nil)
    let off = Entry(.switchedOff(webhook: "w"), at: 0)
    #expect(off.about == "webhook_off/w" && off.isGroup && Entry.webhook(of: off.about) == "w")
    #expect(Entry.webhook(of: made.about) == nil && Entry.webhook(of: "webhook_off") == nil)
  }

  @Test func newClipsOfOneGroupAreOneRow() {
    let row = Entry(.newClip("b", group: "a"), at: 0)
    #expect(row.about == "new_clip/a" && row.clipID == "b" && row.isGroup)
    #expect(Entry.group(of: row.about) == "a")
    #expect(Entry.group(of: "like/a") == nil && Entry.group(of: "new_clip") == nil)
  }

  @Test func aDecisionAndTheAnswerToItAreTwoRows() {
    let decided = Entry(.decided("d", clip: "a", isAnswer: false), at: 0)
    let answered = Entry(.decided("d", clip: nil, isAnswer: true), at: 0)
    #expect(decided.about == "decision/d" && decided.clipID == "a" && !decided.isGroup)
    #expect(Entry.decision(of: decided.about).map { "\($0)" } == "(id: \"d\", isAnswer: false)")
    #expect(Entry.decision(of: answered.about)?.isAnswer == true)
    #expect(Entry.decision(of: "decision/d/else") == nil && Entry.decision(of: "decision") == nil)
  }
}

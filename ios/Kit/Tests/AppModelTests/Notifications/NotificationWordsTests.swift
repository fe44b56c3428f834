import Contract
import Foundation
import Testing

@testable import AppModel

@Suite struct NotificationWordsTests {
  private let people = ["Ann", "Bob", "Cid"].map { Author(id: $0, handle: $0.lowercased(), name: $0) }

  private func entry(_ kind: String, _ named: Int = 1, of count: Int? = nil) -> NotificationEntry {
    var entry = sampleEntry("a", kind)
    entry.people = Array(people.prefix(named))
    entry.count = count ?? named
    return entry
  }

  private func words(_ kind: String, _ named: Int = 1, of count: Int? = nil) -> String? {
    entry(kind, named, of: count).sentence?.text { $0 }
  }

  @Test func severalAreToldAsOne() {
    #expect(words("like") == "Ann likes your clip.")
    #expect(words("like", 2) == "Ann and Bob like your clip.")
    #expect(words("like", 3) == "Ann and 2 others like your clip.")
    #expect(words("comment_like", 3, of: 8) == "Ann and 7 others like your comment.")
    #expect(words("follow", 3, of: Limits.notificationPeople) == "Ann and 99+ others follow you.")
  }

  @Test func eachKindThatStandsInTheListHasWordsAndAPlaceAndOthersNone() {
    for kind in NotificationKind.listed {
      #expect(words(kind) != nil && entry(kind).place != nil, "\(kind)")
    }
    #expect(words("moon") == nil)
    #expect(words(NotificationKind.message) == nil)
  }

  @Test func whoIsNotNamedIsSomebody() {
    #expect(words("reply", 0, of: 1) == "Somebody replied to your comment.")
    #expect(words("like", 0, of: 0) == "Somebody likes your clip.")
    // More than are named, and fewer than are counted.
    #expect(words("like", 1, of: 2) == "Ann and somebody else like your clip.")
    #expect(words("like", 2, of: .min) == "Ann and Bob like your clip.")
    var nameless = entry("follow")
    nameless.people[0].name = ""
    #expect(nameless.sentence?.text { $0 } == "@ann follows you.")
  }

  @Test func aRowLeadsToWhatItIsAbout() {
    #expect(entry("like").place == .clip("clip"))
    #expect(entry("published").place == .clip("clip"))
    #expect(entry("failed").place == .ownClips)
    #expect(entry("new_clip", 1).sentence?.text { $0 }.hasSuffix("published a clip.") == true)
    #expect(entry("new_clip", 2).sentence?.text { $0 }.hasSuffix("published new clips.") == true)
    var made = entry("generated", 0)
    #expect(made.place == .generation(nil))
    made.generationId = "g"
    #expect(made.place == .generation("g") && made.sentence?.text { $0 } == "Your clip is made: have a look.")
    var unmade = entry("generation_failed", 0)
    unmade.generationId = "h"
    #expect(unmade.place == .generation("h"))
    #expect(entry("webhook_off", 0).place == .webhooks)
    var decided = entry("decision", 0)
    #expect(decided.place == .decisions)
    decided.decision = NotificationDecision(id: "d", kind: .clip, action: .ageLimit, outcome: .reversed)
    #expect(decided.sentence?.text { $0 } == "A moderator took a decision back.")
    var comment = entry("mention")
    comment.comment = NotificationComment(id: "k", text: "Hi @me", parentId: "p")
    #expect(comment.place == .comment("k", of: "clip") && comment.words == "Hi @me")
    #expect(entry("follow").place == .person(people[0]))
    #expect(entry("follow", 2).place == .followers)
    #expect(entry("follow", 0, of: 0).place == .followers)
    var bare = entry("like")
    #expect(bare.words == "Dawn")
    bare.clip = nil
    #expect(bare.place == nil && bare.words == nil)
  }

  @Test func eachSettingHasATitleOfItsOwn() {
    let titles = NotificationKind.all.map { NotificationSetting(kind: $0, push: true).title }
    #expect(Set(titles.compactMap(\.self)).count == NotificationKind.all.count)
    #expect(NotificationSetting(kind: "moon", push: true).title == nil)
  }
}

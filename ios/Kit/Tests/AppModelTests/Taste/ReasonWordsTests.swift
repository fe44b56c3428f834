import Contract
import PlaybackTesting
import Testing

@testable import AppModel

@Suite struct ReasonWordsTests {
  private func clip(_ reason: ClipReason?, handle: String = "ann", tags: [String] = []) -> Clip {
    var clip = sampleClip("a")
    clip.author = Author(id: "a", handle: handle, name: "Ann")
    clip.reason = reason
    clip.tags = tags
    return clip
  }

  private func words(_ reason: ClipReason?, in tab: FeedTab? = .forYou) -> String {
    ReasonWords.sentence(for: clip(reason), in: tab).text { $0 }
  }

  @Test func saysTheServersFactAndNothingMore() {
    let bob = Author(id: "b", handle: "bob", name: "Bob")
    #expect(words(ClipReason(.followedAuthor)) == "You follow @ann.")
    #expect(
      words(ClipReason(.likedClip, clipID: "x", author: bob))
        == "People who liked a clip by @bob that you liked, liked this too.")
    #expect(
      words(ClipReason(.likedAuthor, count: 1)) == "You liked a clip by @ann, or watched it to the end.")
    #expect(
      words(ClipReason(.likedAuthor, count: 3))
        == "You liked 3 clips by @ann, or watched them to the end.")
    #expect(
      words(ClipReason(.likedTag, tag: "pier"))
        == "You liked clips with #pier, or watched them to the end.")
    for kind in ClipReason.Kind.allCases {
      #expect(!words(ClipReason(kind)).contains("%"), "\(kind)")
    }
  }

  @Test func aReasonWithoutItsFactIsNone() {
    for reason in [nil, ClipReason(.likedClip), ClipReason(.likedAuthor, count: -1), ClipReason(.likedTag)] {
      #expect(words(reason) == "No reason is noted for this clip.")
    }
  }

  @Test func otherTabsHaveTheirOwn() {
    let reason = ClipReason(.trending)
    #expect(words(reason, in: .latest) == "Latest shows all clips, the newest first.")
    #expect(words(reason, in: .following).hasPrefix("You follow @ann. Following shows"))
    #expect(words(reason, in: nil) == "It is in the list that you opened.")
  }

  @Test func offersWhatCanBeWantedLessOf() {
    let tags = (1...9).map { "t\($0)" }
    let why = WhyThis(clip(ClipReason(.likedClip, clipID: "x"), tags: tags), in: .forYou)
    #expect(why.choices.first == .because(clip: "x") && why.choices.last == .taste)
    #expect(why.choices.contains(.less(Dismissal(.author, "a"), name: "@ann")))
    #expect(
      why.choices.filter { if case .less(let wish, _) = $0 { wish.kind == .tag } else { false } }.count == 5)
    var sounding = clip(nil)
    sounding.soundId = "s1"
    #expect(WhyThis(sounding, in: .forYou).choices.contains(.lessOfSound("s1")))
    // All guests are of one author.
    let guest = WhyThis(clip(nil, handle: Author.guestHandle), in: .forYou)
    #expect(guest.choices == [.notInterested, .similar, .taste])
  }
}

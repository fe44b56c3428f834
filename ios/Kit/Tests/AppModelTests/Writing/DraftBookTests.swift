import Foundation
import Persistence
import PlaybackTesting
import Testing

@testable import AppModel

@MainActor @Suite struct DraftBookTests {
  private let folder = TemporaryFolder()
  private func book(_ keys: @escaping () -> String = countingKeys()) -> DraftBook {
    DraftBook(StoredFile(folder.url.appending(path: "drafts")), makeKey: keys)
  }

  @Test func aTextThatFailedGoesUnderItsOldKeyAgain() async {
    let drafts = book()
    drafts.change("clip", to: "hello")
    let first = drafts.send("clip", as: 1, by: nil)
    #expect(first == [.init(text: "hello", key: "k1", wasTried: false)])
    #expect(drafts.text(of: "clip") == "")
    drafts.giveBack("clip", from: 1)
    #expect(drafts.text(of: "clip") == "hello")
    #expect(drafts.send("clip", as: 2, by: nil) == [.init(text: "hello", key: "k1", wasTried: true)])
  }

  @Test func whatWasTypedSinceIsAMessageOfItsOwnBehindTheOneThatCameBack() {
    let drafts = book()
    drafts.change("clip", to: "one")
    _ = drafts.send("clip", as: 1, by: nil)
    drafts.change("clip", to: "two")
    drafts.giveBack("clip", from: 1)
    #expect(drafts.text(of: "clip") == "one\ntwo")
    let parts = drafts.send("clip", as: 2, by: nil)
    #expect(parts.map(\.text) == ["one", "two"])
    #expect(parts.map(\.key) == ["k1", "k2"])
  }

  @Test func forgettingAllLeavesWhatIsOnItsWay() async {
    let drafts = book()
    drafts.change("clip", to: "going")
    _ = drafts.send("clip", as: 1, by: nil)
    drafts.change("clip", to: "more")
    drafts.change("other", to: "text")
    drafts.dropAll()
    #expect(drafts.text(of: "other") == "")
    #expect(drafts.text(of: "clip") == "")
    drafts.giveBack("clip", from: 1)
    #expect(drafts.text(of: "clip") == "going")
  }

  @Test func anotherTextIsAnotherMessage() {
    let drafts = book()
    drafts.change("clip", to: "one")
    _ = drafts.send("clip", as: 1, by: nil)
    drafts.giveBack("clip", from: 1)
    // An accent behind the last letter: the same characters for no eye, and another text.
    drafts.change("clip", to: "one\u{301}")
    #expect(drafts.send("clip", as: 2, by: nil).map(\.key) == ["k2"])
  }

  @Test func aKillInTheMiddleBringsTextAndKeyBack() async {
    let keys = countingKeys()
    let killed = book(keys)
    killed.change("clip", to: "hello")
    _ = killed.send("clip", as: 1, by: "me")
    await killed.stored()
    let next = book(keys)
    next.recallAway()
    #expect(next.text(of: "clip") == "hello")
    #expect(next.send("clip", as: 1, by: "me").map(\.key) == ["k1"])
  }

  @Test func whatHasArrivedIsForgotten() async {
    let drafts = book()
    drafts.change("clip", to: "hello")
    _ = drafts.send("clip", as: 1, by: nil)
    drafts.settle("clip", from: 1)
    await drafts.stored()
    let next = book()
    next.recallAway()
    #expect(next.places == [])
  }

  @Test func aLateAnswerToAnEarlierMessageChangesNothing() {
    let drafts = book()
    drafts.change("clip", to: "hello")
    _ = drafts.send("clip", as: 2, by: nil)
    drafts.settle("clip", from: 1)
    drafts.giveBack("clip", from: 1)
    #expect(drafts.away(from: "clip").map(\.text) == ["hello"])
  }

  @Test func countsScalarsThatAreTooManyForTheServer() {
    #expect(TextCount("a\u{301}b").characters == 2)
    #expect(TextCount(" \n\u{2003}").isBlank)
    let tower = TextCount("a" + String(repeating: "\u{301}", count: 5_000))
    #expect(!tower.canBeSent && tower.charactersLeft == -1_001)
    #expect(TextCount.cut(String(repeating: "x", count: 20_000)).count == 16_000)
  }

  @Test func aSentenceFillsItsGapsInTheOrderOfItsTranslation() {
    let sentence = Sentence("%1$@ and %2$@ like your clips.", [.verbatim("Ann"), .key("Somebody")])
    let german = ["Somebody": "Jemand", sentence.key: "100 %: %2$@ und %1$@ mögen deine Clips."]
    #expect(sentence.text { german[$0] ?? $0 } == "100 %: Jemand und Ann mögen deine Clips.")
    #expect(Sentence("%@ follows you.", "50% %@").text { $0 } == "50% %@ follows you.")
    #expect(Sentence("%@ and %@", "only one").text { $0 } == "only one and ")
  }
}

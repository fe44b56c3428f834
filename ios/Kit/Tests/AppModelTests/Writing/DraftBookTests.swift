import Foundation
import Persistence
import PlaybackTesting
import Testing

@testable import AppModel

@MainActor @Suite struct DraftBookTests {
  private let folder = TemporaryFolder()
  private let viewer = SomeViewer("me")
  private var url: URL { folder.url.appending(path: "drafts") }
  private func book(_ keys: @escaping () -> String = countingKeys()) -> DraftBook {
    DraftBook(StoredFile(url), viewer: viewer, makeKey: keys)
  }

  private func become(_ id: String?, in drafts: DraftBook) {
    viewer.viewerID = id
    drafts.viewerChanged()
  }

  @Test func aTextThatFailedGoesUnderItsOldKeyAgain() async {
    let drafts = book()
    drafts.change("clip", to: "hello")
    let first = drafts.send("clip", as: 1)
    #expect(first == [.init(text: "hello", key: "k1", wasTried: false)])
    #expect(drafts.text(of: "clip") == "")
    drafts.giveBack("clip", from: 1)
    #expect(drafts.text(of: "clip") == "hello")
    #expect(drafts.send("clip", as: 2) == [.init(text: "hello", key: "k1", wasTried: true)])
  }

  @Test func whatWasTypedSinceIsAMessageOfItsOwnBehindTheOneThatCameBack() {
    let drafts = book()
    drafts.change("clip", to: "one")
    _ = drafts.send("clip", as: 1)
    drafts.change("clip", to: "two")
    drafts.giveBack("clip", from: 1)
    #expect(drafts.text(of: "clip") == "one\ntwo")
    let parts = drafts.send("clip", as: 2)
    #expect(parts.map(\.text) == ["one", "two"])
    #expect(parts.map(\.key) == ["k1", "k2"])
  }

  @Test func forgettingAllLeavesWhatIsOnItsWay() async {
    let drafts = book()
    drafts.change("clip", to: "going")
    _ = drafts.send("clip", as: 1)
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
    _ = drafts.send("clip", as: 1)
    drafts.giveBack("clip", from: 1)
    // An accent behind the last letter: the same characters for no eye, and another text.
    drafts.change("clip", to: "one\u{301}")
    #expect(drafts.send("clip", as: 2).map(\.key) == ["k2"])
  }

  @Test func aKillInTheMiddleBringsTextAndKeyBack() async {
    let keys = countingKeys()
    let killed = book(keys)
    killed.change("clip", to: "hello")
    _ = killed.send("clip", as: 1)
    await killed.stored()
    let next = book(keys)
    next.recallAway()
    #expect(next.text(of: "clip") == "hello")
    #expect(next.send("clip", as: 1).map(\.key) == ["k1"])
  }

  @Test func whatHasArrivedIsForgotten() async {
    let drafts = book()
    drafts.change("clip", to: "hello")
    _ = drafts.send("clip", as: 1)
    drafts.settle("clip", from: 1)
    await drafts.stored()
    let next = book()
    next.recallAway()
    #expect(next.places == [])
  }

  @Test func aLateAnswerToAnEarlierMessageChangesNothing() {
    let drafts = book()
    drafts.change("clip", to: "hello")
    _ = drafts.send("clip", as: 2)
    drafts.settle("clip", from: 1)
    drafts.giveBack("clip", from: 1)
    #expect(drafts.away(from: "clip").map(\.text) == ["hello"])
  }

  // MARK: Who writes

  @Test func eachWriterHasTheirOwnTextsAfterAKillToo() async {
    let killed = book()
    killed.change("clip", to: "mine")
    become("bob", in: killed)
    #expect(killed.text(of: "clip") == "")
    killed.change("clip", to: "of Bob")
    become(nil, in: killed)
    #expect(killed.text(of: "clip") == "")
    await killed.stored()
    let next = book()
    #expect(next.text(of: "clip") == "")
    become("me", in: next)
    #expect(next.text(of: "clip") == "mine")
    next.drop("clip")
    become("bob", in: next)
    #expect(next.text(of: "clip") == "of Bob")
  }

  @Test func whatIsOnItsWayComesBackToItsWriter() {
    let drafts = book()
    drafts.change("clip", to: "hello")
    _ = drafts.send("clip", as: 1)
    become("bob", in: drafts)
    drafts.change("clip", to: "of Bob")
    #expect(!drafts.giveBack("clip", from: 1))
    #expect(drafts.text(of: "clip") == "of Bob" && !drafts.hasUnsent(from: "clip"))
    become("me", in: drafts)
    #expect(drafts.text(of: "clip") == "hello" && drafts.hasUnsent(from: "clip"))
    #expect(drafts.send("clip", as: 2).map(\.key) == ["k1"])
  }

  @Test func aGuestsMessageThatFailsIsTheAccountsThatTheGuestBecame() {
    viewer.viewerID = nil
    let drafts = book()
    drafts.change("clip", to: "hello")
    _ = drafts.send("clip", as: 1)
    become("me", in: drafts)
    #expect(drafts.text(of: "clip") == "")
    drafts.giveBack("clip", from: 1)
    #expect(drafts.text(of: "clip") == "hello")
    become(nil, in: drafts)
    #expect(drafts.text(of: "clip") == "")
  }

  /// As the file was before texts had a writer.
  private struct OldDrafts: Codable, Sendable {
    struct Draft: Codable, Sendable {
      var place: String
      var text: String
      var tried: [TriedText] = []
      var away: [TriedText] = []
    }
    var all: [Draft]
  }

  @Test func oldTextsAreOfWhoeverReadsThemFirstUnlessTheyWereSent() async {
    let sent = TriedText(text: "sent", key: "old", writer: "bob")
    let old: [OldDrafts.Draft] = [
      .init(place: "typed", text: "half"), .init(place: "away", text: "", away: [sent]),
      .init(place: "back", text: "sent", tried: [sent]),
    ]
    #expect(StoredFile<OldDrafts>(url).save(OldDrafts(all: old)))
    let drafts = book()
    drafts.recallAway()
    #expect(drafts.text(of: "typed") == "half")
    #expect(drafts.text(of: "away") == "" && drafts.text(of: "back") == "")
    become("bob", in: drafts)
    #expect(drafts.text(of: "typed") == "")
    #expect(drafts.text(of: "away") == "sent" && drafts.text(of: "back") == "sent")
    #expect(drafts.send("back", as: 1) == [.init(text: "sent", key: "old", wasTried: true)])
    await drafts.stored()
    #expect(book().away(from: "back").map(\.writer) == ["bob"])
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

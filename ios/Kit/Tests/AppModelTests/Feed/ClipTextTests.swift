import Contract
import CoreTypes
import Foundation
import PlaybackTesting
import Testing

@testable import AppModel

@Suite struct ClipTextTests {
  @Test func makesTagsOfACaptionTheirOwnPieces() {
    let text = CaptionText("Hi #Summer2026, #été! # #")
    #expect(text.pieces.map(\.tag) == [nil, "Summer2026", nil, "été", nil])
    #expect(text.text == "Hi #Summer2026, #été! # #")
    #expect(CaptionText("").pieces.isEmpty)
  }

  @Test func addsTheTagsThatTheCaptionDoesNotHave() {
    let text = CaptionText("At the #Sea", tags: ["sea", "sun", "no good", "", "wind"])
    #expect(text.text == "At the #Sea\n#sun #wind")
    #expect(CaptionText("", tags: ["sun"]).text == "#sun")
  }

  @Test func linksAreWhereTheSystemCountsThem() {
    let text = CaptionText("👩‍👩‍👧 #Sea and #sea", tags: ["wind"])
    #expect(text.links.map(\.tag) == ["Sea", "sea", "wind"])
    let units = Array(text.text.utf16)
    for link in text.links {
      #expect(String(decoding: units[link.range], as: UTF16.self) == "#" + link.tag)
    }
    #expect(CaptionText("none").links.isEmpty)
  }

  @Test func eachTagIsOfferedOnceAndNoMoreThanAClipMayHave() {
    #expect(CaptionText("#Sea #sea #SUN", tags: ["sun", "wind"]).tags == ["Sea", "SUN", "wind"])
    #expect(CaptionText((0..<500).map { "#t\($0)" }.joined(separator: " ")).tags.count == Limits.tags)
  }

  @Test func takesTowersOfMarksInTime() {
    let tower = "#a" + String(repeating: "\u{301}", count: 20_000)
    #expect(CaptionText(tower, tags: [String(tower.dropFirst())]).pieces.count == 1)
  }

  @Test func movesTheScrubberOnlyWhereItIsNotHeld() {
    var scrubber = Scrubber()
    let holdsNothing = scrubber.hold()
    #expect(!holdsNothing)
    scrubber.show(duration: Milliseconds(10_000))
    scrubber.played(to: Milliseconds(2_500))
    #expect(scrubber.share == 0.25 && scrubber.text == "0:02 / 0:10" && !scrubber.jumps)
    let holds = scrubber.hold()
    let middle = scrubber.move(toShare: 0.5)
    #expect(holds && middle == Milliseconds(5_000))
    scrubber.played(to: Milliseconds(3_000))
    #expect(scrubber.position == Milliseconds(5_000))
    let nowhere = scrubber.move(toShare: .nan)
    let beyond = scrubber.move(toShare: 7)
    #expect(nowhere == .zero && beyond == Milliseconds(9_999))
    scrubber.letGo()
    scrubber.played(to: Milliseconds(100))
    #expect(scrubber.jumps)
    let before = scrubber.move(by: Milliseconds(-2_000))
    #expect(before == .zero)
    #expect(Scrubber.clock(Milliseconds(75_000)) == "1:15")
  }

  private let tracks = [
    CaptionTrack(language: "en", label: "English", url: "/a.vtt", automatic: true),
    CaptionTrack(language: "pt-BR", label: "Português", url: "/b.vtt", automatic: false),
  ]

  @Test func showsCaptionsThatSomebodyReads() {
    let choice = CaptionChoice()
    #expect(choice.shown(of: tracks, languages: ["pt-PT", "en"]) == "pt-BR")
    #expect(choice.shown(of: tracks, languages: ["en-GB"]) == "en")
    #expect(choice.shown(of: tracks, languages: ["de"]) == nil)
    #expect(choice.shown(of: [], languages: ["en"]) == nil)
  }

  @Test func remembersWhatWasChosen() {
    var choice = CaptionChoice()
    choice.choose("pt-BR")
    #expect(choice.shown(of: tracks, languages: ["en"]) == "pt-BR")
    choice.choose(nil)
    #expect(choice.shown(of: tracks, languages: ["en"]) == nil)
    choice.toggle(of: tracks, languages: ["de"])
    #expect(choice.shown(of: tracks, languages: ["de"]) == "pt-BR")
    // A person's captions come before a program's.
    choice = CaptionChoice()
    choice.toggle(of: tracks, languages: ["de"])
    #expect(choice.shown(of: tracks, languages: ["de"]) == "pt-BR")
  }

  private func menu(
    _ owner: Ownership.Owner, _ visibility: Visibility? = nil, captions: [CaptionTrack] = [],
    hasSecret: Bool = false, hasWindows: Bool = false
  ) -> [FeedMenu.Item] {
    let clip = sampleClip("1", visibility: visibility)
    let standing = ClipStanding(
      clip, counts: clip.counts, viewer: ClipViewer(bookmarked: true), owner: owner, hasSecret: hasSecret)
    return FeedMenu(
      standing, captions: captions, chosen: nil, speed: 1, isKept: false, hasWindows: hasWindows
    ).items
  }

  @Test func offersInTheMenuWhatCanBeDone() {
    #expect(
      menu(.other, captions: tracks, hasWindows: true) == [
        .share, .copyLink, .bookmark(isOn: true), .keep(isOn: false), .speed(1),
        .captions(tracks, chosen: nil), .pictureInPicture, .similar, .why, .notInterested,
        .report, .block(name: "Ann"),
      ])
    #expect(
      menu(.own) == [
        .share, .copyLink, .bookmark(isOn: true), .keep(isOn: false), .speed(1), .similar, .why, .insights,
        .download, .edit,
      ])
    // Neither what only its owner may, nor what only others.
    #expect(menu(.unknown).suffix(2) == [.similar, .why])
  }

  @Test func copiesTheLinkOfAPrivateClipOnlyWithItsSecret() {
    #expect(menu(.own, .private) == [.speed(1), .why, .insights, .download, .edit])
    #expect(menu(.own, .private, hasSecret: true).first == .copyLink)
    #expect(menu(.other, .private, hasSecret: true).first == .copyLink)
  }
}

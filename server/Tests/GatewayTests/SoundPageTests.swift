import Contract
import Foundation
import Platform
import Testing

@testable import Gateway

@Suite struct SoundPageTests {
  private static func page(_ count: Int, handle: String = "mara", next: String? = nil) -> String {
    let clip = Clip(
      id: "0190", caption: "Tide", createdAt: Date(timeIntervalSince1970: 1_700_000_000),
      author: Author(id: "b", handle: "tom", name: "Tom"), counts: Counts(), width: 360, height: 640,
      poster: Poster(url: "/media/p.jpg", width: 360, height: 640, placeholder: "AA=="),
      playback: Playback(durationMs: 3000, hlsUrl: "/media/h.m3u8", renditions: []), soundID: "a/b")
    let clips = SoundClips(
      id: "a/b", clips: count, author: Author(id: "a", handle: handle, name: "Mara"), items: [clip],
      nextCursor: next)
    return SoundPage(clips: clips).page
  }

  @Test(arguments: [
    (1, "1 clip"), (2, "2 clips"), (10_000, "10000 clips"), (10_001, "More than 10000 clips"),
  ])
  func itSaysHowManyClipsThereAre(_ count: Int, _ words: String) {
    #expect(Self.page(count).contains("<h1 dir=\"auto\">Sound by @mara</h1>\n<p>\(words)</p>\n<ul>"))
  }

  @Test func whatStrangersWroteIsNoMarkup() {
    let page = Self.page(1, handle: "<b>\u{301}", next: "x&\"y")
    #expect(page.contains("<title>Sound by @&lt;b&gt;\u{301} · Clipfeed</title>") && !page.contains("@<b"))
    #expect(page.contains("href=\"/s/a%2Fb?cursor=x%26%22y\""))
  }
}

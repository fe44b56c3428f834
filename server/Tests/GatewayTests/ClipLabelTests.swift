import Contract
import Foundation
import Testing

@testable import Gateway

/// That a clip was made by AI, where somebody comes upon it outside of the feed.
@Suite struct ClipLabelTests {
  private static func clip(aiGenerated: Bool?) -> Clip {
    Clip(
      id: "0190", caption: "Tide", createdAt: Date(timeIntervalSince1970: 1_700_000_000),
      author: Author(id: "a", handle: "mara", name: "Mara"), counts: Counts(), width: 360, height: 640,
      poster: Poster(url: "/media/p.jpg", width: 360, height: 640, placeholder: "AA=="),
      playback: Playback(durationMs: 3000, hlsUrl: "/media/h.m3u8", renditions: []),
      aiGenerated: aiGenerated)
  }

  private static func texts(_ clip: Clip) -> [String] {
    let origin = "https://clips.example.org"
    return [ClipEmbed(clip: clip, origin: origin).page, ClipPage(clip: clip, origin: origin).elements]
  }

  @Test func aClipMadeByAISaysSoOnOtherSitesAndInPreviews() {
    for text in Self.texts(Self.clip(aiGenerated: true)) {
      #expect(text.contains("on Clipfeed · Made with AI"))
    }
  }

  @Test(arguments: [nil, false])
  func noOtherClipDoes(_ aiGenerated: Bool?) {
    for text in Self.texts(Self.clip(aiGenerated: aiGenerated)) {
      #expect(text.contains("on Clipfeed") && !text.contains("Made with AI"))
    }
  }
}

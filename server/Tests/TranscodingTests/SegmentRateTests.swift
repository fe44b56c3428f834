import Contract
import Platform
import Testing

@testable import PlatformTesting
@testable import Transcoding

@Suite struct SegmentRateTests {
  /// However lengths in milliseconds were rounded, the average lies between the rates of the segments.
  @Test func noPlaylistOfOursSaysThatTheAverageExceedsThePeak() throws {
    var chance = SplitMix(state: 17)
    for _ in 0..<2000 {
      var offset = 1000
      let segments = (0..<Int.random(in: 1...5, using: &chance)).map { _ in
        let size = Int.random(in: 1...900_000, using: &chance)
        defer { offset += size }
        return Segment(offset: offset, size: size, durationMs: .random(in: 1...2600, using: &chance))
      }
      let rates = SegmentRates(segments)
      let rendition = Rendition(
        name: "360", url: "/media/abc.mp4", width: 360, height: 640, frameRate: 29.97,
        codecs: "avc1.64001e", peakBps: rates.peakBps, averageBps: rates.averageBps,
        initialization: ByteRange(offset: 0, size: 1000), segments: segments)
      try PlaylistRules.check(Playlists.master([rendition], playlists: ["p.m3u8"]), .master)
      try PlaylistRules.check(Playlists.media(rendition), .media)
    }
  }
}

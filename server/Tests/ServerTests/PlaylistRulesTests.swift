import Contract
import Platform
import Testing

@testable import Transcoding

@Suite struct PlaylistRulesTests {
  private static let rendition = Rendition(
    name: "360", url: "/media/abc.mp4", width: 360, height: 640, frameRate: 29.97,
    codecs: "avc1.64001e,mp4a.40.2", peakBps: 500, averageBps: 400,
    initialization: ByteRange(offset: 0, size: 10),
    segments: [
      Segment(offset: 10, size: 20, durationMs: 1001), Segment(offset: 30, size: 5, durationMs: 2002),
    ])

  @Test func ourPlaylistsObeyThem() throws {
    try PlaylistRules.checkMedia(Playlists.media(Self.rendition))
    try PlaylistRules.checkMaster(Playlists.master([Self.rendition], playlists: ["p.m3u8"]))
  }

  @Test(arguments: [
    ("#EXTM3U\n", ""), ("#EXTM3U", "\u{FEFF}#EXTM3U"), ("VERSION:7", "VERSION:5"), ("VERSION:7", "VERSION:8"),
    ("TARGETDURATION:3", "TARGETDURATION:1"), ("TARGETDURATION:3", "TARGETDURATION:3.5"),
    ("#EXT-X-TARGETDURATION:3\n", ""), ("20@10", "20@11"), ("20@10", "20"), ("5@30", "0@30"),
    ("#EXT-X-BYTERANGE:20@10\n", ""), ("#EXTINF:1.001,\n", ""), ("1.001,", "1.001"), ("1.001", "-1"),
    ("1.001", "inf"), ("1.001", "1e300"),
    ("\n#EXT-X-ENDLIST", ""), ("#EXT-X-ENDLIST\n", "#EXT-X-ENDLIST\nabc.mp4\n"), ("VOD", "EVENT"),
    ("\nabc.mp4", "\n\nabc.mp4"), ("\nabc.mp4", "\n../abc.mp4"), ("URI=\"abc.mp4\",", ""),
    ("10@0\"", "10@0"), ("#EXT-X-INDEPENDENT-SEGMENTS", "#EXT-X-STREAM-INF:BANDWIDTH=1"), ("10@0", "9@0"),
  ])
  func aMediaPlaylistThatBreaksOneIsFound(_ good: String, _ bad: String) throws {
    let text = Playlists.media(Self.rendition)
    let broken = text.replacing(good, with: bad, maxReplacements: 1)
    try #require(broken != text)
    #expect(throws: PlaylistRules.Broken.self) { try PlaylistRules.checkMedia(broken) }
  }

  @Test(arguments: [
    ("AVERAGE-BANDWIDTH=400", "AVERAGE-BANDWIDTH=501"), ("BANDWIDTH=500,", ""),
    ("BANDWIDTH=500", "BANDWIDTH=x"),
    ("360x640", "360x"), ("360x640", "360"), ("RESOLUTION", "resolution"), ("29.970", "0"),
    ("\np.m3u8", ""), ("p.m3u8", "p.m3u8\np.m3u8"), ("CODECS=\"", "CODECS="), (",CODECS", "CODECS"),
    ("#EXT-X-INDEPENDENT-SEGMENTS", "#EXT-X-ENDLIST"), ("FRAME-RATE=", "CODECS="), ("p.m3u8\n", "p.m3u8"),
  ])
  func aMasterPlaylistThatBreaksOneIsFound(_ good: String, _ bad: String) throws {
    let text = Playlists.master([Self.rendition], playlists: ["p.m3u8"])
    let broken = text.replacing(good, with: bad, maxReplacements: 1)
    try #require(broken != text)
    #expect(throws: PlaylistRules.Broken.self) { try PlaylistRules.checkMaster(broken) }
  }

  @Test func aBrokenPlaylistStopsTheClip() {
    #expect(throws: AppError.self) { try PlaylistRules.check("#EXTM3U\n", .master) }
  }
}

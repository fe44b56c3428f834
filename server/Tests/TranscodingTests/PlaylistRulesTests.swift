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

  private static let tracks = [
    CaptionTrack(language: "en", label: "English", url: "/media/e.vtt", automatic: false),
    CaptionTrack(language: "ja", label: "日本語", url: "/media/j.vtt", automatic: true),
    CaptionTrack(language: "fr", label: "English", url: "/media/f.vtt", automatic: true),
  ]
  private static let captioned = Playlists.captioned(
    Playlists.master([rendition, rendition], playlists: ["p.m3u8", "q.m3u8"]), tracks,
    playlists: ["e.m3u8", "j.m3u8", "f.m3u8"])

  @Test func ourPlaylistsOfCaptionsObeyThem() throws {
    try PlaylistRules.checkMaster(Self.captioned)
    #expect(Self.captioned.contains("NAME=\"English (fr)\""))
    for milliseconds in [1, 499, 500, 999, 1000, 1001, 59_999, 60_500] {
      try PlaylistRules.checkCaptions(Playlists.captions(Self.tracks[0], durationMs: milliseconds))
    }
  }

  @Test(arguments: [
    (",SUBTITLES=\"captions\"", ""), ("SUBTITLES=\"captions\"", "SUBTITLES=\"other\""),
    ("TYPE=SUBTITLES", "TYPE=AUDIO"), ("GROUP-ID=\"captions\",", ""),
    ("GROUP-ID=\"captions\"", "GROUP-ID=\"\""),
    ("NAME=\"English (fr)\"", "NAME=\"English\""), ("NAME=\"English\"", "NAME=\"En\u{202E}glish\""),
    ("NAME=\"日本語\"", "NAME=\"日\t本語\""), ("URI=\"e.m3u8\"", "URI=\"../e.m3u8\""),
    (",URI=\"e.m3u8\"", ""), ("LANGUAGE=\"en\",", ""), ("FORCED=NO", "FORCED=MAYBE"),
    ("DEFAULT=NO,AUTOSELECT=YES", "DEFAULT=YES,AUTOSELECT=NO"), ("#EXT-X-MEDIA:", "#EXT-X-MEDIUM:"),
    ("GROUP-ID=\"captions\"", "GROUP-ID=\"others\""), ("q.m3u8", "日.m3u8"),
  ])
  func aMasterPlaylistWhoseCaptionsBreakOneIsFound(_ good: String, _ bad: String) throws {
    let broken = Self.captioned.replacing(good, with: bad, maxReplacements: 1)
    try #require(broken != Self.captioned)
    #expect(throws: PlaylistRules.Broken.self) { try PlaylistRules.checkMaster(broken) }
  }

  @Test(arguments: [
    ("e.vtt", "e.mp4"), ("e.vtt", "e.vtt\n#EXTINF:1.000,\ne.vtt"), ("#EXTINF:1.500,\n", ""),
    ("1.500", "9.500"),
    ("1.500,", "1.500"), ("#EXT-X-ENDLIST", "e.vtt"), ("VOD", "EVENT"), ("e.vtt", "a/e.vtt"),
    ("#EXT-X-PLAYLIST-TYPE:VOD", "#EXT-X-PLAYLIST-TYPE:VOD\n#EXT-X-MAP:URI=\"e.mp4\""), ("1.500", "0"),
    ("TARGETDURATION:2", "TARGETDURATION:1"), ("#EXT-X-VERSION:7\n", ""),
  ])
  func aPlaylistOfCaptionsThatBreaksOneIsFound(_ good: String, _ bad: String) throws {
    let text = Playlists.captions(Self.tracks[0], durationMs: 1500)
    let broken = text.replacing(good, with: bad, maxReplacements: 1)
    try #require(broken != text)
    #expect(throws: PlaylistRules.Broken.self) { try PlaylistRules.checkCaptions(broken) }
  }

  @Test func aBrokenPlaylistStopsTheClip() {
    #expect(throws: AppError.self) { try PlaylistRules.check("#EXTM3U\n", .master) }
  }

  @Test func aTextEndsAtItsQuoteWhateverStandsBesideIt() throws {
    #expect(throws: (any Error).self) {
      _ = try PlaylistRules.Attributes("NAME=\"a\u{D4E}\",URI=\"x\u{301}\",X=\"\"\u{301}")
    }
    let read = try PlaylistRules.Attributes("NAME=\"a\u{D4E}\",URI=\"b\"")
    #expect(try read.text("NAME") == "a\u{D4E}" && read.text("URI") == "b")
  }
}

import Dialing
import Foundation
import Platform
import Testing

@testable import ForeignStreams
@testable import Transcoding

@Suite struct ForeignPlaylistTests {
  @Test func aMasterPlaylistIsReadAsOthersWriteIt() throws {
    let text = """
      \u{FEFF}#EXTM3U\r
      # a remark, möglich\r
      \r
      #EXT-X-UNKNOWN:x=\u{1F600}\r
      #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="en",URI="en.m3u8"\r
      #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="de",DEFAULT=YES,URI="de.m3u8"\r
      #EXT-X-STREAM-INF:BANDWIDTH=900,AVERAGE-BANDWIDTH=700,RESOLUTION=1920x1080,AUDIO="a"\r
        large.m3u8 \r
      #EXT-X-STREAM-INF:BANDWIDTH=100,CODECS="mp4a.40.2"\r
      sound.m3u8
      """
    guard case .master(let variants) = try ForeignPlaylist(text) else {
      Issue.record("it is a master playlist")
      return
    }
    #expect(variants.map(\.uri) == ["large.m3u8", "sound.m3u8"])
    #expect(variants[0].bandwidth == 700 && variants[0].shortSide == 1080 && variants[0].sound == "de.m3u8")
    #expect(variants[1].bandwidth == 100 && variants[1].shortSide == nil && variants[1].sound == nil)
  }

  @Test func rangesThatFollowEachOtherAreOnePiece() throws {
    let text = """
      #EXTM3U
      #EXT-X-MAP:URI="a.mp4",BYTERANGE="100@0"
      #EXTINF:1.5,a title, with a comma
      #EXT-X-BYTERANGE:50@100
      a.mp4
      #EXTINF:1
      #EXT-X-BYTERANGE:25
      a.mp4
      #EXTINF:1,
      #EXT-X-BYTERANGE:10@500
      a.mp4
      #EXTINF:1,
      b.mp4
      #EXT-X-ENDLIST
      """
    guard case .media(let media) = try ForeignPlaylist(text) else {
      Issue.record("it is a media playlist")
      return
    }
    #expect(media.map == .init(uri: "a.mp4", range: 0..<100) && media.seconds == 4.5)
    #expect(
      media.pieces == [
        .init(uri: "a.mp4", range: 100..<175), .init(uri: "a.mp4", range: 500..<510),
        .init(uri: "b.mp4", range: nil),
      ])
  }

  @Test(arguments: [
    "", "x", "#EXTM3U", "#EXTM3U\n#EXT-X-ENDLIST", "#EXTM3U\na.ts", "#EXTM3U\n#EXTINF:1,\na.ts",
    "#EXTM3U\n#EXTINF:x,\na.ts\n#EXT-X-ENDLIST", "#EXTM3U\n#EXTINF:-1,\na.ts\n#EXT-X-ENDLIST",
    "#EXTM3U\n#EXTINF:nan,\na.ts\n#EXT-X-ENDLIST", "#EXTM3U\n#EXTINF:1e300,\na.ts\n#EXT-X-ENDLIST",
    "#EXTM3U\n#EXT-X-KEY:METHOD=SAMPLE-AES\n#EXTINF:1,\na.ts\n#EXT-X-ENDLIST",
    "#EXTM3U\n#EXT-X-KEY:\n#EXTINF:1,\na.ts\n#EXT-X-ENDLIST",
    "#EXTM3U\n#EXTINF:1,\na.ts\n#EXT-X-DISCONTINUITY\n#EXTINF:1,\nb.ts\n#EXT-X-ENDLIST",
    "#EXTM3U\n#EXTINF:1,\na.ts\n#EXT-X-MAP:URI=\"a\"\n#EXTINF:1,\nb.ts\n#EXT-X-ENDLIST",
    "#EXTM3U\n#EXTINF:1,\n#EXT-X-BYTERANGE:9223372036854775807@9223372036854775807\na.ts\n#EXT-X-ENDLIST",
    "#EXTM3U\n#EXTINF:1,\n#EXT-X-BYTERANGE:0@0\na.ts\n#EXT-X-ENDLIST",
    "#EXTM3U\n#EXTINF:1,\n#EXT-X-BYTERANGE:-5\na.ts\n#EXT-X-ENDLIST",
    "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\na.m3u8\n#EXTINF:1,\nb.ts\n#EXT-X-ENDLIST",
    "#EXTM3U\n#EXT-X-I-FRAMES-ONLY\n#EXTINF:1,\na.ts\n#EXT-X-ENDLIST",
    "#EXTM3U\n#EXTINF:1,\n#EXT-X-GAP\na.ts\n#EXT-X-ENDLIST",
    "#EXTM3U\n" + String(repeating: "#EXTINF:0,\na.ts\n", count: 2001) + "#EXT-X-ENDLIST",
    "#EXTM3U\n" + String(repeating: "#EXT-X-STREAM-INF:BANDWIDTH=1\na\n", count: 201),
    "#EXTM3U\n#" + String(repeating: "e\u{301}", count: 20_000),
  ])
  func whatCannotBeBroughtHomeIsRefused(_ text: String) {
    #expect(throws: ForeignPlaylist.Refused.self) { try ForeignPlaylist(text) }
  }

  @Test func theBestThatAClipShowsComesFirst() {
    let variants = [(2160, 9), (720, 3), (1080, 5), (1080, 6), (nil, 8), (1440, 7)].map { side, rate in
      ForeignPlaylist.Variant(uri: "\(rate)", bandwidth: rate, shortSide: side, sound: nil)
    }
    #expect(variants.bestFirst(shortSide: 1080).map(\.uri) == ["6", "5", "3", "7", "9"])
    #expect(variants.filter { $0.shortSide == nil }.bestFirst(shortSide: 1080).map(\.uri) == ["8"])
  }
}

@Suite struct WebAddressTests {
  @Test(arguments: [
    ("https://Example.ORG", "https://example.org/"), ("HTTPS://a:443/b?c#d", "https://a/b?c"),
    ("https://a:8443/", "https://a:8443/"), ("http://[::1]:80/x", "http://[::1]/x"),
    ("https://a/b%20c", "https://a/b%20c"),
  ])
  func anAddressHasOneSpelling(_ text: String, _ spelling: String) {
    #expect(WebAddress(text)?.description == spelling)
  }

  @Test(arguments: [
    "", "a", "//a/b", "ftp://a/", "file:///etc/passwd", "https:///a", "https://", "https://user@a/",
    "https://u:p@a/", "https://a:0/", "https://a:65536/", "https://a\\b/", "https://[::1%25lo]/",
    "javascript:alert(1)", "data:text/plain,x", "https://a\u{0}b/", "https://a%00b/",
    "https://" + String(repeating: "a", count: 5000),
  ])
  func whatIsNoneIsRefused(_ text: String) {
    #expect(WebAddress(text) == nil)
  }

  @Test(arguments: [
    ("c.ts", "https://a/x/c.ts"), ("../c.ts", "https://a/c.ts"), ("../../../c.ts", "https://a/c.ts"),
    ("/c.ts", "https://a/c.ts"), ("?d", "https://a/x/b.m3u8?d"), ("//e/c.ts", "https://e/c.ts"),
    ("http://e/c", "http://e/c"),
  ])
  func aReferenceIsFoundFromWhereItStands(_ reference: String, _ found: String) {
    #expect(WebAddress("https://a/x/b.m3u8")?.resolving(reference)?.description == found)
  }
}

@Suite struct StreamReachTests {
  private static func reach(_ places: [String], _ addresses: [String] = [], leadsTo: [String]) -> StreamReach
  {
    StreamReach(places: places, addresses: addresses.compactMap { NetworkAddress($0) }) { _ in
      leadsTo.compactMap { NetworkAddress($0) }
    }
  }

  private static func why(_ reach: StreamReach, _ address: String) async -> String? {
    do {
      _ = try await reach.addresses(of: #require(WebAddress(address)))
      return nil
    } catch {
      return "\(error)"
    }
  }

  @Test func aHostMustBeNamedWithItsPort() async {
    let reach = Self.reach(["A.example", "b.example:8443"], leadsTo: ["1.1.1.1"])
    #expect(await Self.why(reach, "https://a.example/") == nil)
    #expect(await Self.why(reach, "https://b.example:8443/") == nil)
    for address in [
      "https://b.example/", "https://a.example:8443/", "https://c.example/", "https://a.example./",
    ] {
      #expect(await Self.why(reach, address)?.contains("is not allowed; add it with --allow-host") == true)
    }
  }

  @Test(arguments: [
    "127.0.0.1", "10.0.0.1", "172.16.0.1", "192.168.0.1", "169.254.169.254", "100.64.0.1", "0.0.0.0",
    "224.0.0.1",
    "::1", "fe80::1", "fd00::1", "ff02::1", "::ffff:10.0.0.1", "64:ff9b::10.0.0.1", "2002:a00:1::",
  ])
  func aNameThatLeadsInsideIsNotAsked(_ inside: String) async {
    let why = await Self.why(Self.reach(["a.example"], leadsTo: [inside]), "https://a.example/")
    #expect(why?.contains("is no address of the open network") == true)
    // One of several is enough: who answers is chosen later.
    #expect(
      await Self.why(Self.reach(["a.example"], leadsTo: ["1.1.1.1", inside]), "https://a.example/") != nil)
    #expect(
      await Self.why(Self.reach(["a.example"], [inside], leadsTo: [inside]), "https://a.example/") == nil)
    #expect(
      await Self.why(Self.reach(["a.example"], ["10.9.9.9"], leadsTo: [inside]), "https://a.example/") != nil)
  }

  @Test func plainHTTPIsForThisMachineAlone() async {
    let places = ["a.example:80", "a.example"]
    #expect(
      await Self.why(Self.reach(places, leadsTo: ["1.1.1.1"]), "http://a.example/")?.contains("https") == true
    )
    #expect(
      await Self.why(Self.reach(places, ["10.0.0.1"], leadsTo: ["10.0.0.1"]), "http://a.example/") != nil)
    #expect(
      await Self.why(Self.reach(places, ["127.0.0.1"], leadsTo: ["127.0.0.1"]), "http://a.example/") == nil)
    #expect(
      await Self.why(Self.reach(places, leadsTo: []), "https://a.example/")?.contains("not known") == true)
  }

  /// A name that answers differently the second time does not get a second time.
  @Test func aNameIsLookedUpOnce() async throws {
    let asked = Asked()
    let reach = StreamReach(places: ["a.example"], addresses: []) { _ in await asked.next() }
    let place = try #require(WebAddress("https://a.example/"))
    for _ in 0..<3 { #expect(try await reach.addresses(of: place) == [NetworkAddress("1.1.1.1")!]) }
  }

  private actor Asked {
    private var count = 0

    func next() -> [NetworkAddress] {
      count += 1
      return [NetworkAddress(count == 1 ? "1.1.1.1" : "127.0.0.1")!]
    }
  }
}

@Suite struct StreamListTests {
  @Test func aListIsReadWithWhatIsBadInIt() throws {
    let text =
      #"{"made": {"by": []}, "videos": ["a", {"url": "b", "caption": "B", "more": [1]}, 3, null, {}, ["c"], {"url": 1}]}"#
    let entries = try StreamList(text).entries
    #expect(entries.map(\.url) == ["a", "b", nil, nil, nil, nil, nil] && entries[1].caption == "B")
    #expect(try StreamList("[]").entries.isEmpty)
  }

  @Test(arguments: [
    "", "{", "7", "\"a\"", "{}", #"{"videos": {}}"#, "<html>", String(repeating: "[", count: 100_000),
  ])
  func whatIsNoListIsRefused(_ text: String) {
    #expect(throws: StreamFailure.self) { try StreamList(text) }
  }
}

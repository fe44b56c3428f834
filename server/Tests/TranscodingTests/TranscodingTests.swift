import Contract
import Foundation
import Platform
import Testing

@testable import Transcoding

@Suite struct ContainerTests {
  @Test(arguments: [
    "#EXTM3U\n#EXT-X-VERSION:3\n", "ffconcat version 1.0\nfile 'x.mp4'\n",
    "v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\n",
    "<svg xmlns=\"http://www.w3.org/2000/svg\"/>", "<!doctype html><script>", "#!/bin/sh\nid\n", "G",
    "GGGGGG", "",
    "\u{89}PNG\r\n\u{1A}\n", "FLV\u{1}\u{5}", "RIFF....AVI LIST", "GIF89a..............", "%PDF-1.7 .....",
  ])
  func whatIsNotAVideoContainerIsRefused(_ text: String) {
    #expect(throws: AppError.self) { try Container.sniff(Array(text.utf8)) }
  }

  @Test func picturesInAVideoContainerAreRefused() {
    for brand in ["heic", "mif1", "avif"] {
      #expect(throws: AppError.self) {
        try Container.sniff([0, 0, 0, 24] + Array("ftyp\(brand)".utf8) + [0, 0])
      }
    }
  }

  @Test func eachContainerIsKnownByItsFirstBytes() throws {
    #expect(try Container.sniff([0, 0, 0, 24] + Array("ftypisom".utf8)) == .isoMedia)
    #expect(try Container.sniff([0x1A, 0x45, 0xDF, 0xA3, 0, 0]) == .matroska)
    for (packet, first) in [(188, 0), (192, 4)] {
      var bytes = [UInt8](repeating: 0, count: 1024)
      for index in 0..<5 { bytes[first + index * packet] = 0x47 }
      #expect(try Container.sniff(bytes) == .transportStream)
    }
  }
}

@Suite struct LadderTests {
  /// Matroska with a hostile scale says such times, and ffprobe passes them on.
  @Test(arguments: [18_446_744_073_709_551_616.0, 1e308, .infinity, 61])
  func aLengthOfAnySizeIsRefusedInWords(seconds: Double) {
    #expect(
      throws: AppError(
        .tooLong, "The video is \(seconds == 61 ? "61" : "\(SafeInteger.most)") seconds long; 60 are allowed."
      )
    ) {
      try report(1080, 1920, seconds: seconds).check()
    }
  }

  private func sizes(_ report: SourceReport) -> [String] {
    Ladder(report).steps.map { "\($0.width)x\($0.height)" }
  }

  private func report(
    _ width: Int, _ height: Int, rate: Double = 30, seconds: Double = 15, rotated: Bool = false,
    aspect: Double = 1
  ) -> SourceReport {
    SourceReport(
      video: .init(
        index: 0, codec: "h264", width: width, height: height, sampleAspect: aspect, rotated: rotated,
        nominalRate: rate, averageRate: rate, interlaced: false, transfer: "", matrix: "",
        isStillPicture: false, isDecodable: true),
      audioIndex: 1, start: 0, end: seconds, fileStart: 0, presence: 1, shownFrames: 1)
  }

  @Test func renditionsGoUpToTheSourceAndNeverBeyond() {
    #expect(sizes(report(1080, 1920)) == ["360x640", "540x960", "720x1280", "1080x1920"])
    #expect(Ladder(report(3840, 2160)).steps.map(\.name) == ["360", "540", "720", "1080"])
    #expect(Ladder(report(700, 1200)).steps.map(\.name) == ["360", "540"])
    #expect(sizes(report(161, 121)) == ["162x122"], "odd sides become even")
  }

  @Test func rotationAndPixelShapeAreAppliedToTheSize() {
    #expect(sizes(report(1920, 1080, rotated: true)).last == "1080x1920")
    #expect(sizes(report(800, 640, aspect: 64.0 / 45)).last == "960x540")
  }

  @Test func highRatesStayFor720AndUpAndAreHalvedBelow() {
    let ladder = Ladder(report(1080, 1920, rate: 60))
    #expect(ladder.steps.map { $0.rate.perSecond } == [30, 30, 60, 60])
    #expect(ladder.frames % 2 == 0)
    #expect(Ladder(report(360, 640, rate: 60)).rate.perSecond == 30)
    #expect(Ladder(report(1080, 1920, rate: 240)).rate.perSecond == 60)
    #expect(Ladder(report(1080, 1920, rate: 30000.0 / 1001)).rate == FrameRate(30000, 1001))
    #expect(Ladder(report(1080, 1920, rate: 12.5)).rate == FrameRate(25, 2))
  }

  @Test func framesThatAPhoneLeftOutDoNotLowerTheRate() {
    #expect(FrameRate.kept(nominal: 30, average: 11) == FrameRate(30))
    #expect(FrameRate.kept(nominal: 60, average: 20).perSecond == 20)
    #expect(FrameRate.kept(nominal: 240, average: 240) == FrameRate(60))
  }

  @Test func cutsAreAtOneSecondThenEveryTwoOnWholeFrames() {
    #expect(Ladder(report(360, 640, seconds: 7)).cuts == [0, 1, 3, 5])
    #expect(
      Ladder(report(360, 640, seconds: 5.1)).cuts == [0, 1, 3], "a tail of a tenth of a second is no segment")
    #expect(Ladder(report(360, 640, seconds: 0.5)).cuts == [0])
    let odd = Ladder(report(1080, 1920, rate: 60000.0 / 1001, seconds: 4))
    #expect(odd.cuts == [0, 1.001, 3.003])
  }
}

@Suite struct SourceReportTests {
  @Test func aSourceBeyondTheLimitsIsRefusedWithTheRightCode() throws {
    func code(_ change: (inout SourceReport) -> Void) -> ErrorCode? {
      var report = SourceReport(
        video: .init(
          index: 0, codec: "h264", width: 1080, height: 1920, sampleAspect: 1, rotated: false,
          nominalRate: 30, averageRate: 30, interlaced: false, transfer: "", matrix: "",
          isStillPicture: false, isDecodable: true),
        audioIndex: nil, start: 0, end: 60.4, fileStart: 0, presence: 1, shownFrames: 1800)
      change(&report)
      do { try report.check() } catch { return (error as? AppError)?.code }
      return nil
    }
    #expect(code { _ in } == nil)
    #expect(code { $0.end = 60.6 } == .tooLong)
    #expect(code { $0.end = 0.05 } == .tooShort)
    #expect(code { $0.presence = 0.9 } == .truncated)
    #expect(code { $0.video.width = 15 } == .dimensionsUnsupported)
    #expect(code { $0.video.width = 8193 } == .dimensionsUnsupported)
    #expect(code { ($0.video.width, $0.video.height) = (8000, 8000) } == .dimensionsUnsupported)
    #expect(code { $0.video.averageRate = 900 } == .dimensionsUnsupported)
    #expect(code { $0.video.isStillPicture = true } == .noVideoStream)
    #expect(code { $0.video.isDecodable = false } == .unsupportedCodec)
  }
}

@Suite struct ThumbHashTests {
  /// The published decoder, as far as opaque hashes need it, to see that our bytes mean the picture.
  private func average(_ hash: [UInt8]) -> (red: Double, green: Double, blue: Double) {
    let header: Int = hash[..<3].reversed().reduce(0) { $0 << 8 | Int($1) }
    let l = Double(header & 63) / 63
    let p = Double(header >> 6 & 63) / 31.5 - 1
    let q = Double(header >> 12 & 63) / 31.5 - 1
    let blue = l - 2.0 / 3 * p
    let red = (3 * l - blue + q) / 2
    return (red, red - q, blue)
  }

  @Test func aPlainColourComesBack() {
    for (red, green, blue) in [(255, 0, 0), (0, 255, 0), (0, 0, 255), (200, 120, 40)]
      as [(UInt8, UInt8, UInt8)]
    {
      let pixels: [UInt8] = (0..<36 * 64).flatMap { _ -> [UInt8] in [red, green, blue, 255] }
      let hash = ThumbHash.encode(width: 36, height: 64, rgba: pixels)
      let found = average(hash)
      #expect(abs(found.red - Double(red) / 255) < 0.05)
      #expect(abs(found.green - Double(green) / 255) < 0.05)
      #expect(abs(found.blue - Double(blue) / 255) < 0.05)
    }
  }

  @Test func shapeAndLengthFollowThePublishedFormat() {
    var pixels: [UInt8] = []
    for place in 0..<64 * 36 { pixels += [UInt8(place % 64 * 3), UInt8(place / 64), 128, 255] }
    let wide = ThumbHash.encode(width: 64, height: 36, rgba: pixels)
    #expect(wide[4] & 0x80 != 0, "the landscape bit")
    #expect(Int(wide[3] & 7) == 4, "rows of 7 columns at 16:9")
    #expect(wide[2] & 0x80 == 0, "no alpha")
    let tall = ThumbHash.encode(width: 36, height: 64, rgba: pixels)
    #expect(tall[4] & 0x80 == 0)
    // 5 bytes, then half a byte per factor: luminance 4×7 in a triangle, twice 3×3 in a triangle without the
    // constant.
    #expect(wide.count == 19)
  }
}

@Suite struct PlaylistTests {
  @Test func playlistsNameTheBytesOfTheDescriptor() {
    let rendition = Rendition(
      name: "360", url: "/media/abc.mp4", width: 360, height: 640, frameRate: 29.97,
      codecs: "avc1.64001e,mp4a.40.2", peakBps: 500, averageBps: 400,
      initialization: ByteRange(offset: 0, size: 10),
      segments: [
        Segment(offset: 10, size: 20, durationMs: 1001), Segment(offset: 30, size: 5, durationMs: 2002),
      ])
    #expect(
      Playlists.media(rendition) == """
        #EXTM3U
        #EXT-X-VERSION:7
        #EXT-X-TARGETDURATION:3
        #EXT-X-MEDIA-SEQUENCE:0
        #EXT-X-PLAYLIST-TYPE:VOD
        #EXT-X-INDEPENDENT-SEGMENTS
        #EXT-X-MAP:URI="abc.mp4",BYTERANGE="10@0"
        #EXTINF:1.001,
        #EXT-X-BYTERANGE:20@10
        abc.mp4
        #EXTINF:2.002,
        #EXT-X-BYTERANGE:5@30
        abc.mp4
        #EXT-X-ENDLIST

        """)
    #expect(
      Playlists.master([rendition], playlists: ["p.m3u8"]) == """
        #EXTM3U
        #EXT-X-VERSION:7
        #EXT-X-INDEPENDENT-SEGMENTS
        #EXT-X-STREAM-INF:BANDWIDTH=500,AVERAGE-BANDWIDTH=400,CODECS="avc1.64001e,mp4a.40.2",RESOLUTION=360x640,FRAME-RATE=29.970
        p.m3u8

        """)
  }
}

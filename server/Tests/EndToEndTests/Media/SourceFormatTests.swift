import Contract
import Foundation
import Platform
import Testing

@testable import Composition
@testable import ServerTesting
@testable import Transcoding

/// Kinds of files that phones, cameras and browsers write, made here small.
@Suite struct SourceFormatTests {
  struct Kind: Sendable, CustomTestStringConvertible {
    let name: String
    let words: String
    var size: String
    var seconds = 1.0
    var rate: Double
    var hasSound = true
    var testDescription: String { name }
  }

  private static func picture(_ size: String, _ rate: String = "30", _ seconds: Double = 1) -> String {
    "-f lavfi -i testsrc2=size=\(size):rate=\(rate):duration=\(seconds)"
  }

  private static let tone = " -f lavfi -i sine=440:duration=1"
  private static let x264 = " -c:v libx264 -preset ultrafast"

  static let kinds = [
    Kind(
      name: "mpeg2.ts", words: picture("192x144", "25") + tone + " -c:v mpeg2video -c:a mp2", size: "192x144",
      rate: 25),
    Kind(
      name: "interlaced.ts",
      words: picture("192x144", "50") + " -vf tinterlace=interleave_top,fieldorder=tff -c:v mpeg2video "
        + "-flags +ilme+ildct -top 1", size: "192x144", rate: 25, hasSound: false),
    Kind(
      name: "part2.mp4", words: picture("192x144", "25") + tone + " -c:v mpeg4 -bf 2 -c:a aac",
      size: "192x144",
      rate: 25),
    Kind(
      name: "vp8.webm", words: picture("192x144") + tone + " -c:v libvpx -c:a libvorbis", size: "192x144",
      rate: 30),
    Kind(
      name: "alpha.webm",
      words: picture("192x144") + " -vf format=yuva420p,colorchannelmixer=aa=0.5 -c:v libvpx-vp9 -cpu-used 8",
      size: "192x144", rate: 30, hasSound: false),
    Kind(
      name: "prores4444.mov",
      words: picture("192x144") + " -c:v prores_ks -profile:v 4444 -pix_fmt yuva444p10le",
      size: "192x144", rate: 30, hasSound: false),
    Kind(
      name: "av1.mp4",
      words: picture("192x144") + tone + " -c:v libsvtav1 -svtav1-params lp=1 -preset 12 -c:a libopus",
      size: "192x144", rate: 30),
    Kind(
      name: "odd.mkv",
      words: picture("160x90") + tone + " -vf scale=161:91 -c:v ffv1 -pix_fmt yuv420p -c:a pcm_s16le",
      size: "162x92", rate: 30),
    Kind(
      name: "sar.mp4", words: picture("180x144", "25") + " -vf setsar=16/15" + x264, size: "192x144",
      rate: 25,
      hasSound: false),
    Kind(
      name: "60 of 720.mp4", words: picture("720x720", "60") + x264, size: "720x720", rate: 60,
      hasSound: false),
    Kind(
      name: "60 of 144.mp4", words: picture("192x144", "60") + x264, size: "192x144", rate: 30,
      hasSound: false),
    Kind(
      name: "120 of 720.mp4", words: picture("720x720", "120") + x264, size: "720x720", rate: 60,
      hasSound: false),
    Kind(
      name: "240 of 144.mp4", words: picture("192x144", "240") + x264, size: "192x144", rate: 30,
      hasSound: false),
    Kind(
      name: "one a second.mp4", words: picture("192x144", "1", 4) + x264, size: "192x144", seconds: 4,
      rate: 5,
      hasSound: false),
    Kind(
      name: "a tenth.mp4", words: picture("192x144", "30", 0.1) + tone + " -t 0.1 -c:a aac" + x264,
      size: "192x144", seconds: 0.1, rate: 30),
    Kind(
      name: "seven one.mp4",
      words: picture("192x144") + " -f lavfi -i sine=440:duration=1,aformat=channel_layouts=7.1 -c:a aac"
        + x264,
      size: "192x144", rate: 30),
    Kind(
      name: "sixteen channels.mkv",
      words: picture("192x144") + " -f lavfi -i sine=440:duration=1,aformat=channel_layouts=hexadecagonal "
        + "-c:a pcm_s16le" + x264, size: "192x144", rate: 30),
    Kind(
      name: "telephone.mov", words: picture("192x144") + tone + " -ar 8000 -ac 1 -c:a pcm_alaw" + x264,
      size: "192x144", rate: 30),
    Kind(
      name: "long sound.mp4",
      words: picture("192x144") + " -f lavfi -i sine=440:duration=3 -c:a aac" + x264, size: "192x144",
      rate: 30),
    Kind(
      name: "short sound.mp4",
      words: picture("192x144", "30", 2) + " -f lavfi -i sine=440:duration=0.3 -c:a aac" + x264,
      size: "192x144", seconds: 2, rate: 30),
    Kind(
      name: "fragments.mp4",
      words: picture("192x144") + tone + " -c:a aac -movflags frag_keyframe+empty_moov -g 10" + x264,
      size: "192x144", rate: 30),
  ]

  @Test(arguments: kinds) func everyKindComesOutInOneForm(_ kind: Kind) async throws {
    let bench = try await TestInstance()
    let made = try await TranscodedClip(try await bench.make(kind.name, kind.words), on: bench)
    try made.checkForm(kind.name)
    #expect(made.size == kind.size)
    #expect(abs(made.seconds - kind.seconds) < 0.05, "\(made.seconds) s")
    #expect(abs(made.best.frameRate - kind.rate) < 0.01, "\(made.best.frameRate)")
    #expect(made.best.codecs.contains("mp4a") == kind.hasSound)
  }

  @Test func aClipOfAnOldPhoneComesOutInTheSameForm() async throws {
    let bench = try await TestInstance()
    // ffmpeg reads AMR but does not write it: frames of 12.2 kb/s, 20 ms and 32 bytes each.
    var amr = Data("#!AMR\n".utf8)
    for number in 0..<50 { amr += [0x3C] + (0..<31).map { UInt8(truncatingIfNeeded: number * $0 * 7) } }
    let speech = bench.folder.appendingPathComponent("speech.amr")
    try amr.write(to: speech)
    let source = try await bench.make(
      "old.3gp", Self.picture("176x144", "15") + " -i file:\(speech.path) -c:v h263 -c:a copy -shortest")
    let made = try await TranscodedClip(source, on: bench)
    try made.checkForm("3gp")
    #expect(made.best.codecs.contains("mp4a"))
    #expect(abs(made.seconds - 1) < 0.05 && made.best.frameRate == 15)
    #expect(made.size == "176x144")
  }

  /// The display matrix of the first track, and the corners that a person then sees: top left, top right,
  /// bottom left, bottom right, as letters of the colours that are stored red, green / blue, white.
  @Test(arguments: [
    ([1, 0, 0, 1], "rgbw"), ([0, 1, -1, 0], "brwg"), ([-1, 0, 0, -1], "wbgr"), ([0, -1, 1, 0], "gwrb"),
    ([-1, 0, 0, 1], "grwb"), ([1, 0, 0, -1], "bwrg"), ([0, 1, 1, 0], "rbgw"), ([0, -1, -1, 0], "wgbr"),
  ])
  func everyWayToHoldAPhoneIsShownUpright(_ matrix: [Int], _ corners: String) async throws {
    let bench = try await TestInstance()
    let source = try await bench.make(
      "held.mp4",
      "-f lavfi -i color=red:s=96x64:d=0.4 -f lavfi -i color=lime:s=96x64:d=0.4 -f lavfi -i color=blue:s=96x64:d=0.4 "
        + "-f lavfi -i color=white:s=96x64:d=0.4 -filter_complex [0][1]hstack[a];[2][3]hstack[b];[a][b]vstack"
        + Self.x264)
    try Self.patchMatrix(of: source, matrix)
    let made = try await TranscodedClip(source, on: bench)
    try made.checkForm(corners)
    #expect(made.size == (matrix[0] == 0 ? "128x192" : "192x128"))
    let pixels = try made.pixels(8, 8, frames: 1)
    let seen = [9, 14, 49, 54].map { place in
      let isOn = pixels[place * 3..<place * 3 + 3].map { $0 > 128 }
      return isOn == [true, true, true] ? "w" : isOn[0] ? "r" : isOn[1] ? "g" : "b"
    }
    #expect(seen.joined() == corners)
  }

  /// Writes the four numbers of the turn into the track header; they stand 40 bytes behind its name, in
  /// 16.16.
  static func patchMatrix(of url: URL, _ matrix: [Int]) throws {
    var data = try Data(contentsOf: url)
    let header = try #require(data.range(of: Data("tkhd".utf8))).upperBound
    for (value, place) in zip(matrix, [0, 4, 12, 16]) {
      let fixed = UInt32(bitPattern: Int32(value * 65536))
      let bytes = withUnsafeBytes(of: fixed.bigEndian) { Data($0) }
      data.replaceSubrange(header + 40 + place..<header + 44 + place, with: bytes)
    }
    try data.write(to: url)
  }

  @Test func aPictureThatChangesItsSizeInTheMiddleGoesOn() async throws {
    let bench = try await TestInstance()
    // A browser's recorder does this when a phone is turned. IVF frames carry no size of their own container.
    let wide = try await bench.make("wide.ivf", Self.picture("192x144", "25") + " -c:v libvpx")
    let tall = try await bench.make("tall.ivf", Self.picture("144x192", "25") + " -c:v libvpx")
    var both = try Data(contentsOf: wide)
    let second = try Data(contentsOf: tall)
    var place = 32
    var number: UInt64 = 25
    while place + 12 <= second.count {
      let size = (0..<4).reduce(0) { $0 | Int(second[place + $1]) << (8 * $1) }
      both += second[place..<place + 4]
      both += withUnsafeBytes(of: number.littleEndian) { Data($0) }
      both += second[place + 12..<place + 12 + size]
      place += 12 + size
      number += 1
    }
    try both.write(to: bench.folder.appendingPathComponent("both.ivf"))
    let source = try await bench.make(
      "turned.webm", "-i file:\(bench.folder.path)/both.ivf -c copy")
    let made = try await TranscodedClip(source, on: bench)
    try made.checkForm("turned")
    #expect(made.seconds == 2)
    #expect(made.size == "192x144")
  }
}

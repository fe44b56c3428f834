import Contract
import Foundation
import Platform
import Testing

@testable import Composition
@testable import FFmpeg
@testable import PlatformTesting
@testable import ServerTesting
@testable import Transcoding

/// Files whose packets or headers say something else than what is to be seen.
@Suite struct SourceStructureTests {
  private let bench: TestInstance

  init() async throws { bench = try await TestInstance() }

  // MARK: Fragments

  /// Four seconds, a fragment each half.
  private func fragmented(_ flags: String = "frag_keyframe+empty_moov") async throws -> URL {
    try await bench.make(
      "fragments.mp4",
      "-f lavfi -i testsrc2=s=128x96:r=30:d=4 -f lavfi -i sine=440:duration=4 -c:v libx264 -preset ultrafast "
        + "-pix_fmt yuv420p -g 15 -c:a aac -movflags \(flags)")
  }

  private struct Box {
    let type: String
    let range: Range<Int>
  }

  private static func boxes(_ data: Data) -> [Box] {
    var boxes: [Box] = []
    var place = 0
    while place + 8 <= data.count {
      let size = data[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
      boxes.append(
        Box(type: String(decoding: data[place + 4..<place + 8], as: UTF8.self), range: place..<place + size))
      place += size
    }
    return boxes
  }

  /// Writes into the header how long the clip is hoped to be.
  private static func declare(seconds: Double, in data: inout Data) throws {
    let header = try #require(data.range(of: Data("mvhd".utf8))).upperBound
    let scale = data[header + 12..<header + 16].reduce(0) { $0 << 8 | Int($1) }
    let ticks = UInt32(Double(scale) * seconds)
    data.replaceSubrange(header + 16..<header + 20, with: withUnsafeBytes(of: ticks.bigEndian) { Data($0) })
  }

  private func outcome(_ data: Data) async -> ErrorCode? {
    do {
      let file = bench.folder.appendingPathComponent("changed-\(UUID().uuidString).mp4")
      try data.write(to: file)
      let made = try await TranscodedClip(file, on: bench)
      try made.checkForm("fragments")
      return nil
    } catch {
      return (error as? AppError)?.code ?? .internalError
    }
  }

  @Test(arguments: [4.4, 60, 4.0, 1.0]) func whatAHeaderHopedForIsNoReasonToRefuseWhatIsWhole(
    _ seconds: Double
  ) async throws {
    var data = try Data(contentsOf: try await fragmented())
    // Without its index at the end, as an app leaves it that stops early.
    data = data[..<(try #require(Self.boxes(data).last { $0.type == "mdat" }).range.upperBound)]
    try Self.declare(seconds: seconds, in: &data)
    #expect(await outcome(data) == nil)
  }

  /// How much of the file is left, and what its header says; nil: nothing.
  @Test(
    arguments: [(0.3, 4.4), (0.6, 4.4), (0.9, 4.4), (0.6, nil), (0.9, nil), (0.6, 1)] as [(Double, Double?)])
  func aFragmentedClipThatEndsInTheMiddleOfOneIsRefused(_ share: Double, _ seconds: Double?) async throws {
    var data = try Data(contentsOf: try await fragmented())
    if let seconds { try Self.declare(seconds: seconds, in: &data) }
    let media = Self.boxes(data).filter { $0.type == "mdat" }
    let cut = try #require(
      media[..<(media.count - 1)].last { Double($0.range.lowerBound) < Double(data.count) * share })
    #expect(await outcome(data[..<(cut.range.upperBound - cut.range.count / 3)]) == .truncated)
    // Nothing is there of what the last fragment speaks of.
    #expect(await outcome(data[..<cut.range.lowerBound]) == .truncated)
    #expect(await outcome(data[..<(cut.range.lowerBound + 5)]) == .truncated)
    // Between two fragments: what is there is whole, and nobody says that there was more.
    #expect(await outcome(data[..<cut.range.upperBound]) == nil)
  }

  @Test func aFragmentWithAnEmptyBoxForItsDataIsRefused() async throws {
    let data = try Data(contentsOf: try await fragmented())
    let cut = try #require(Self.boxes(data).filter { $0.type == "mdat" }.dropFirst(3).first).range.lowerBound
    #expect(await outcome(data[..<cut] + Data([0, 0, 0, 8]) + Data("mdat".utf8)) == .truncated)
  }

  @Test func anIndexThatPointsBehindTheEndTellsThatAClipWasCutOff() async throws {
    let indexed = try Data(contentsOf: try await fragmented("dash+global_sidx"))
    let middle = try #require(Self.boxes(indexed).filter { $0.type == "mdat" }.dropFirst(3).first).range
      .upperBound
    #expect(Self.boxes(indexed).contains { $0.type == "sidx" })
    #expect(await outcome(indexed) == nil)
    #expect(await outcome(indexed[..<middle]) == .truncated)
    let plain = try Data(contentsOf: try await fragmented())
    let access = try #require(Self.boxes(plain).last)
    #expect(access.type == "mfra")
    let start = try #require(Self.boxes(plain).filter { $0.type == "mdat" }.dropFirst(3).first).range
      .upperBound
    #expect(await outcome(plain[..<start] + plain[access.range]) == .truncated)
  }

  /// Boxes of any size, counts of any number: told as no fragments, or as something.
  @Test func structuresOfAnySizeAreReadToTheirEnd() async throws {
    let whole = [UInt8](try Data(contentsOf: try await fragmented("dash+global_sidx")))
    var chance = SplitMix(state: 5)
    let file = bench.folder.appendingPathComponent("hostile.mp4")
    for _ in 0..<400 {
      var bytes = whole[..<6000]
      for _ in 0..<4 {
        let place = Int.random(in: 0..<5992, using: &chance)
        let value: UInt8 = [0, 0x7F, 0x80, 0xFF].randomElement(using: &chance)!
        for offset in 0..<Int.random(in: 1...8, using: &chance) { bytes[place + offset] = value }
      }
      try Data(bytes).write(to: file)
      _ = try ISOFile(at: file).presence(of: 4)
    }
  }

  /// Where every frame is a key frame, ffmpeg leaves out those before the edit begins, and says nothing of
  /// them.
  @Test func aTrimmedClipOfKeyFramesAloneIsWhole() async throws {
    let source = try await bench.make(
      "trimmed.mov",
      "-f lavfi -i testsrc2=s=128x96:r=25:d=2 -c:v mjpeg -pix_fmt yuvj420p -movflags faststart "
        + "-output_ts_offset -1 -avoid_negative_ts disabled")
    #expect(try Self.count("packets", of: source) < 30)
    let made = try await TranscodedClip(source, on: bench)
    #expect(abs(made.seconds - 1) < 0.1, "\(made.seconds) s")
    let data = try Data(contentsOf: source)
    #expect(await outcome(data[..<(data.count * 4 / 5)]) == .truncated)
  }

  // MARK: Pictures that nobody sees

  private static func count(_ what: String, of file: URL) throws -> Int {
    let (_, told) = try Shell.run(
      "/usr/bin/ffprobe",
      [
        "-v", "error", "-count_\(what)", "-select_streams", "v", "-show_entries", "stream=nb_read_\(what)",
        "-of", "csv=p=0", file.path,
      ])
    return try #require(SafeInteger.read(told.filter { $0 != "\n" }))
  }

  /// An encoder that has seen all of it refers to pictures that it does not show.
  private func twoPasses(_ name: String, _ words: String) async throws -> URL {
    let log = bench.folder.appendingPathComponent("passes-\(name)").path
    let source = "-f lavfi -i testsrc2=s=128x96:r=24:d=3 -g 12 -b:v 100k -deadline good -cpu-used 4"
    let all = "\(source) -auto-alt-ref 1 -lag-in-frames 25 \(words) -passlogfile \(log)"
    _ = try await bench.make("first.\(name)", "\(all) -pass 1")
    return try await bench.make(name, "\(all) -pass 2")
  }

  private func hidden(_ codec: String) async throws -> URL {
    switch codec {
    case "vp8": return try await twoPasses("hidden.webm", "-c:v libvpx")
    case "vp9":
      // ffmpeg's own muxers put each of them together with a picture that is shown; others do not.
      let frames = try Self.frames(
        inIVF: Data(contentsOf: try await twoPasses("whole.ivf", "-c:v libvpx-vp9")))
      let file = bench.folder.appendingPathComponent("hidden.webm")
      try HandmadeWebM(codec: "V_VP9", width: 128, height: 96, rate: 24)
        .file(frames.map { ShownFrames.parts(ofVP9: $0).map(Array.init) }).write(to: file)
      return file
    default:
      return try await bench.make(
        "hidden.mkv",
        "-f lavfi -i testsrc2=s=128x96:r=24:d=3 -c:v libsvtav1 -svtav1-params lp=1 -preset 12 -bsf:v av1_frame_split"
      )
    }
  }

  private static func frames(inIVF data: Data) -> [[UInt8]] {
    var frames: [[UInt8]] = []
    var place = 32
    while place + 12 <= data.count {
      let size = data[place..<place + 4].reversed().reduce(0) { $0 << 8 | Int($1) }
      frames.append([UInt8](data[place + 12..<place + 12 + size]))
      place += 12 + size
    }
    return frames
  }

  @Test(arguments: ["vp8", "vp9", "av1"])
  func picturesThatNobodySeesAreNotMissed(_ codec: String) async throws {
    let source = try await hidden(codec)
    let (packets, frames) = (try Self.count("packets", of: source), try Self.count("frames", of: source))
    #expect(frames == 72)
    #expect(Double(frames) < Double(packets) * SourceReport.leastPresence, "\(packets) packets")
    let made = try await TranscodedClip(source, on: bench)
    try made.checkForm(codec)
    #expect(made.best.frameRate == 24)
    #expect(abs(made.seconds - 3) < 0.1)
  }

  /// A third of the packets is zeros.
  @Test func aDamagedClipOfSuchACodecIsStillRefused() async throws {
    let ivf = try await bench.make(
      "whole.ivf", "-f lavfi -i testsrc2=s=128x96:r=24:d=3 -c:v libvpx -deadline realtime -cpu-used 8")
    var frames = Self.frames(inIVF: try Data(contentsOf: ivf))
    for number in 20..<46 { frames[number] = [UInt8](repeating: 0, count: frames[number].count) }
    let source = bench.folder.appendingPathComponent("damaged.webm")
    try HandmadeWebM(codec: "V_VP8", width: 128, height: 96, rate: 24).file(frames.map { [$0] })
      .write(to: source)
    await #expect { try await TranscodedClip(source, on: bench) } throws: {
      ($0 as? AppError)?.code == .damaged
    }
  }

  // MARK: Encryption

  /// Two files of the same packets, one encrypted: the header of that one, and the media of the other.
  private func saidToBeEncrypted(_ options: String) async throws -> URL {
    let key = "0123456789abcdef0123456789abcdef"
    let source = try await bench.make(
      "source.mp4",
      "-f lavfi -i testsrc2=s=128x96:r=30:d=1 -f lavfi -i sine=440:duration=1 -c:v libx264 -preset ultrafast "
        + "-pix_fmt yuv420p -c:a aac")
    let words = "-i file:\(source.path) -c copy -map 0:v -map 0:a -fflags +bitexact"
    let clear = try Data(contentsOf: try await bench.make("clear.mp4", words))
    let locked = try await bench.make(
      "locked.mp4", "\(words) -encryption_scheme cenc-aes-ctr -encryption_key \(key) -encryption_kid \(key)")
    var data = try Data(contentsOf: locked)
    let (from, to) = (
      try #require(Self.boxes(clear).first { $0.type == "mdat" }).range,
      try #require(Self.boxes(data).first { $0.type == "mdat" }).range
    )
    try #require(from == to)
    data.replaceSubrange(to, with: clear[from])
    if options == "sound" {
      // The entry of the picture says that it is as it seems.
      data.replaceSubrange(try #require(data.range(of: Data("encv".utf8))), with: Data("avc1".utf8))
    }
    try data.write(to: locked)
    return locked
  }

  @Test(arguments: ["picture", "sound"])
  func whatSaysThatItIsEncryptedIsRefusedAlsoIfItCanBeSeen(_ track: String) async throws {
    let source = try await saidToBeEncrypted(track)
    #expect(try Self.count("frames", of: source) == 30)
    await #expect { try await TranscodedClip(source, on: bench) } throws: {
      ($0 as? AppError)?.code == .encrypted
    }
  }
}

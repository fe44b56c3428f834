import Contract
import Foundation
import Platform
import Testing

@testable import Composition
@testable import ServerTesting
@testable import Transcoding

/// White flashes with a beep each: wherever a file hides its time, both must come out together and when they
/// should.
@Suite(.everyEngine) struct SyncTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let words: String
    /// When flash and beep come in the clip.
    var at: [Double] = [0.5, 3.5]
    var seconds = 4.0
    /// Beeps that the source does not have.
    var unheard: Set<Double> = []
    var testDescription: String { name }
  }

  private static let flash =
    "drawbox=c=white:t=fill:enable='between(t,0.5,0.69)+between(t,3.5,3.69)'"
  private static let beep =
    "aevalsrc='0.3*sin(2*PI*1000*t)*(between(t,0.5,0.7)+between(t,3.5,3.7))':s=48000:d=4"
  private static let sources = "-f lavfi -i color=black:s=96x64:r=30:d=4,\(flash) -f lavfi -i \(beep) "
  private static let codecs = " -c:v libx264 -preset veryfast -g 15 -bf 2 -c:a aac"

  static let cases = [
    Case(name: "plain.mp4", words: sources + codecs),
    // A phone in the dark drops frames at will.
    Case(
      name: "gaps.mp4",
      words: sources + "-vf select='lt(t,1)+gt(t,2.9)+not(mod(n,7))' -vsync vfr" + codecs),
    Case(name: "stream.ts", words: sources + "-muxdelay 1.4" + codecs),
    Case(name: "matroska.mkv", words: sources + codecs),
    Case(
      name: "negative.mp4", words: sources + "-output_ts_offset -0.3 -avoid_negative_ts disabled" + codecs,
      at: [0.2, 3.2],
      seconds: 3.7),
    Case(name: "resampled.mp4", words: sources + "-ar 44100 -ac 1" + codecs),
    Case(
      name: "sound comes late.mp4",
      words: sources + "-af atrim=start=1 -copyts" + codecs, unheard: [0.5]),
    Case(
      name: "sound in the first half.mkv", words: sources + "-af atrim=end=2" + codecs, unheard: [3.5]),
    Case(
      name: "hole in the sound.mkv",
      words: sources + "-af aselect='lt(t,1)+gt(t,3)'" + codecs),
    Case(
      name: "picture comes late.mp4",
      words: sources + "-vf trim=start=0.25" + codecs, at: [0.25, 3.25], seconds: 3.75),
  ]

  @Test(arguments: cases) func pictureAndSoundStayTogetherToTheEnd(_ test: Case) async throws {
    let bench = try await TestInstance()
    let made = try await TranscodedClip(try await bench.make(test.name, test.words), on: bench)
    try made.checkForm(test.name)
    #expect(abs(made.seconds - test.seconds) < 0.05, "\(made.seconds) s")
    try Self.check(made, test)
  }

  @Test func anEditThatStartsInsideAGroupOfPicturesKeepsThemTogether() async throws {
    let bench = try await TestInstance()
    let whole = try await bench.make("whole.mp4", Self.sources + Self.codecs)
    // Cut without decoding, as a phone trims: the edit list skips to 0.4 s, the samples start at a key frame
    // before.
    let source = try await bench.make("cut.mp4", "-ss 0.4 -i file:\(whole.path) -c copy")
    let made = try await TranscodedClip(source, on: bench)
    let cut = Case(name: "cut.mp4", words: "", at: [0.1, 3.1], seconds: 3.6)
    #expect(abs(made.seconds - cut.seconds) < 0.05, "\(made.seconds) s")
    try Self.check(made, cut)
  }

  private static func check(_ made: TranscodedClip, _ test: Case) throws {
    let bytes = try made.pixels(1, 1)
    let light = stride(from: 0, to: bytes.count, by: 3).map { bytes[$0] > 128 }
    let flashes = starts(of: light, minimum: 1).map { Double($0) / made.best.frameRate }
    #expect(flashes.count == test.at.count, "\(flashes)")
    for (found, wanted) in zip(flashes, test.at) { #expect(abs(found - wanted) < 0.035, "flash at \(found)") }

    let samples = try made.samples()
    // Loud if the largest of 2 ms is; the encoder smears a beep's start by less.
    let loud = stride(from: 0, to: samples.count - 96, by: 96).map { start in
      samples[start..<start + 96].contains { abs($0) > 0.05 }
    }
    // Decoders give the first packet, which is silence from before the clip, in full or not at all.
    let beeps = starts(of: loud, minimum: 20).map { Double($0) * 96 / 48000 }
    let heard = test.at.filter { !test.unheard.contains($0) }
    #expect(beeps.count == heard.count, "\(beeps)")
    for (found, wanted) in zip(beeps, heard) { #expect(abs(found - wanted) < 0.03, "beep at \(found)") }
  }

  /// Where a run of at least so many starts.
  private static func starts(of values: [Bool], minimum: Int) -> [Int] {
    values.indices.filter { place in
      values[place] && (place == 0 || !values[max(0, place - 20)..<place].contains(true))
        && values[place..<min(values.count, place + minimum)].count { $0 } >= minimum * 3 / 4
    }
  }
}

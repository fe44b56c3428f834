import Contract
import Foundation
import Platform
import Testing

@testable import Composition
@testable import FFmpeg
@testable import ServerTesting
@testable import Transcoding

@Suite struct LoudnessTests {
  struct Sound: Sendable, CustomTestStringConvertible {
    let name: String
    let source: String
    /// What must come out, in LUFS; nil where only the peak counts.
    var target: Double? = -14
    var testDescription: String { name }
  }

  private static let speech = "anoisesrc=c=pink:s=48000:d=6:seed=3,tremolo=f=3:d=0.8"

  @Test(arguments: [
    Sound(name: "quiet speech", source: speech + ",volume=-14dB"),
    Sound(
      name: "loud", source: "anoisesrc=c=pink:s=48000:d=6:seed=4:a=1,volume=12dB,alimiter=limit=1:level=0"),
    Sound(name: "clipped", source: "sine=200:d=6,volume=40dB"),
    Sound(
      name: "claps in a quiet room",
      source: speech
        + ",volume=-22dB[a];aevalsrc=0.9*lt(mod(t\\,1)\\,0.004):s=48000:d=6[b];[a][b]amix=normalize=0",
      target: nil),
    Sound(
      name: "surround",
      source: "anoisesrc=c=pink:s=48000:d=6:seed=5:a=0.9,aformat=channel_layouts=mono,"
        + "pan=5.1|c0=c0|c1=c0|c2=c0|c3=c0|c4=c0|c5=c0"),
    Sound(name: "telephone", source: "anoisesrc=c=pink:s=8000:d=6:seed=6:a=0.4"),
  ])
  func everyClipIsAsLoudAsTheNext(_ sound: Sound) async throws {
    let found = try await measured(sound.source)
    #expect(found.peak <= -1, "\(found)")
    if let target = sound.target { #expect(abs(found.integrated - target) <= 1, "\(found)") }
  }

  @Test func theNoiseOfAnEmptyRoomIsLeftAlone() async throws {
    let found = try await measured("anoisesrc=c=brown:s=48000:d=4:seed=7,volume=-42dB")
    #expect(found.integrated < -45, "\(found)")
  }

  @Test func silenceStaysSilence() async throws {
    let found = try await measured("anullsrc=r=48000:cl=stereo:d=2")
    #expect(found.integrated <= -70)
  }

  @Test func oneGainForTheWholeClipMeansThatNothingPumps() async throws {
    let bench = try await TestInstance()
    let source = try await clip("sine=440:d=6,volume='if(lt(t,3),0.01,0.2)':eval=frame", on: bench)
    let samples = try await TranscodedClip(source, on: bench).samples()
    func level(_ from: Double, _ to: Double) -> Double {
      let part = samples[Int(from * 48000)..<Int(to * 48000)]
      return 10 * log10(part.reduce(0) { $0 + Double($1 * $1) } / Double(part.count))
    }
    // 26 dB between the halves before, and after.
    #expect(abs(level(4, 5.5) - level(1, 2.5) - 26) < 0.5)
    #expect(abs(level(0.2, 0.7) - level(2, 2.8)) < 0.3)
  }

  private func clip(_ sound: String, on bench: TestInstance) async throws -> URL {
    try await bench.make(
      "sound.mkv",
      "-f lavfi -i color=gray:s=96x64:r=5:d=6 -f lavfi -i \(sound) -c:v libx264 -preset ultrafast -c:a pcm_s16le "
        + "-shortest")
  }

  private func measured(_ sound: String) async throws -> (integrated: Double, peak: Double) {
    let bench = try await TestInstance()
    return try await TranscodedClip(try await clip(sound, on: bench), on: bench).loudness()
  }
}

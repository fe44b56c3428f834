import Contract
import FFmpeg
import Foundation
import Platform
import Testing

@testable import Composition
@testable import PlatformTesting
@testable import ServerTesting
@testable import Transcoding

/// What ffmpeg plays whole becomes a clip. All of these are `make proof-clips`; a few of each belong to every
/// run.
@Suite struct GoodClipTests {
  private static let isProof = ProcessInfo.processInfo.environment["CLIPFEED_CLIPS"] == "all"

  private static func some(_ clips: [MachineClip], every step: Int) -> [MachineClip] {
    isProof ? clips : stride(from: 0, to: clips.count, by: step).map { clips[$0] }
  }

  /// Whether ffmpeg decodes all of it and has nothing to say.
  private static func playsWhole(_ file: URL) throws -> Bool {
    let (status, said) = try Shell.run(
      "/bin/sh", ["-c", #"exec ffmpeg -nostdin -v error -i "$1" -f null - 2>&1"#, "sh", file.path])
    return status == 0 && said.isEmpty
  }

  private func take(_ clip: MachineClip) async throws {
    let bench = try await TestInstance()
    let source = bench.folder.appendingPathComponent(clip.fileName)
    try await Lanes.two.run {
      try await bench.tools.run(clip.words + ["file:" + source.path], in: bench.folder)
    }
    if clip.turn != 0 { try SourceFormatTests.patchMatrix(of: source, clip.matrix) }
    #expect(try Self.playsWhole(source))
    let made = try await TranscodedClip(source, on: bench)
    try made.checkForm(clip.testDescription)
    let slack = max(0.1, 1.5 / clip.framesPerSecond)
    #expect(
      (clip.seconds - clip.cutAway - slack...clip.seconds + slack).contains(made.seconds), "\(made.seconds) s"
    )
    let isTall = clip.turn % 180 != 0
    #expect((made.best.height > made.best.width) == isTall, "\(made.size)")
    for rendition in made.playback.renditions {
      #expect(rendition.averageBps > 0 && rendition.averageBps <= rendition.peakBps)
    }
  }

  @Test(arguments: some(MachineClip.all, every: 17))
  func whatFfmpegPlaysWholeBecomesAClip(_ clip: MachineClip) async throws { try await take(clip) }

  /// By a step that meets every rate, lengths of all tenths, and both.
  @Test(arguments: some(MachineClip.sweep, every: 53))
  func aClipOfAnyShortLengthIsTaken(_ clip: MachineClip) async throws { try await take(clip) }

  /// iPhones' own: the still of a Live Photo, and a tap on the button.
  @Test(arguments: [0.37, 0.8333, 1.0677, 1.2])
  func aSecondOfTheWorstPictureIsTakenWithItsSound(_ seconds: Double) async throws {
    let bench = try await TestInstance()
    let source = try await bench.make(
      "short.mov",
      "-f lavfi -i nullsrc=s=180x320:r=30000/1001:d=\(seconds),geq=random(1)*255:128:128 "
        + "-f lavfi -i anoisesrc=d=\(seconds):a=0.5 -c:v libx264 -preset ultrafast -crf 30 -pix_fmt yuv420p -c:a aac"
    )
    let made = try await TranscodedClip(source, on: bench)
    try made.checkForm("noise")
    #expect(made.best.codecs.contains("mp4a"))
  }
}

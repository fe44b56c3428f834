internal import Contract
public import Foundation
internal import Logging
internal import Platform
public import Sounds
internal import Transcoding

extension FFmpegTools: SoundPrinting {
  public var isAbleToPrint: Bool { Self.hasChromaprint }

  public func soundPrint(of rendition: URL, in folder: URL) async throws -> SoundPrint {
    let result = try await ChildProcess(
      program: ffmpeg,
      arguments: ["-hide_banner", "-nostdin", "-v", "error"] + Self.input(rendition, .isoMedia)
        + ["-map", "0:a:0", "-ac", "1", "-ar", "11025"] + Self.toPrint,
      folder: folder, readable: [rendition], memoryBytes: 2 << 30, cpuSeconds: 60,
      wallSeconds: ChildProcess.waitingSeconds + 90, niceness: Confinement.patientNiceness,
      outputBytes: 4 * SoundPrint.most
    ).run()
    guard result.status == 0 else { throw result.failure("The sound cannot be recognised") }
    return SoundPrint(littleEndian: result.output)
  }

  /// To standard output, as the whole of it.
  private static let toPrint = ["-f", "chromaprint", "-fp_format", "raw", "-"]

  /// Whether this ffmpeg was built with chromaprint, by a trial. Not every one is, and nothing else needs it.
  private static let hasChromaprint: Bool = {
    // Any folder will do, since nothing is written to it.
    guard
      let command = try? Confinement.prefix(
        memoryBytes: 4 << 30, cpuSeconds: 20, fileBytes: 1 << 20,
        folder: FileManager.default.temporaryDirectory)
        + [FFmpegTools.find("ffmpeg"), "-hide_banner", "-nostdin", "-v", "quiet"]
        + ["-f", "lavfi", "-i", "anullsrc=r=11025:cl=mono", "-t", "0.1"] + FFmpegTools.toPrint
    else { return false }
    let trial = try? Spawn(command, environment: ["LC_ALL": "C"]).start()
    if trial.map({ Spawn.status(of: $0) }) == 0 { return true }
    Logger(label: "clipfeed.ffmpeg").notice(
      "ffmpeg has no chromaprint, so no clip is listened to, and none shows others that have its sound")
    return false
  }()
}

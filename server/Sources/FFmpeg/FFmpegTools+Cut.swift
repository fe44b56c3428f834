internal import Contract
public import Foundation
internal import Platform
public import Transcoding

extension FFmpegTools {
  /// A part of a file as it is, in the same container, in seconds from the start of what is shown. Where the
  /// container can say it, the part begins at that frame; else at the key frame before it.
  public func cut(
    _ source: URL, as container: Container, from seconds: Double, lasting: Double, to target: URL,
    in folder: URL
  ) async throws {
    let muxer =
      switch container {
      case .isoMedia: "mov"
      case .matroska: "matroska"
      case .transportStream: "mpegts"
      }
    let result = try await ChildProcess(
      program: ffmpeg,
      arguments: ["-hide_banner", "-nostdin", "-v", "error", "-y", "-ss", String(format: "%.3f", seconds)]
        + Self.input(source, container)
        + [
          "-t", String(format: "%.3f", lasting), "-map", "0:v:0", "-map", "0:a:0?", "-c", "copy", "-f", muxer,
        ]
        + ["file:" + target.path],
      folder: folder, readable: [source], fileBytes: 4 << 30, wallSeconds: 600
    ).run()
    guard result.status == 0 else {
      throw result.failure("The part could not be cut out")
    }
  }

  /// One file of a picture and a sound that lie in two, as they are, with the distance that their clocks
  /// have. The same files give the same bytes each time.
  public func join(
    _ picture: URL, as container: Container, withSound sound: URL, as soundContainer: Container,
    to target: URL,
    in folder: URL
  ) async throws {
    let result = try await ChildProcess(
      program: ffmpeg,
      arguments: ["-hide_banner", "-nostdin", "-v", "error", "-y", "-copyts"] + Self.input(picture, container)
        + Self.input(sound, soundContainer)
        + [
          "-map", "0:v:0", "-map", "1:a:0", "-c", "copy", "-map_metadata", "-1", "-fflags", "+bitexact",
          "-avoid_negative_ts", "make_zero", "-f", "mov", "file:" + target.path,
        ],
      folder: folder, readable: [picture, sound], fileBytes: 4 << 30, wallSeconds: 600
    ).run()
    guard result.status == 0 else { throw result.failure("Picture and sound could not be joined") }
  }
}

internal import Contract
public import Foundation
internal import Platform
public import Transcoding

extension FFmpegTools {
  public func still(
    of rendition: URL, frame: Int, size: (width: Int, height: Int), thumbnail: (width: Int, height: Int),
    in folder: URL
  ) async throws -> Still {
    let outputs = StillOutputs("still", size: size, thumbnail: thumbnail, in: folder)
    let chosen = "select='eq(n,\(frame))',"
    let result = try await ChildProcess(
      program: ffmpeg,
      arguments: ["-hide_banner", "-nostdin", "-v", "error", "-y"] + Self.input(rendition, .isoMedia)
        + ["-vf", chosen + outputs.toPicture] + outputs.pictureOptions
        + ["-vf", chosen + outputs.toThumbnail] + outputs.thumbnailOptions,
      folder: folder, readable: [rendition], cpuSeconds: 240,
      wallSeconds: ChildProcess.waitingSeconds + 60
    ).run()
    return try outputs.read(result)
  }

  public func storyboard(of rendition: URL, _ plan: StoryboardPlan, in folder: URL) async throws -> URL {
    let outputs = StoryboardOutputs(plan, in: folder)
    let result = try await ChildProcess(
      program: ffmpeg,
      arguments: ["-hide_banner", "-nostdin", "-v", "error", "-y"] + Self.input(rendition, .isoMedia)
        + ["-filter_complex", "[0:v]" + outputs.toTiles] + outputs.options,
      folder: folder, readable: [rendition], cpuSeconds: 480,
      wallSeconds: ChildProcess.waitingSeconds + 120
    ).run()
    return try outputs.read(result)
  }
}

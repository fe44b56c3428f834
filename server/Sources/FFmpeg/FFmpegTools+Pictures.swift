internal import Contract
public import Foundation
internal import Platform
public import Transcoding

extension FFmpegTools {
  /// From fine to coarse; with the last one a minute of noise stays below 200 KB.
  private static let qualities = [3, 5, 8, 14, 24]

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
      folder: folder, readable: [rendition], wallSeconds: 60
    ).run()
    return try outputs.read(result)
  }

  public func storyboard(of rendition: URL, _ plan: StoryboardPlan, in folder: URL) async throws -> URL {
    let files = Self.qualities.map { folder.appendingPathComponent("storyboard-\($0).jpg") }
    let chosen = plan.frames.map { "eq(n,\($0))" }.joined(separator: "+")
    let names = Self.qualities.map { "[q\($0)]" }
    let graph =
      "[0:v]select='\(chosen)',scale=\(plan.tile.width):\(plan.tile.height):flags=area:\(StillOutputs.toJPEG),"
      + "tile=\(plan.columns)x\(plan.rows),split=\(names.count)" + names.joined()
    let outputs = zip(names, zip(Self.qualities, files)).flatMap { name, output in
      ["-map", name, "-frames:v", "1", "-q:v", "\(output.0)"] + StillOutputs.image(output.1)
    }
    let result = try await ChildProcess(
      program: ffmpeg,
      arguments: ["-hide_banner", "-nostdin", "-v", "error", "-y"] + Self.input(rendition, .isoMedia)
        + ["-filter_complex", graph] + outputs,
      folder: folder, readable: [rendition], wallSeconds: 120
    ).run()
    // The finest that is small enough, else the smallest.
    let sizes = files.map { (try? $0.resourceValues(forKeys: [.fileSizeKey]).fileSize) ?? 0 }
    guard result.status == 0, sizes.allSatisfy({ $0 > 0 }) else {
      throw AppError(.transcodingFailed, "The storyboard could not be made: \(result.complaint)")
    }
    return files[sizes.firstIndex { $0 <= StoryboardPlan.targetBytes } ?? files.count - 1]
  }
}

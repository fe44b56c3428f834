internal import Contract
internal import Foundation
internal import Platform
internal import Transcoding

/// The tiles of a plan as one JPEG in several qualities: outputs of a run of ffmpeg.
struct StoryboardOutputs {
  /// From fine to coarse; with the last one a minute of noise stays below 200 KB.
  private static let qualities = [3, 5, 8, 14, 24]

  private let plan: StoryboardPlan
  private let files: [URL]

  init(_ plan: StoryboardPlan, in folder: URL) {
    self.plan = plan
    files = Self.qualities.map { folder.appendingPathComponent("storyboard-\($0).jpg") }
  }

  private var names: [String] { Self.qualities.map { "[q\($0)]" } }

  /// From frames of the rate that the plan counts in.
  var toTiles: String {
    let chosen = plan.frames.map { "eq(n,\($0))" }.joined(separator: "+")
    return
      "select='\(chosen)',scale=\(plan.tile.width):\(plan.tile.height):flags=area:\(StillOutputs.toJPEG),"
      + "tile=\(plan.columns)x\(plan.rows),split=\(names.count)" + names.joined()
  }

  var options: [String] {
    zip(names, zip(Self.qualities, files)).flatMap { name, output in
      ["-map", name, "-frames:v", "1", "-q:v", "\(output.0)"] + StillOutputs.image(output.1)
    }
  }

  /// The finest that is small enough, else the smallest.
  func read(_ result: ChildProcess.Result) throws -> URL {
    let sizes = files.map { (try? $0.resourceValues(forKeys: [.fileSizeKey]).fileSize) ?? 0 }
    guard result.status == 0, sizes.allSatisfy({ $0 > 0 }) else {
      throw result.failure("The storyboard could not be made")
    }
    return files[sizes.firstIndex { $0 <= StoryboardPlan.targetBytes } ?? files.count - 1]
  }
}

internal import Contract
internal import Foundation
internal import Platform
internal import Transcoding

/// A picture of our video as a JPEG and once more, small, as pixels: two outputs of a run of ffmpeg.
struct StillOutputs {
  /// JPEG is full range with the BT.601 matrix by definition, our video BT.709.
  static let toJPEG = "in_color_matrix=bt709:out_color_matrix=bt601:out_range=pc,format=yuvj420p"

  let size: (width: Int, height: Int)
  let thumbnail: (width: Int, height: Int)
  private let jpeg: URL
  private let raw: URL

  /// `name` tells them from those of other runs in the folder.
  init(_ name: String, size: (width: Int, height: Int), thumbnail: (width: Int, height: Int), in folder: URL)
  {
    self.size = size
    self.thumbnail = thumbnail
    jpeg = folder.appendingPathComponent("\(name).jpg")
    raw = folder.appendingPathComponent("\(name).rgba")
  }

  var toPicture: String { "scale=\(size.width):\(size.height):\(Self.toJPEG)" }
  var toThumbnail: String {
    "scale=\(thumbnail.width):\(thumbnail.height):in_color_matrix=bt709:flags=area,format=rgba"
  }

  /// Behind what says where the frames come from.
  var pictureOptions: [String] { ["-frames:v", "1", "-q:v", "4"] + Self.image(jpeg) }
  var thumbnailOptions: [String] { ["-frames:v", "1", "-f", "rawvideo", "file:" + raw.path] }

  static func image(_ url: URL) -> [String] {
    ["-fflags", "+bitexact", "-map_metadata", "-1", "-f", "image2", "-update", "1", "file:" + url.path]
  }

  func read(_ result: ChildProcess.Result) throws -> Still {
    guard result.status == 0, FileManager.default.fileExists(atPath: jpeg.path),
      let pixels = try? Data(contentsOf: raw), pixels.count == thumbnail.width * thumbnail.height * 4
    else { throw result.failure("A picture could not be made") }
    return Still(jpeg: jpeg, thumbnail: [UInt8](pixels))
  }
}

internal import Contract
public import Foundation
internal import Platform
public import Profiles

extension FFmpegTools: PortraitDrawing {
  public func draw(_ order: PortraitOrder, in folder: URL) async throws -> Portrait {
    let outputs = PortraitOutputs(order, in: folder)
    let result = try await ChildProcess(
      program: ffmpeg,
      arguments: ["-hide_banner", "-nostdin", "-v", "error", "-y"] + Self.picture(order.kind, order.file)
        + outputs.arguments,
      folder: folder, readable: [order.file], memoryBytes: 3 << 30, cpuSeconds: 30, fileBytes: 8 << 20,
      wallSeconds: 300
    ).run()
    // What it computes and needs follows from the picture: it is not the server's fault. A busy server only
    // makes it wait.
    guard result.status == 0, let portrait = outputs.read() else { throw AppError(.pictureUnreadable) }
    return portrait
  }

  /// NB: nothing is guessed: the kind has its demuxer and its decoder. Pixels were counted before, and are
  /// once more as the decoder understands the file. It is turned by what the file said, not by what this
  /// ffmpeg makes of it.
  static func picture(_ kind: PictureKind, _ file: URL) -> [String] {
    let (demuxer, decoder) =
      switch kind {
      case .jpeg: ("jpeg_pipe", "mjpeg")
      case .png: ("png_pipe", "png")
      case .webp: ("webp_pipe", "webp")
      }
    return [
      "-protocol_whitelist", "file", "-max_pixels", "\(Limits.picturePixels)", "-threads", "1",
      "-noautorotate", "-f", demuxer, "-c:v", decoder, "-i", "file:" + file.path,
    ]
  }
}

/// A square of a picture as two JPEGs and its mean colour: three outputs of a run of ffmpeg.
struct PortraitOutputs {
  /// JPEG is full range with the BT.601 matrix by definition.
  static let toJPEG = "out_color_matrix=bt601:out_range=pc,format=yuvj420p"
  /// Pixels a side of what the mean is taken of: the scaler makes nothing smaller of a large picture at once.
  private static let meanSide = 8

  let graph: String
  private let large: URL
  private let small: URL
  private let mean: URL

  init(_ order: PortraitOrder, in folder: URL) {
    let square = order.square
    let (side, smallSide) = (AuthorPicture.largeSide, AuthorPicture.smallSide)
    let steps =
      Self.turning(order.turn) + [
        "crop=\(square.side):\(square.side):\(square.x):\(square.y):exact=1",
        "scale=\(side):\(side):flags=bicubic", "format=rgba",
      ]
    graph = """
      [0:v:0]\(steps.joined(separator: ","))[face];color=c=white:s=\(side)x\(side):r=1:d=1,format=rgba[paper];\
      [paper][face]overlay=format=rgb,split=3[a][b][c];[a]scale=\(Self.toJPEG)[large];\
      [b]scale=\(smallSide):\(smallSide):flags=area:\(Self.toJPEG)[small];\
      [c]scale=\(Self.meanSide):\(Self.meanSide):flags=area,format=rgb24[mean]
      """
    large = folder.appendingPathComponent("large.jpg")
    small = folder.appendingPathComponent("small.jpg")
    mean = folder.appendingPathComponent("mean.rgb")
  }

  var arguments: [String] {
    let jpeg = ["-frames:v", "1", "-q:v", "4", "-flags:v", "+bitexact"]
    return ["-filter_complex", graph, "-map", "[large]"] + jpeg + StillOutputs.image(large)
      + ["-map", "[small]"] + jpeg + StillOutputs.image(small)
      + ["-map", "[mean]", "-frames:v", "1", "-f", "rawvideo", "file:" + mean.path]
  }

  /// Filters that do what the file says of how it was held.
  static func turning(_ turn: PictureTurn) -> [String] {
    switch turn {
    case .upright: []
    case .mirrored: ["hflip"]
    case .upsideDown: ["hflip", "vflip"]
    case .flipped: ["vflip"]
    case .transposed: ["transpose=cclock_flip"]
    case .clockwise: ["transpose=clock"]
    case .transversed: ["transpose=clock_flip"]
    case .counterclockwise: ["transpose=cclock"]
    }
  }

  /// Nil: something is missing.
  func read() -> Portrait? {
    guard let pixels = try? Data(contentsOf: mean), pixels.count == Self.meanSide * Self.meanSide * 3,
      FileManager.default.fileExists(atPath: large.path), FileManager.default.fileExists(atPath: small.path)
    else { return nil }
    let all = [UInt8](pixels)
    let color = (0..<3).map { channel in
      let sum = stride(from: channel, to: all.count, by: 3).reduce(0) { $0 + Int(all[$1]) }
      return UInt8(truncatingIfNeeded: sum / (all.count / 3))
    }
    return Portrait(large: large, small: small, color: ContentHash.hex(color))
  }
}

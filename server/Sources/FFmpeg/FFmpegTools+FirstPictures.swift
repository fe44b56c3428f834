internal import Contract
public import Foundation
public import Generation
internal import Platform
internal import Profiles

extension FFmpegTools: FirstPictureDrawing {
  public func firstPictures(of bytes: [UInt8], in folder: URL) async throws -> [VideoAspect: URL] {
    let picture = try await Offload.run { try PictureFile(bytes) }
    let file = folder.appendingPathComponent("picture")
    try Data(picture.bytes).write(to: file)
    let outputs = FirstPictureOutputs(picture, in: folder)
    let result = try await ChildProcess(
      program: ffmpeg,
      arguments: ["-hide_banner", "-nostdin", "-v", "error", "-y"] + Self.picture(picture.kind, file)
        + outputs.arguments,
      folder: folder, readable: [file], memoryBytes: 3 << 30, cpuSeconds: 30, fileBytes: 8 << 20,
      wallSeconds: 300
    ).run()
    // What it computes and needs follows from the picture: it is not the server's fault. A busy server only
    // makes it wait.
    guard result.status == 0, let files = outputs.files() else { throw AppError(.pictureUnreadable) }
    return files
  }
}

/// The middle of a picture in each shape of a video: a JPEG each, of one run of ffmpeg.
struct FirstPictureOutputs {
  let graph: String
  private let places: [VideoAspect: URL]

  init(_ picture: PictureFile, in folder: URL) {
    let upright = picture.upright
    let names = VideoAspect.allCases.indices.map { "[in\($0)]" }.joined()
    let turned = (PortraitOutputs.turning(picture.turn) + ["split=\(VideoAspect.allCases.count)"])
      .joined(separator: ",")
    var parts = ["[0:v:0]\(turned)\(names)"]
    var places: [VideoAspect: URL] = [:]
    for (number, aspect) in VideoAspect.allCases.enumerated() {
      let size = aspect.startSize
      let crop = Self.middle(of: upright, as: size)
      parts += [
        "[in\(number)]crop=\(crop.width):\(crop.height):\(crop.x):\(crop.y):exact=1"
          + ",scale=\(size.width):\(size.height):flags=bicubic,format=rgba[face\(number)]",
        // What is transparent comes out white.
        "color=c=white:s=\(size.width)x\(size.height):r=1:d=1,format=rgba[paper\(number)]",
        "[paper\(number)][face\(number)]overlay=format=rgb,scale=\(PortraitOutputs.toJPEG)[out\(number)]",
      ]
      places[aspect] = folder.appendingPathComponent("first\(number).jpg")
    }
    graph = parts.joined(separator: ";")
    self.places = places
  }

  /// The largest part of that shape, in the middle. Sides are counted already, so products are small.
  static func middle(
    of upright: (width: Int, height: Int), as size: (width: Int, height: Int)
  ) -> (x: Int, y: Int, width: Int, height: Int) {
    var (width, height) = upright
    if width * size.height > height * size.width {
      width = max(1, height * size.width / size.height)
    } else {
      height = max(1, width * size.height / size.width)
    }
    return ((upright.width - width) / 2, (upright.height - height) / 2, width, height)
  }

  var arguments: [String] {
    ["-filter_complex", graph]
      + VideoAspect.allCases.enumerated().flatMap { number, aspect -> [String] in
        guard let place = places[aspect] else { return [] }
        return ["-map", "[out\(number)]", "-frames:v", "1", "-q:v", "3", "-flags:v", "+bitexact"]
          + StillOutputs.image(place)
      }
  }

  /// Nil: one is missing.
  func files() -> [VideoAspect: URL]? {
    places.values.allSatisfy { FileManager.default.fileExists(atPath: $0.path) } ? places : nil
  }
}

extension VideoAspect {
  /// Pixels of what a video starts from: as vendors call their usual sizes, since some take no other.
  var startSize: (width: Int, height: Int) {
    switch self {
    case .portrait: (720, 1280)
    case .square: (960, 960)
    case .landscape: (1280, 720)
    }
  }
}

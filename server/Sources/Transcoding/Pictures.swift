internal import Contract
internal import Foundation
internal import Platform

/// Pictures of a clip that is stored: storyboard and cover, made from its renditions and stored beside them.
/// Where a rendition says that AI made it, its pictures say so too. It knows nothing of jobs and clips.
struct Pictures {
  let tools: any MediaTools
  let media: any BlobStore
  let folder: URL

  /// Short edge of a cover: sharp on a phone, also where it fills the screen.
  static let coverEdge = 720.0

  /// A storyboard that is not stored yet.
  struct Drawn {
    var file: URL
    var plan: StoryboardPlan
    var durationMs: Int
    /// What the picture is to say; nil: nothing.
    var sourceType: Provenance.SourceType?

    init(file: URL, plan: StoryboardPlan, durationMs: Int, sourceType: Provenance.SourceType?) {
      self.file = file
      self.plan = plan
      self.durationMs = durationMs
      self.sourceType = sourceType
    }

    /// Nil if there is no such file.
    init?(_ file: URL?, _ plan: StoryboardPlan?, durationMs: Int, sourceType: Provenance.SourceType?) {
      guard let file, let plan else { return nil }
      self.init(file: file, plan: plan, durationMs: durationMs, sourceType: sourceType)
    }
  }

  func storyboard(of playback: Playback) async throws -> Storyboard {
    try await store(try await draw(of: playback))
  }

  func draw(of playback: Playback) async throws -> Drawn {
    // The smallest is large enough, and decoded in the shortest time.
    let rendition = playback.renditions[0]
    let plan = StoryboardPlan(rendition, durationMs: playback.durationMs)
    let end = rendition.segments.last.map { $0.offset + $0.size } ?? 0
    let file = try await bring([0..<end], of: rendition)
    return Drawn(
      file: try await tools.storyboard(of: file, plan, in: folder), plan: plan,
      durationMs: playback.durationMs, sourceType: try Provenance(of: file).sourceType)
  }

  func store(_ drawn: Drawn) async throws -> Storyboard {
    let plan = drawn.plan
    try drawn.sourceType?.add(toJPEGAt: drawn.file)
    let image = try await media.put(fileAt: drawn.file, ext: "jpg")
    let text = plan.webVTT(image: image.description, durationMs: drawn.durationMs)
    let vtt = try await media.put(Data(text.utf8), ext: "vtt", in: folder)
    return Storyboard(
      url: Route.media.path(image.description), vttUrl: Route.media.path(vtt.description),
      tileWidth: plan.tile.width, tileHeight: plan.tile.height, columns: plan.columns, count: plan.count,
      intervalMs: plan.intervalMs)
  }

  /// The picture that is seen at this instant of the best rendition.
  func cover(of playback: Playback, atMs ms: Int) async throws -> Cover {
    let rendition = playback.renditions[playback.renditions.count - 1]
    let instant = min(ms, playback.durationMs - 1)
    // Of a file that may have fifty megabytes in a bucket far away, two seconds are needed.
    var start = 0
    var segment = rendition.segments[0]
    for next in rendition.segments.dropFirst() where start + segment.durationMs <= instant {
      start += segment.durationMs
      segment = next
    }
    let initialization = rendition.initialization
    let file = try await bring(
      [
        initialization.offset..<initialization.offset + initialization.size,
        segment.offset..<segment.offset + segment.size,
      ], of: rendition)
    let scale = min(1, Self.coverEdge / Double(min(rendition.width, rendition.height)))
    let size = (
      width: Int(clamping: Double(rendition.width) * scale),
      height: Int(clamping: Double(rendition.height) * scale)
    )
    let thumbnail = ThumbHash.size(of: size)
    let clock = FrameClock(rate: rendition.frameRate, durationMs: segment.durationMs)
    let still = try await tools.still(
      of: file, frame: clock.frame(atMs: instant - start), size: size, thumbnail: thumbnail, in: folder)
    try Provenance(of: file).sourceType?.add(toJPEGAt: still.jpeg)
    let name = try await media.put(fileAt: still.jpeg, ext: "jpg")
    return Cover(
      url: Route.media.path(name.description), width: size.width, height: size.height,
      placeholder: ThumbHash.text(of: still, thumbnail))
  }

  private func bring(_ ranges: [Range<Int>], of rendition: Rendition) async throws -> URL {
    guard let name = BlobName(String(rendition.url.split(atByte: UInt8(ascii: "/")).last ?? "")) else {
      throw AppError(.mediaNotFound)
    }
    let url = folder.appendingPathComponent("\(rendition.name)-stored.mp4")
    try await JobFolder.bring(ranges, of: name, from: media, to: url)
    return url
  }
}

extension ThumbHash {
  /// What a picture of this size is made small to: 64 pixels at most.
  static func size(of picture: (width: Int, height: Int)) -> (width: Int, height: Int) {
    let longer = Double(max(picture.width, picture.height))
    return (
      width: max(1, Int(clamping: Double(picture.width) * 64 / longer)),
      height: max(1, Int(clamping: Double(picture.height) * 64 / longer))
    )
  }

  static func text(of still: Still, _ size: (width: Int, height: Int)) -> String {
    Data(encode(width: size.width, height: size.height, rgba: still.thumbnail)).base64EncodedString()
  }
}

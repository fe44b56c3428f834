public import Foundation

/// What Transcoding needs done to video files.
///
/// Obligations of an implementation: it reads no file but the one it is given, opens no address, writes only
/// into `folder`, ends in bounded time with bounded memory, and ends at once when its task is cancelled. What
/// is wrong with a source is thrown as `AppError` with a refusal code.
public protocol MediaTools: Sendable {
  func inspect(_ source: URL, as container: Container, in folder: URL) async throws -> SourceReport

  /// Makes the sound of the clip, as loud as every clip is, once for each bit rate of the ladder's steps: by
  /// bit rate a fragmented MP4 with that one track, from exactly 0 and no longer than the picture. Empty if
  /// the clip has none.
  func sound(
    of source: URL, as container: Container, _ report: SourceReport, for ladder: Ladder, in folder: URL
  ) async throws -> [Int: URL]

  /// Makes the pictures of all renditions of the ladder, and the poster, from one decode; also a storyboard,
  /// if one is planned of the first step. `progress` gets 0…1. Two of these may run for one job at the same
  /// time in one folder, with ladders that have no step in common and one storyboard at most; whatever the
  /// steps, key frames come out at the cuts of the ladder. What is not awaited leaves the processors to what
  /// is.
  func encode(
    _ source: URL, as container: Container, _ report: SourceReport, to ladder: Ladder, in folder: URL,
    storyboard: StoryboardPlan?, isAwaited: Bool, progress: @escaping @Sendable (Double) -> Void
  ) async throws -> Encoded

  /// The frame with this number, counted from 0 in the order in which frames are seen, as a picture of that
  /// size and once more, small. The file may be a rendition, or its start and one of its segments.
  func still(
    of rendition: URL, frame: Int, size: (width: Int, height: Int), thumbnail: (width: Int, height: Int),
    in folder: URL
  ) async throws -> Still

  /// The tiles of the plan as one JPEG, of no more bytes than the plan aims at where that can be had.
  func storyboard(of rendition: URL, _ plan: StoryboardPlan, in folder: URL) async throws -> URL
}

/// What came of one decode.
public struct Encoded: Sendable {
  /// Fragmented MP4 without sound, in the order of the ladder.
  public var files: [URL]
  /// The first frame, in the size of the step `Ladder.posterPlace`.
  public var poster: Still
  /// One JPEG, as of `MediaTools.storyboard`; nil: none was planned.
  public var storyboard: URL?
  /// Frames that came out of the decoder, without those that were repeated to fill holes.
  public var decodedFrames: Int
  /// Seconds from the first of them to the last.
  public var lastFrameAt: Double

  public init(
    files: [URL], poster: Still, storyboard: URL? = nil, decodedFrames: Int, lastFrameAt: Double
  ) {
    self.files = files
    self.poster = poster
    self.storyboard = storyboard
    self.decodedFrames = decodedFrames
    self.lastFrameAt = lastFrameAt
  }
}

extension Encoded {
  /// Writes the only rendition with its sound. It says of where the picture comes from what its source says.
  /// Throws `transcoding_failed` unless it can be played.
  public func write(with sound: URL?, of source: Provenance, to target: URL) throws {
    let provenance = source.published(isGenerated: false)
    let file = try Repackager.join(files[0], sound, name: "compressed", provenance: provenance)
    try Data(file.bytes).write(to: target)
  }
}

public struct Still: Sendable {
  public var jpeg: URL
  /// Four bytes per pixel.
  public var thumbnail: [UInt8]

  public init(jpeg: URL, thumbnail: [UInt8]) {
    self.jpeg = jpeg
    self.thumbnail = thumbnail
  }
}

public import Foundation

/// What Transcoding needs done to video files.
///
/// Obligations of an implementation: it reads no file but the one it is given, opens no address, writes only into
/// `folder`, ends in bounded time with bounded memory, and ends at once when its task is cancelled. What is wrong
/// with a source is thrown as `AppError` with a refusal code.
public protocol MediaTools: Sendable {
  func inspect(_ source: URL, as container: Container, in folder: URL) async throws -> SourceReport

  /// Makes all renditions of the ladder from one decode. `progress` gets 0…1. Two of these may run for one job at the
  /// same time in one folder, with ladders that have no step in common; whatever the steps, key frames come out at
  /// the cuts of the ladder. What is not awaited leaves the processors to what is.
  func encode(
    _ source: URL, as container: Container, _ report: SourceReport, to ladder: Ladder, in folder: URL,
    isAwaited: Bool, progress: @escaping @Sendable (Double) -> Void
  ) async throws -> Encoded

  /// The frame with this number, counted from 0 in the order in which frames are seen, as a picture of that size and
  /// once more, small. The file may be a rendition, or its start and one of its segments.
  func still(
    of rendition: URL, frame: Int, size: (width: Int, height: Int), thumbnail: (width: Int, height: Int),
    in folder: URL
  ) async throws -> Still

  /// The tiles of the plan as one JPEG, of no more bytes than the plan aims at where that can be had.
  func storyboard(of rendition: URL, _ plan: StoryboardPlan, in folder: URL) async throws -> URL
}

/// Files of the renditions, in the order of the ladder.
public struct Encoded: Sendable {
  public var files: [URL]
  /// Frames that came out of the decoder, without those that were repeated to fill holes.
  public var decodedFrames: Int
  /// Seconds from the first of them to the last.
  public var lastFrameAt: Double

  public init(files: [URL], decodedFrames: Int, lastFrameAt: Double) {
    self.files = files
    self.decodedFrames = decodedFrames
    self.lastFrameAt = lastFrameAt
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

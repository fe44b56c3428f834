internal import AVFoundation
internal import AppModel
internal import CoreGraphics
internal import CoreMedia
internal import CoreTypes
internal import Foundation

/// A plan as AVFoundation plays, reads and photographs it: one track of pictures and one of sound, each part
/// at its speed. Nothing of it changes once it is made.
struct PlanComposition: @unchecked Sendable {
  let asset: AVMutableComposition
  let frames: AVVideoComposition
  let pictures: [AVAssetTrack]
  /// Empty if no part has sound.
  let sounds: [AVAssetTrack]
  private let parts: [(range: CMTimeRange, turn: PictureTurn)]
  private let track: CMPersistentTrackID
  private let plan: VideoPlan

  /// Throws `VideoTrouble.unreadable` if a part's file is not there or has no pictures.
  init(_ plan: VideoPlan, through look: LookCube?) async throws {
    let asset = AVMutableComposition()
    guard !plan.parts.isEmpty,
      let pictures = asset.addMutableTrack(
        withMediaType: .video, preferredTrackID: kCMPersistentTrackID_Invalid),
      let sounds = asset.addMutableTrack(
        withMediaType: .audio, preferredTrackID: kCMPersistentTrackID_Invalid)
    else { throw VideoTrouble.unreadable }
    var parts: [(range: CMTimeRange, turn: PictureTurn)] = []
    var cursor = Milliseconds.zero
    var hasSound = false
    for part in plan.parts {
      let source = AVURLAsset(url: part.file, options: nil)
      guard let seen = try await source.loadTracks(withMediaType: .video).first else {
        throw VideoTrouble.unreadable
      }
      let heard = try await source.loadTracks(withMediaType: .audio).first
      let (matrix, extent) = try await seen.load(.preferredTransform, .timeRange)
      _ = try pictures.insert(part, of: seen, within: extent, at: cursor)
      if let heard {
        let extent = try await heard.load(.timeRange)
        hasSound = (try? sounds.insert(part, of: heard, within: extent, at: cursor)) ?? hasSound || hasSound
      }
      parts.append(
        (
          CMTimeRange(start: cursor.time, duration: part.played.time),
          PictureTurn(matrix: Double(matrix.a), Double(matrix.b), Double(matrix.c), Double(matrix.d))
        ))
      cursor += part.played
    }
    // A track without anything in it makes a reader fail.
    if !hasSound { asset.removeTrack(sounds) }
    self.asset = asset
    self.pictures = [pictures]
    self.sounds = hasSound ? [sounds] : []
    self.parts = parts
    self.plan = plan
    track = pictures.trackID
    frames = Self.frames(plan, parts, track, look)
  }

  /// The same through another look.
  func frames(through look: LookCube?) -> AVVideoComposition { Self.frames(plan, parts, track, look) }

  private static func frames(
    _ plan: VideoPlan, _ parts: [(range: CMTimeRange, turn: PictureTurn)], _ track: CMPersistentTrackID,
    _ look: LookCube?
  ) -> AVVideoComposition {
    let frames = AVMutableVideoComposition()
    frames.customVideoCompositorClass = LookCompositor.self
    frames.renderSize = CGSize(width: plan.target.width, height: plan.target.height)
    frames.frameDuration = CMTime(value: 1, timescale: CMTimeScale(plan.target.frameRate))
    // What was filmed in high dynamic range or wide colours is mapped to what every screen shows.
    frames.colorPrimaries = AVVideoColorPrimaries_ITU_R_709_2
    frames.colorTransferFunction = AVVideoTransferFunction_ITU_R_709_2
    frames.colorYCbCrMatrix = AVVideoYCbCrMatrix_ITU_R_709_2
    frames.instructions = parts.map {
      PlanInstruction($0.range, track: track, turn: $0.turn, fills: plan.fills, cube: look)
    }
    return frames
  }
}

extension Milliseconds {
  var time: CMTime { CMTime(value: rawValue, timescale: 1_000) }
}

extension AVMutableCompositionTrack {
  /// As much of the part as the source has, lasting as long as its share of the part does. Whether anything
  /// came.
  fileprivate func insert(
    _ part: VideoPlan.Part, of source: AVAssetTrack, within extent: CMTimeRange, at cursor: Milliseconds
  ) throws -> Bool {
    let begin = max(part.start.time, extent.start)
    let end = min((part.start + part.captured).time, extent.end)
    guard part.captured > .zero, begin < end else { return false }
    let range = CMTimeRange(start: begin, end: end)
    // A gap that a shorter part before it has left.
    if timeRange.end < cursor.time {
      insertEmptyTimeRange(CMTimeRange(start: timeRange.end, end: cursor.time))
    }
    try insertTimeRange(range, of: source, at: cursor.time)
    guard part.played != part.captured else { return true }
    let share = range.duration.seconds * 1_000 / Double(part.captured.rawValue)
    let played = Int64(Double(part.played.rawValue) * min(max(share, 0), 1))
    scaleTimeRange(
      CMTimeRange(start: cursor.time, duration: range.duration),
      toDuration: CMTime(value: max(1, played), timescale: 1_000))
    return true
  }
}

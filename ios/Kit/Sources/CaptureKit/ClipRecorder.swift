internal import AVFoundation
internal import AppModel
internal import CoreGraphics
internal import CoreMedia
internal import CoreTypes
internal import Foundation

/// Writes one clip into its file, a fragment each second: after a kill what was written a second before can
/// be played. On the camera's queue alone; which buffer belongs to the clip, `CaptureTimeline` decides.
final class ClipRecorder {
  /// s. What a crash costs at most.
  private static let fragment = 1.0

  let order: CaptureOrder
  private let writer: AVAssetWriter
  private let pictures: AVAssetWriterInput
  private let sounds: AVAssetWriterInput?
  private var timeline: CaptureTimeline
  private(set) var hasEnded = false

  struct Picture {
    let width: Int
    let height: Int
    let frameRate: Int
    let turn: PictureTurn
  }

  init(_ order: CaptureOrder, _ picture: Picture, withSound: Bool) throws {
    self.order = order
    timeline = CaptureTimeline(longest: order.longest)
    // Only QuickTime's form is written in fragments.
    writer = try AVAssetWriter(outputURL: order.file, fileType: .mov)
    writer.movieFragmentInterval = CMTime(value: CMTimeValue(Self.fragment * 600), timescale: 600)
    let rate = CaptureFormats.rate(
      width: picture.width, height: picture.height, frameRate: picture.frameRate)
    pictures = AVAssetWriterInput(
      mediaType: .video,
      outputSettings: [
        AVVideoCodecKey: AVVideoCodecType.h264,
        AVVideoWidthKey: picture.width,
        AVVideoHeightKey: picture.height,
        AVVideoCompressionPropertiesKey: [
          AVVideoAverageBitRateKey: Int(rate.rawValue),
          AVVideoExpectedSourceFrameRateKey: picture.frameRate,
          AVVideoMaxKeyFrameIntervalDurationKey: Self.fragment,
          AVVideoProfileLevelKey: AVVideoProfileLevelH264HighAutoLevel,
        ] as [String: Any],
      ])
    pictures.expectsMediaDataInRealTime = true
    let matrix = picture.turn.matrix(width: Double(picture.width), height: Double(picture.height)).map {
      CGFloat($0)
    }
    pictures.transform = CGAffineTransform(
      a: matrix[0], b: matrix[1], c: matrix[2], d: matrix[3], tx: matrix[4], ty: matrix[5])
    guard writer.canAdd(pictures) else { throw VideoTrouble.failed }
    writer.add(pictures)
    sounds = withSound ? AVAssetWriterInput(mediaType: .audio, outputSettings: ExportRun.soundSettings) : nil
    if let sounds {
      sounds.expectsMediaDataInRealTime = true
      guard writer.canAdd(sounds) else { throw VideoTrouble.failed }
      writer.add(sounds)
    }
    guard writer.startWriting() else { throw writer.error ?? VideoTrouble.failed }
  }

  enum Outcome: Equatable {
    case goesOn
    case begun
    /// The clip is as long as it may be, or cannot be written: it is to be finished.
    case ended
  }

  func picture(_ sample: CMSampleBuffer) -> Outcome {
    guard !hasEnded else { return .goesOn }
    let time = CMSampleBufferGetPresentationTimeStamp(sample)
    switch timeline.picture(at: time.nanoseconds) {
    case .begin:
      writer.startSession(atSourceTime: time)
      return append(sample, to: pictures) ? .begun : .ended
    case .append: return append(sample, to: pictures) ? .goesOn : .ended
    case .drop: return .goesOn
    case .end: return .ended
    }
  }

  func sound(_ sample: CMSampleBuffer) -> Outcome {
    guard !hasEnded, let sounds else { return .goesOn }
    let time = CMSampleBufferGetPresentationTimeStamp(sample).nanoseconds
    guard timeline.sound(at: time) == .append else { return .goesOn }
    return append(sample, to: sounds) ? .goesOn : .ended
  }

  /// An encoder that is behind loses this buffer, and the clip goes on.
  private func append(_ sample: CMSampleBuffer, to input: AVAssetWriterInput) -> Bool {
    guard writer.status == .writing else { return false }
    return !input.isReadyForMoreMediaData || input.append(sample)
  }

  /// Ends the file; on any thread afterwards: how long it is, and what went wrong.
  func finish(_ done: @escaping @Sendable (Milliseconds, (any Error)?) -> Void) {
    guard !hasEnded else { return }
    hasEnded = true
    let length = timeline.length
    guard writer.status == .writing, length > .zero else {
      let error = writer.error
      // NB: cancelling a writer that has failed would raise, and deletes what can still be played.
      if writer.status == .writing { writer.cancelWriting() }
      return done(error == nil ? .zero : length, error)
    }
    pictures.markAsFinished()
    sounds?.markAsFinished()
    let finished = Finished(writer)
    writer.finishWriting { done(length, finished.error) }
  }

  /// The writer, which nobody else touches any more.
  private struct Finished: @unchecked Sendable {
    private let writer: AVAssetWriter
    init(_ writer: AVAssetWriter) { self.writer = writer }
    var error: (any Error)? { writer.status == .completed ? nil : writer.error ?? VideoTrouble.failed }
  }
}

extension CMTime {
  /// What is no number is the earliest of all.
  fileprivate var nanoseconds: Int64 {
    let converted = CMTimeConvertScale(self, timescale: 1_000_000_000, method: .roundTowardZero)
    return converted.isNumeric ? converted.value : .min
  }
}

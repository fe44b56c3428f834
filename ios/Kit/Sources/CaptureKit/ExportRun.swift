internal import AVFAudio
internal import AVFoundation
internal import AppModel
internal import CoreAudioTypes
internal import CoreMedia
internal import CoreTypes
internal import Dispatch
internal import Foundation
internal import Synchronization

/// Encodes one composition into one file: read, drawn and written in one go.
///
/// A reader and a writer, not an export session: sizes of uploads are promised by bit rates, and a session's
/// presets have rates of their own. Each track is only touched on its own queue.
final class ExportRun: @unchecked Sendable {
  private final class Track: @unchecked Sendable {
    let output: AVAssetReaderOutput
    let input: AVAssetWriterInput
    let queue: DispatchQueue
    var isDone = false
    var share = 0.0

    init(_ output: AVAssetReaderOutput, _ input: AVAssetWriterInput, _ name: String) {
      self.output = output
      self.input = input
      queue = DispatchQueue(label: "clipfeed.export.\(name)")
    }
  }

  private let reader: AVAssetReader
  private let writer: AVAssetWriter
  private var tracks: [Track] = []
  private let isCancelled = Mutex(false)
  private let progress: @Sendable (Double) -> Void
  private let length: Double

  init(
    _ composition: PlanComposition, plan: VideoPlan, into file: URL,
    progress: @escaping @Sendable (Double) -> Void
  ) throws {
    self.progress = progress
    length = max(0.001, plan.length.time.seconds)
    reader = try AVAssetReader(asset: composition.asset)
    writer = try AVAssetWriter(outputURL: file, fileType: .mp4)
    writer.shouldOptimizeForNetworkUse = true
    let pictures = AVAssetReaderVideoCompositionOutput(
      videoTracks: composition.pictures, videoSettings: nil)
    pictures.videoComposition = composition.frames
    try add(
      pictures, AVAssetWriterInput(mediaType: .video, outputSettings: Self.settings(plan.target)), "pictures")
    guard !composition.sounds.isEmpty else { return }
    let sounds = AVAssetReaderAudioMixOutput(
      audioTracks: composition.sounds, audioSettings: [AVFormatIDKey: kAudioFormatLinearPCM])
    // A voice keeps its pitch at every speed.
    sounds.audioTimePitchAlgorithm = .spectral
    try add(sounds, AVAssetWriterInput(mediaType: .audio, outputSettings: Self.soundSettings), "sounds")
  }

  private func add(_ output: AVAssetReaderOutput, _ input: AVAssetWriterInput, _ name: String) throws {
    output.alwaysCopiesSampleData = false
    input.expectsMediaDataInRealTime = false
    // What cannot be added would raise.
    guard reader.canAdd(output), writer.canAdd(input) else { throw VideoTrouble.failed }
    reader.add(output)
    writer.add(input)
    tracks.append(Track(output, input, name))
  }

  func run() async throws {
    guard reader.startReading() else { throw reader.error ?? VideoTrouble.failed }
    guard writer.startWriting() else { throw writer.error ?? VideoTrouble.failed }
    writer.startSession(atSourceTime: .zero)
    await withTaskCancellationHandler {
      await withTaskGroup(of: Void.self) { group in
        for track in tracks { group.addTask { await self.pump(track) } }
      }
    } onCancel: {
      isCancelled.withLock { $0 = true }
    }
    if isCancelled.withLock({ $0 }) { throw abandoned(CancellationError()) }
    guard reader.status == .completed, writer.status == .writing else {
      throw abandoned(reader.error ?? writer.error ?? VideoTrouble.failed)
    }
    await writer.finishWriting()
    guard writer.status == .completed else { throw writer.error ?? VideoTrouble.failed }
  }

  private func abandoned(_ error: any Error) -> any Error {
    reader.cancelReading()
    // Deletes its file.
    writer.cancelWriting()
    return error
  }

  private func pump(_ track: Track) async {
    await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
      track.input.requestMediaDataWhenReady(on: track.queue) { [self] in
        while track.input.isReadyForMoreMediaData, !track.isDone {
          guard step(track) else {
            track.isDone = true
            track.input.markAsFinished()
            done.resume()
            return
          }
        }
      }
    }
  }

  /// Moves one buffer; `false` if there is none any more, or nothing is wanted.
  private func step(_ track: Track) -> Bool {
    guard !isCancelled.withLock({ $0 }), let sample = track.output.copyNextSampleBuffer() else {
      return false
    }
    if track.input.mediaType == .video {
      let seconds = CMSampleBufferGetPresentationTimeStamp(sample).seconds
      let share = seconds.isFinite ? min(max(seconds / length, 0), 1) : 0
      // More often nobody sees it.
      if share >= track.share + 0.01 {
        track.share = share
        progress(share)
      }
    }
    return track.input.append(sample)
  }

  private static func settings(_ target: VideoTarget) -> [String: Any] {
    [
      AVVideoCodecKey: AVVideoCodecType.h264,
      AVVideoWidthKey: target.width,
      AVVideoHeightKey: target.height,
      AVVideoColorPropertiesKey: [
        AVVideoColorPrimariesKey: AVVideoColorPrimaries_ITU_R_709_2,
        AVVideoTransferFunctionKey: AVVideoTransferFunction_ITU_R_709_2,
        AVVideoYCbCrMatrixKey: AVVideoYCbCrMatrix_ITU_R_709_2,
      ],
      AVVideoCompressionPropertiesKey: [
        AVVideoAverageBitRateKey: Int(target.rate.rawValue),
        AVVideoExpectedSourceFrameRateKey: target.frameRate,
        // s. The server cuts segments anew; a player of the file itself seeks by these.
        AVVideoMaxKeyFrameIntervalDurationKey: 2,
        AVVideoProfileLevelKey: AVVideoProfileLevelH264HighAutoLevel,
      ] as [String: Any],
    ]
  }

  static var soundSettings: [String: Any] {
    [
      AVFormatIDKey: kAudioFormatMPEG4AAC,
      AVSampleRateKey: 44_100.0,
      AVNumberOfChannelsKey: 2,
      AVEncoderBitRateKey: Int(VideoPreset.soundRate.rawValue),
    ]
  }
}

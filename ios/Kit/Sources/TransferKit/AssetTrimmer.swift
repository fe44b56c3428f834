internal import AVFoundation
internal import CoreMedia
public import CoreTypes
public import Foundation
public import Transfer

/// Why no file was made.
public enum ExportProblem: Error, Equatable, Sendable {
  /// This device does not make such a file of this one.
  case unsupported
}

/// A part by the system's export, its samples as they are.
public struct AssetTrimmer: Trimmer {
  public init() {}

  public func trim(
    _ source: URL, _ part: Range<Milliseconds>, to target: URL,
    progress: @escaping @Sendable (Double) -> Void
  ) async throws {
    let asset = AVURLAsset(url: source, options: nil)
    guard let export = AVAssetExportSession(asset: asset, presetName: AVAssetExportPresetPassthrough) else {
      throw ExportProblem.unsupported
    }
    export.timeRange = CMTimeRange(
      start: CMTime(part.lowerBound), duration: CMTime(part.upperBound - part.lowerBound))
    try await export.run(to: target, progress: progress)
  }
}

extension AVAssetExportSession {
  /// Ends with the task: a cancelled export throws, and leaves no file.
  fileprivate func run(to target: URL, progress: @escaping @Sendable (Double) -> Void) async throws {
    // What an earlier run left: the system writes over nothing.
    try? FileManager.default.removeItem(at: target)
    // The index comes first, as players want it, and where the video was recorded stays here.
    shouldOptimizeForNetworkUse = true
    metadataItemFilter = AVMetadataItemFilter.forSharing()
    let states = states(updateInterval: 0.25)
    let telling = Task {
      for await state in states {
        if case .exporting(let done) = state { progress(done.fractionCompleted) }
      }
    }
    defer { telling.cancel() }
    do {
      try await export(to: target, as: .mp4)
    } catch {
      try? FileManager.default.removeItem(at: target)
      throw error
    }
  }
}

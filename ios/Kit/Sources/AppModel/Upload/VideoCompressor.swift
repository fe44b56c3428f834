public import CoreTypes
public import Foundation
public import Transfer
internal import Upload

/// Makes files smaller for uploads by what makes videos of recordings, in the best of its presets that fits.
@MainActor public final class VideoCompressor: Compressor {
  /// It would lose more than size, or hardly that.
  public struct NotWorthwhile: Error {}

  private let maker: any VideoMaker
  private let isHighRange: @Sendable (URL) async -> Bool

  /// `isHighRange`: whether a file's light would be lost by encoding it again.
  public init(_ maker: any VideoMaker, isHighRange: @escaping @Sendable (URL) async -> Bool) {
    self.maker = maker
    self.isHighRange = isHighRange
  }

  public func compress(
    _ source: URL, of size: Bytes, to target: URL, wanted: Bytes,
    progress: @escaping @Sendable (Double) -> Void
  ) async throws {
    guard await !isHighRange(source) else { throw NotWorthwhile() }
    let facts = try await maker.facts(of: source)
    guard let preset = VideoPreset.fitting(facts.length, size: size, wanted: wanted) else {
      throw NotWorthwhile()
    }
    let form = preset.target(width: facts.width, height: facts.height, frameRate: facts.frameRate)
    let plan = VideoPlan(file: source, facts: facts, target: form)
    try await maker.make(plan, through: nil, into: target) { progress($0) }
  }
}

extension VideoPreset {
  /// Who saves less than this of a file has lost quality and time for nothing, in percent.
  private static let worthwhile: Int64 = 10

  /// The best one of which so much fits into `wanted`, else the smallest; `nil` if that would hardly be
  /// smaller than the file is.
  static func fitting(_ length: Milliseconds, size: Bytes, wanted: Bytes) -> VideoPreset? {
    guard length > .zero else { return nil }
    let preset = best(of: length, within: wanted)
    let most = Double(size.rawValue) * Double(100 - worthwhile) / 100
    return Double(preset.size(of: length).rawValue) <= most ? preset : nil
  }

  /// The best one of which so much fits, else the smallest.
  fileprivate static func best(of length: Milliseconds, within size: Bytes) -> VideoPreset {
    allCases.last { $0.size(of: length) <= size } ?? .small
  }

  /// About what it makes of so much, with its sound.
  private func size(of length: Milliseconds) -> Bytes {
    let seconds = Double(min(max(length.rawValue, 0), 86_400_000)) / 1_000
    return Bytes(Int64(Double(rate.rawValue + Self.soundRate.rawValue) * seconds / 8))
  }
}

extension VideoPlan {
  /// The same as the upload would have it: what is larger would be compressed once more behind it, for the
  /// same picture from a worse source, twice the time and twice the battery.
  func sizedForUpload() -> VideoPlan {
    let preset = VideoPreset.best(of: length, within: SizeGate.compressedFrom)
    guard preset.rate < target.rate else { return self }
    var plan = self
    plan.target = preset.target(width: target.width, height: target.height, frameRate: target.frameRate)
    return plan
  }
}

internal import Contract
internal import FFmpeg
internal import Foundation
internal import Platform
internal import Transcoding
internal import Uploader

/// Compresses and trims with ffmpeg before a byte moves, in the same closed room as the server does.
struct VideoPreparing: UploadPreparing {
  /// Half as much again as the best rendition may have: it is encoded once more on the server.
  private static let headroom = 1.5
  /// A part that lasts exactly as long as is allowed would be refused for a rounded frame.
  private static let margin = 0.1

  let canCompress: Bool
  private let tools: FFmpegTools
  /// Seconds from the start of a video that is too long; nil: the person has not said which part.
  private let trimFrom: Double?

  /// Nil where ffmpeg is not installed.
  init?(canCompress: Bool, trimFrom: Double?) {
    // A better picture for its size than the server takes time for.
    guard let tools = try? FFmpegTools(preset: "fast", quality: 19) else { return nil }
    self.tools = tools
    self.canCompress = canCompress
    self.trimFrom = trimFrom
  }

  func compress(
    _ source: URL, to target: URL, progress: @escaping @Sendable (Double) -> Void
  ) async throws -> PreparedFile {
    try await inFolder(beside: target) { folder in
      let container = try Self.container(of: source)
      let report = try await tools.inspect(source, as: container, in: folder)
      try report.check()
      let ladder = Self.best(of: Ladder(report))
      async let sound = tools.sound(of: source, as: container, report, for: ladder, in: folder)
      let encoded = try await tools.encode(
        source, as: container, report, to: ladder, in: folder, storyboard: nil, isAwaited: true,
        progress: progress)
      try report.check(encoded)
      try encoded.write(with: await sound[ladder.steps[0].audioBps], of: report.provenance, to: target)
      return PreparedFile(
        container: Container.isoMedia.rawValue,
        durationMs: Int(clamping: (ladder.duration * 1000).rounded(.towardZero)))
    }
  }

  private static func best(of ladder: Ladder) -> Ladder {
    var best = ladder
    best.steps = best.steps.suffix(1)
    best.steps[0].capBps = Int(clamping: (Double(best.steps[0].capBps) * headroom).rounded(.towardZero))
    return best
  }

  func trim(
    _ source: URL, longestMs: Int, largestBytes: Int, to target: URL,
    progress: @escaping @Sendable (Double) -> Void
  ) async throws -> PreparedFile {
    let (container, lengthMs) = try await inFolder(beside: target) { folder in
      let container = try Self.container(of: source)
      return (container, try await tools.inspect(source, as: container, in: folder).duration * 1000)
    }
    // Only its size is too much.
    guard lengthMs > Double(longestMs + Limits.durationToleranceMs) else {
      return try await compress(source, to: target, progress: progress)
    }
    let seconds = Int(clamping: lengthMs / 1000)
    guard let trimFrom else {
      throw NotPrepared(
        "The video is \(seconds) seconds long; \(longestMs / 1000) are allowed. "
          + "Add --trim-from SECONDS to upload \(longestMs / 1000) seconds of it from there.")
    }
    guard trimFrom * 1000 + Double(Limits.shortestMs) <= lengthMs else {
      throw NotPrepared(
        "The video is \(seconds) seconds long; --trim-from must lie before its end.")
    }
    return try await inFolder(beside: target) { folder in
      let part = folder.appendingPathComponent("part")
      try await tools.cut(
        source, as: container, from: trimFrom, lasting: Double(longestMs) / 1000 - Self.margin, to: part,
        in: folder)
      let report = try await tools.inspect(part, as: container, in: folder)
      try Self.move(part, to: target)
      return PreparedFile(
        container: container.rawValue,
        durationMs: Int(clamping: (report.duration * 1000).rounded(.towardZero)))
    }
  }

  /// Throws the refusal before a byte moves.
  static func container(of url: URL) throws -> Container {
    guard let status = FileStatus(of: url.path), status.kind == .file else { throw AppError(.notAFile) }
    guard status.size > 0 else { throw AppError(.emptyFile) }
    guard let handle = try? FileHandle(forReadingFrom: url) else { throw AppError(.fileUnreadable) }
    defer { try? handle.close() }
    return try Container.sniff([UInt8](try handle.read(upToCount: 1024) ?? Data()))
  }

  private func inFolder<Value>(beside target: URL, _ work: (URL) async throws -> Value) async throws -> Value
  {
    let folder = target.appendingPathExtension("work")
    // What an earlier run left when it was killed.
    try? FileManager.default.removeItem(at: folder)
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    defer { try? FileManager.default.removeItem(at: folder) }
    return try await work(folder)
  }

  private static func move(_ file: URL, to target: URL) throws {
    try? FileManager.default.removeItem(at: target)
    try FileManager.default.moveItem(at: file, to: target)
  }
}

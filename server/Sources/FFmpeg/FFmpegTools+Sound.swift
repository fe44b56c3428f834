internal import Contract
public import Foundation
internal import Platform
public import Transcoding

extension FFmpegTools {
  public func sound(
    of source: URL, as container: Container, _ report: SourceReport, for ladder: Ladder, in folder: URL
  ) async throws -> [Int: URL] {
    let rates = Set(ladder.steps.map(\.audioBps)).sorted()
    guard let index = report.audioIndex, !rates.isEmpty, Self.isWorthwhile(ladder) else { return [:] }
    let recording = try await record(
      source, as: container, report, samples: Self.lastSample(ladder), in: folder)
    let files = Dictionary(
      uniqueKeysWithValues: rates.map { ($0, folder.appendingPathComponent("sound-\($0).mp4")) })
    let filters = SoundGraph(report: report).levelled(
      by: recording?.loudness, isRaw: recording != nil, from: Self.aacFrame, to: Self.lastSample(ladder))
    let names = rates.map { "[a\($0)]" }
    let graph =
      "[0:\(recording == nil ? index : 0)]" + filters.joined(separator: ",") + ",asplit=\(rates.count)"
      + names.joined()
    let seconds = 60 + ladder.duration * 10
    let result = try await ChildProcess(
      program: ffmpeg,
      arguments: ["-hide_banner", "-nostdin", "-v", "error", "-y", "-max_error_rate", "1"]
        + (recording?.input ?? Self.input(source, container)) + ["-filter_complex", graph]
        + zip(rates, names).flatMap { Self.output($1, bps: $0, to: files[$0]!) },
      folder: folder, readable: [source], memoryBytes: 2 << 30,
      cpuSeconds: UInt64(clamping: Int(clamping: (4 * seconds).rounded(.up))),
      wallSeconds: 2 * ChildProcess.waitingSeconds + seconds, niceness: Confinement.patientNiceness
    ).run()
    guard result.status == 0 else {
      throw result.failure("The sound could not be converted")
    }
    return files
  }

  /// Samples of one AAC frame, also the delay of the encoder: sound is cut so that the encoder's first
  /// packet, which would lie before 0, falls on 0.
  private static let aacFrame = 1024

  /// Whole AAC frames that fit into the picture: only what lies inside of it loops without a gap.
  private static func lastSample(_ ladder: Ladder) -> Int {
    Int(clamping: (ladder.duration * Double(SoundGraph.rate)).rounded(.towardZero)) / aacFrame * aacFrame
  }

  /// A clip shorter than two AAC frames has no sound worth the trouble.
  private static func isWorthwhile(_ ladder: Ladder) -> Bool { lastSample(ladder) > 2 * aacFrame }

  private static func output(_ name: String, bps: Int, to file: URL) -> [String] {
    [
      "-map", name, "-c:a", "aac", "-b:a", "\(bps)", "-ar", "\(SoundGraph.rate)", "-ac", "2",
      "-flags:a", "+bitexact", "-map_metadata", "-1", "-map_chapters", "-1", "-avoid_negative_ts", "disabled",
      "-fflags", "+bitexact", "-movflags", "+empty_moov+default_base_moof+skip_trailer", "-f", "mp4",
      "file:" + file.path,
    ]
  }

  /// Sound as it was recorded, decoded and not yet encoded again.
  private struct Recording {
    /// Of interleaved 32-bit samples in stereo, 23 MB a minute.
    var file: URL
    var loudness: Loudness?

    var input: [String] {
      ["-protocol_whitelist", "file", "-f", "f32le", "-ar", "\(SoundGraph.rate)", "-ac", "2"]
        + ["-i", "file:" + file.path]
    }
  }

  /// Decodes the sound alone and measures it. Nil where it cannot be decoded to its end: such sound stays as
  /// it is. Throws where the run was cut off, since what is published stays as loud as it is.
  private func record(
    _ source: URL, as container: Container, _ report: SourceReport, samples: Int, in folder: URL
  ) async throws -> Recording? {
    guard let index = report.audioIndex, report.duration > 0 else { return nil }
    let file = folder.appendingPathComponent("recorded.f32")
    let measured = Int(clamping: (report.duration * Double(SoundGraph.rate)).rounded(.towardZero)) + 1
    let filters = SoundGraph(report: report).raw(samples: max(measured, samples))
    let graph =
      "[0:\(index)]" + filters.joined(separator: ",") + ",asplit=2[whole][part];[part]"
      + "atrim=end_sample=\(measured),ebur128=peak=true:framelog=verbose[measured]"
    let result = try await ChildProcess(
      program: ffmpeg,
      arguments: ["-hide_banner", "-nostdin", "-nostats", "-v", "info", "-max_error_rate", "1"]
        + Self.input(source, container)
        + ["-filter_complex", graph, "-map", "[measured]", "-f", "null", "-"]
        + ["-map", "[whole]", "-c:a", "pcm_f32le", "-f", "f32le", "file:" + file.path],
      folder: folder, readable: [source], memoryBytes: 2 << 30, cpuSeconds: 120,
      wallSeconds: 2 * ChildProcess.waitingSeconds, niceness: Confinement.patientNiceness
    ).run()
    guard result.status == 0 else {
      if result.wasCutOff { throw result.failure("The sound could not be measured") }
      return nil
    }
    return Recording(file: file, loudness: Self.loudness(fromSummary: result.complaint))
  }

  /// The last summary in the log: what a source says about itself comes before it.
  static func loudness(fromSummary log: String) -> Loudness? {
    guard let summary = log.components(separatedBy: "Summary:").dropFirst().last else { return nil }
    func value(_ label: String) -> Double? {
      guard let line = summary.split(separator: "\n").first(where: { $0.contains(label) }) else { return nil }
      return line.split(separator: ":").last?.split(separator: " ").first.flatMap { Double($0) }
    }
    guard let integrated = value("  I:"), let peak = value("  Peak:") else { return nil }
    // -70 is the gate of the standard: nothing was above it.
    return Loudness(
      integrated: integrated.isFinite && integrated > -70 ? integrated : nil,
      truePeak: peak.isFinite ? peak : nil)
  }
}

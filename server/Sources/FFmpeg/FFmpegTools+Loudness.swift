internal import Foundation
internal import Transcoding

extension FFmpegTools {
  /// Decodes the sound alone and measures it. Nil where it cannot be decoded to its end: such sound stays as it is.
  func measureLoudness(
    _ source: URL, as container: Container, _ report: SourceReport, in folder: URL
  ) async throws -> Loudness? {
    guard let index = report.audioIndex, report.duration > 0 else { return nil }
    let samples = Int(report.duration * Double(SoundGraph.rate)) + 1
    let filters = SoundGraph(report: report).raw(samples: samples) + ["ebur128=peak=true:framelog=verbose"]
    let result = try await ChildProcess(
      program: ffmpeg,
      arguments: ["-hide_banner", "-nostdin", "-nostats", "-v", "info", "-max_error_rate", "1"]
        + Self.input(source, container)
        + ["-filter_complex", "[0:\(index)]" + filters.joined(separator: ",") + "[a]", "-map", "[a]"]
        + ["-f", "null", "-"],
      folder: folder, readable: [source], memoryBytes: 2 << 30, cpuSeconds: 120, fileBytes: 1 << 20,
      wallSeconds: 150
    ).run()
    return result.status == 0 ? Self.loudness(fromSummary: result.complaint) : nil
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

internal import Foundation

/// What came out of the decoder: the filter graph writes a line per frame, before frames are repeated or
/// dropped to a constant rate ("frame:12   pts:6144    pts_time:0.4").
struct FrameLog {
  var frames = 0
  /// Seconds from the start of the clip to its last frame. Where an edit list starts in the middle, the first
  /// frames may lie before the clip's zero: then from the first.
  var lastFrameAt = 0.0

  /// A log that is not there is one of no frames.
  init(at url: URL) {
    guard let text = try? String(contentsOf: url, encoding: .utf8) else { return }
    var start = 0.0
    for line in text.split(separator: "\n") where line.hasPrefix("frame:") {
      frames += 1
      guard let time = line.split(separator: " ").last, time.hasPrefix("pts_time:") else { continue }
      guard let at = Double(time.dropFirst("pts_time:".count)) else { continue }
      start = min(start, at)
      lastFrameAt = at - start
    }
  }
}

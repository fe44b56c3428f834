public import CoreTypes
internal import Foundation

/// Draws a stretch of one session, for the question why somebody had to wait: from top to bottom what was
/// on the screen, what the link could carry and carried, each clip's downloads above its buffer, and the
/// players. Times without a picture run through all of it as columns.
public struct TimelinePlot {
  let timeline: Timeline
  let title: String
  let measures: Measures
  let from: Instant
  let to: Instant

  static let width = 1_400.0
  static let left = 116.0
  static let right = 20.0
  static let top = 92.0

  /// `from`: where it begins; without it, where the longest time without a picture comes into view.
  public init(
    _ timeline: Timeline, title: String, measures: Measures, from: Instant?, span: Milliseconds
  ) {
    self.timeline = timeline
    self.title = title
    self.measures = measures
    let latest = max(0, timeline.end.rawValue - span.rawValue)
    let wanted = from?.rawValue ?? Self.worst(timeline) - span.rawValue * 2 / 3
    self.from = Instant(min(max(0, wanted), latest))
    to = Instant(min(self.from.rawValue + span.rawValue, max(timeline.end.rawValue, 1_000)))
  }

  /// When the longest stall or wait begins.
  private static func worst(_ timeline: Timeline) -> Int64 {
    var worst: Timeline.Span<Timeline.State>?
    for state in timeline.states where state.value == .stalled || state.value == .waiting {
      if let known = worst, known.to - known.from >= state.to - state.from { continue }
      worst = state
    }
    return worst?.from.rawValue ?? 0
  }

  public func svg() -> String {
    var svg = SVG()
    var y = Self.top
    var lanes = SVG()
    drawScreen(&lanes, &y)
    drawLink(&lanes, &y)
    drawClips(&lanes, &y)
    drawPlayers(&lanes, &y)
    let height = y + 54
    svg.rect(0, 0, Self.width, height, "paper")
    drawHead(&svg)
    drawGrid(&svg, until: y)
    lanes.elements.forEach { svg.append($0) }
    drawColumns(&svg, until: y)
    drawSwipes(&svg, until: y)
    drawLegend(&svg, y + 36)
    return svg.document(width: Self.width, height: height, style: PlotStyle.css, label: title)
  }

  // MARK: Scale

  func x(_ time: Instant) -> Double {
    let share = Double(time.rawValue - from.rawValue) / Double(to.rawValue - from.rawValue)
    return Self.left + share * (Self.width - Self.left - Self.right)
  }

  var plotWidth: Double { Self.width - Self.left - Self.right }

  func isVisible(_ start: Instant, _ end: Instant) -> Bool { start < to && from < end }

  /// The part of a span that is in view.
  func visible(_ start: Instant, _ end: Instant) -> (x: Double, width: Double) {
    let first = x(max(start, from))
    return (first, x(min(end, to)) - first)
  }

  /// About as wide as a text of the small type is.
  static func textWidth(_ text: String) -> Double { Double(text.count) * 5.9 }

  // MARK: Around the lanes

  private func drawHead(_ svg: inout SVG) {
    svg.text(20, 30, title, "title")
    let parts = [
      "\(seconds(measures.played)) s played", "\(seconds(measures.waited)) s waited",
      "\(measures.stalls) stalls of \(seconds(measures.stalled)) s",
      String(format: "%.1f MB", Double(measures.bytes) / 1e6),
      "\(100 * measures.wastedBytes / max(1, measures.bytes)) % never shown",
      "\(measures.requests) requests", String(format: "score %.1f", measures.score),
    ]
    svg.text(20, 50, "Whole session: " + parts.joined(separator: "  ·  "), "soft")
  }

  private func seconds(_ time: Milliseconds) -> String { String(format: "%.1f", time.seconds) }

  private func drawGrid(_ svg: inout SVG, until bottom: Double) {
    let step = gridStep
    var time = (from.rawValue + step - 1) / step * step
    while time <= to.rawValue {
      let x = x(Instant(time))
      svg.line(x, Self.top - 6, x, bottom, "grid")
      svg.text(x, Self.top - 12, "\(time / 1_000) s", "soft small middle")
      time += step
    }
  }

  /// Times without a picture, through all lanes.
  private func drawColumns(_ svg: inout SVG, until bottom: Double) {
    for state in timeline.states
    where (state.value == .stalled || state.value == .waiting) && isVisible(state.from, state.to) {
      // Every swipe has a moment without its picture; only what can be felt is shown.
      guard state.to - state.from > Milliseconds(50) else { continue }
      let (x, width) = visible(state.from, state.to)
      svg.rect(x, Self.top - 6, width, bottom - Self.top + 6, "column \(state.value)")
    }
  }

  private var gridStep: Int64 {
    let span = to.rawValue - from.rawValue
    return [1_000, 2_000, 5_000, 10_000, 30_000, 60_000].first { span / $0 <= 20 } ?? 120_000
  }

  private func drawSwipes(_ svg: inout SVG, until bottom: Double) {
    for visit in timeline.visits where visit.released >= from && visit.released < to {
      let x = x(visit.released)
      svg.line(x, Self.top - 6, x, bottom, "swipe")
    }
  }

  private func drawLegend(_ svg: inout SVG, _ y: Double) {
    var x = Self.left
    func entry(_ classes: String, _ text: String, _ svg: inout SVG) {
      svg.rect(x, y - 9, 14, 11, classes, radius: 2)
      svg.text(x + 19, y, text, "soft")
      x += 34 + Self.textWidth(text)
    }
    for (index, level) in ClipLibrary.ladder.enumerated() {
      entry("r\(index)", "\(level.shortEdge)", &svg)
    }
    entry("cancelled", "cancelled", &svg)
    entry("buffer", "stored ahead, to 15 s", &svg)
    entry("waiting", "waits for a first picture", &svg)
    entry("stalled", "stalls", &svg)
    entry("paused", "paused", &svg)
    entry("link", "link could carry", &svg)
    entry("used", "carried", &svg)
    svg.line(x + 5, y - 10, x + 5, y + 3, "swipe")
    svg.text(x + 14, y, "swipe", "soft")
  }
}

import CoreTypes
internal import Foundation

extension TimelinePlot {
  private static let gap = 14.0

  private func name(_ text: String, _ detail: String?, at y: Double, _ svg: inout SVG) {
    svg.text(Self.left - 12, y, text, "name end")
    if let detail { svg.text(Self.left - 12, y + 13, detail, "soft small end") }
  }

  /// A text inside a bar, if it has room there.
  private func label(
    _ text: String, _ x: Double, _ width: Double, _ baseline: Double, _ classes: String, _ svg: inout SVG
  ) {
    guard width > Self.textWidth(text) + 4 else { return }
    svg.text(x + width / 2, baseline, text, "small middle \(classes)")
  }

  // MARK: The screen

  func drawScreen(_ svg: inout SVG, _ y: inout Double) {
    let height = 24.0
    name("on the screen", "clip, quality", at: y + 10, &svg)
    svg.rect(Self.left, y, plotWidth, height, "lane", radius: 3)
    for shown in timeline.shown where isVisible(shown.from, shown.to) {
      let (x, width) = visible(shown.from, shown.to)
      let rendition = shown.value.rendition
      let text = "\(shown.value.item) · \(Self.edge(rendition))"
      svg.rect(x, y, width, height, "r\(rendition)", title: "clip \(text)")
      let fits = width > Self.textWidth(text) + 4
      label(fits ? text : "\(shown.value.item)", x, width, y + 16, "on\(rendition)", &svg)
    }
    for state in timeline.states where state.value != .playing && isVisible(state.from, state.to) {
      let (x, width) = visible(state.from, state.to)
      guard state.to - state.from > Milliseconds(50) else { continue }
      let time = String(format: "%.1f s", (state.to - state.from).seconds)
      svg.rect(x, y, max(1.5, width), height, "\(state.value)", title: "\(state.value) \(time)")
      label(time, x, width, y + 16, "", &svg)
    }
    y += height + Self.gap
  }

  private static func edge(_ rendition: Int) -> String {
    ClipLibrary.ladder.indices.contains(rendition) ? "\(ClipLibrary.ladder[rendition].shortEdge)" : "?"
  }

  // MARK: The link

  func drawLink(_ svg: inout SVG, _ y: inout Double) {
    guard let trace = timeline.trace else { return }
    let height = 74.0
    let bin: Int64 = 250
    let bins = (from.rawValue / bin)..<((to.rawValue + bin - 1) / bin)
    let capacity = bins.map { index in
      let start = Instant(index * bin)
      return Double(trace.bits(until: start + Milliseconds(bin)) - trace.bits(until: start)) / Double(bin)
    }
    let carried = carried(bins, bin, capacity)
    // The scale leaves rare peaks out, or they would flatten all else.
    let sorted = capacity.sorted()
    let most = max(500, sorted[min(sorted.count - 1, sorted.count * 96 / 100)] * 1.1)
    name("link", String(format: "to %.1f Mbit/s", most / 1_000), at: y + 11, &svg)
    svg.rect(Self.left, y, plotWidth, height, "lane", radius: 3)
    for (values, classes) in [(capacity, "link"), (carried, "used")] {
      var data = ""
      for (offset, value) in values.enumerated() {
        let start = max(from.rawValue, (bins.lowerBound + Int64(offset)) * bin)
        let end = min(to.rawValue, (bins.lowerBound + Int64(offset) + 1) * bin)
        let top = y + height - min(1, value / most) * height
        let point = SVG.number(top)
        data += data.isEmpty ? "M\(SVG.number(Self.left)) \(SVG.number(y + height))" : ""
        data += "L\(SVG.number(x(Instant(start)))) \(point)L\(SVG.number(x(Instant(end)))) \(point)"
      }
      data += "L\(SVG.number(x(to))) \(SVG.number(y + height))Z"
      svg.path(data, classes)
    }
    y += height + Self.gap
  }

  /// kbit/s in each bin, as the downloads were: a download's bytes come evenly after its round trip, but
  /// never more than the link carries.
  private func carried(_ bins: Range<Int64>, _ bin: Int64, _ capacity: [Double]) -> [Double] {
    var carried = Array(repeating: 0.0, count: bins.count)
    guard let trace = timeline.trace else { return carried }
    for download in timeline.downloads {
      let end = (download.ended ?? timeline.end).rawValue
      let start = download.started + trace.sample(at: download.started).roundTrip
      guard end > start.rawValue, isVisible(start, Instant(end)) else { continue }
      let total = Double(max(1, trace.bits(until: Instant(end)) - trace.bits(until: start)))
      let bits = download.wasCancelled ? min(total, Double(download.bytes * 8)) : Double(download.bytes * 8)
      for (offset, index) in bins.enumerated() {
        let first = Instant(max(index * bin, start.rawValue))
        let last = Instant(min((index + 1) * bin, end))
        guard first < last else { continue }
        let share = Double(trace.bits(until: last) - trace.bits(until: first)) / total
        carried[offset] += bits * share / Double(bin)
      }
    }
    return zip(carried, capacity).map { min($0, $1) }
  }

  // MARK: Clips

  func drawClips(_ svg: inout SVG, _ y: inout Double) {
    for item in items {
      let rows = rows(of: item)
      let bar = 13.0
      let bars = Double(max(1, rows.count)) * (bar + 1)
      let height = bars + 32
      let top = y
      let length = timeline.durations[item].map { String(format: "%.0f s long", $0.seconds) }
      name("clip \(item)", length, at: y + 11, &svg)
      svg.rect(Self.left, y, plotWidth, height, "lane", radius: 3)
      svg.clipped(to: "clip\(item)", Self.left, y, plotWidth, height) { svg in
        drawBuffer(of: item, floor: top + height, height: 29, &svg)
        for (index, row) in rows.enumerated() {
          for download in row {
            draw(download, y: top + 1 + Double(index) * (bar + 1), height: bar, &svg)
          }
        }
      }
      y += height + 5
    }
    y += Self.gap - 5
  }

  /// Clips that were fetched or seen in this stretch.
  private var items: [Int] {
    var items = Set(
      timeline.downloads.filter { isVisible($0.started, $0.ended ?? timeline.end) }.map(\.item))
    for shown in timeline.shown where isVisible(shown.from, shown.to) { items.insert(shown.value.item) }
    return items.sorted()
  }

  /// Downloads that run side by side lie one below the other.
  private func rows(of item: Int) -> [[Timeline.Download]] {
    var rows: [[Timeline.Download]] = []
    for download in timeline.downloads where download.item == item {
      guard isVisible(download.started, download.ended ?? timeline.end) else { continue }
      let free = rows.firstIndex { $0.last.map { ($0.ended ?? timeline.end) <= download.started } ?? true }
      if let free { rows[free].append(download) } else { rows.append([download]) }
    }
    return rows
  }

  private func draw(_ download: Timeline.Download, y: Double, height: Double, _ svg: inout SVG) {
    guard let trace = timeline.trace else { return }
    let end = download.ended ?? timeline.end
    let first = min(end, download.started + trace.sample(at: download.started).roundTrip)
    let middle = y + height / 2
    svg.line(x(max(from, download.started)), middle, x(max(from, min(first, to))), middle, "trip")
    let (x, width) = visible(max(from, first), end)
    let classes = download.isMedia ? "r\(download.rendition)" : "other"
    svg.rect(
      x, y, max(1, width), height, download.wasCancelled ? "cancelled" : classes, radius: 1.5,
      title: title(of: download, until: end))
    guard download.isMedia, !download.wasCancelled else { return }
    let full = "\(Self.edge(download.rendition)) · \(segments(of: download))"
    let fits = width > Self.textWidth(full) + 4
    let text = fits ? full : segments(of: download)
    label(text, x, width, y + height - 3, "on\(download.rendition)", &svg)
  }

  /// Numbers of the segments, the first one being 0.
  private func segments(of download: Timeline.Download) -> String {
    guard let last = download.segments.last else { return "init" }
    return last == download.segments.lowerBound ? "\(last)" : "\(download.segments.lowerBound)–\(last)"
  }

  private func title(of download: Timeline.Download, until end: Instant) -> String {
    let what =
      download.isMedia
      ? "\(Self.edge(download.rendition)), segments \(segments(of: download))" : "playlist"
    let times = String(
      format: "%.2f s to %.2f s", Double(download.started.rawValue) / 1_000,
      Double(end.rawValue) / 1_000)
    return "clip \(download.item), \(what): \(download.bytes / 1_000) kB, \(times)"
      + (download.wasCancelled ? ", cancelled" : "")
  }

  private func drawBuffer(of item: Int, floor: Double, height: Double, _ svg: inout SVG) {
    let scale = height / 15_000
    var stretch: [(x: Double, y: Double)] = []
    func close(_ svg: inout SVG) {
      guard let first = stretch.first, let last = stretch.last, stretch.count > 1 else { return }
      let line = stretch.map { "\(SVG.number($0.x)) \(SVG.number($0.y))" }.joined(separator: "L")
      let base = SVG.number(floor)
      svg.path("M\(SVG.number(first.x)) \(base)L\(line)L\(SVG.number(last.x)) \(base)Z", "buffer")
      svg.path("M\(line)", "level")
    }
    for level in timeline.levels[item] ?? [] {
      let x = x(level.at)
      guard let lead = level.lead else {
        if let last = stretch.last { stretch.append((x, last.y)) }
        close(&svg)
        stretch = []
        continue
      }
      let y = floor - min(height, Double(lead.rawValue) * scale)
      // More is there at once; what is played goes steadily.
      if let last = stretch.last, y < last.y { stretch.append((x, last.y)) }
      stretch.append((x, y))
    }
    if let last = stretch.last { stretch.append((x(to), last.y)) }
    close(&svg)
  }

  // MARK: Players

  func drawPlayers(_ svg: inout SVG, _ y: inout Double) {
    let height = 16.0
    for (index, holds) in timeline.players.enumerated() {
      svg.text(Self.left - 12, y + 12, "player \(index)", "name end")
      svg.rect(Self.left, y, plotWidth, height, "lane", radius: 3)
      for hold in holds where isVisible(hold.from, hold.to) {
        let (x, width) = visible(hold.from, hold.to)
        let (classes, text) = Self.look(hold.value)
        svg.rect(
          x, y, max(0.5, width), height, classes, title: "clip \(hold.value.item), \(hold.value.state)")
        label(text, x, width, y + 11.5, classes == "playing" ? "onplaying" : "", &svg)
      }
      y += height + 4
    }
  }

  private static func look(_ hold: Timeline.Hold) -> (classes: String, text: String) {
    switch hold.state {
    case .loading: ("loading", "\(hold.item) loads")
    case .ready: ("ready", "\(hold.item) ready")
    case .starting: ("waiting", "")
    case .playing: ("playing", "\(hold.item) plays")
    case .starved: ("stalled", "\(hold.item) starved")
    }
  }
}

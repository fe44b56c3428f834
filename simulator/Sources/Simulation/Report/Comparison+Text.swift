internal import CoreTypes
public import Foundation

extension Comparison {
  /// Tables in Markdown: the figures of each kind of link, and beneath them the ratios.
  public func markdown() -> String {
    groups.map { group in
      """
      ### \(group.name)

      \(Self.table(Self.columns, group.cells.map(\.row)) { $0.title })

      \(Self.table(Self.ratios, group.ratios) { $0.title })

      """
    }.joined(separator: "\n")
  }

  /// What the core's decisions cost, over all kinds of links; empty where they were not taken.
  public func decisionTimes() -> String {
    let times = groups.flatMap(\.cells).flatMap(\.decisionTimes).sorted()
    guard !times.isEmpty else { return "" }
    func microseconds(_ perMille: Int) -> String {
      Self.number(Double(times[Swift.min(times.count - 1, times.count * perMille / 1_000)]) / 1_000, 1)
    }
    return """
      Processor time of the core's \(times.count) answers that ask for a download: p50 \(microseconds(500)) µs, \
      p99 \(microseconds(990)) µs, p99.9 \(microseconds(999)) µs.
      """
  }

  /// The same figures for programs, with every session's comfort and score.
  public func json() throws -> Data {
    struct Entry: Encodable {
      let link: String
      let figures: [Row]
      let ratios: [Ratio]
      let comforts: [String: [Double]]
      let scores: [String: [Double]]
    }
    func sessions(of group: Group, _ value: (Measures) -> Double) -> [String: [Double]] {
      Dictionary(uniqueKeysWithValues: group.cells.map { ($0.policy.rawValue, $0.sessions.map(value)) })
    }
    let entries = groups.map { group in
      Entry(
        link: group.name, figures: group.cells.map(\.row), ratios: group.ratios,
        comforts: sessions(of: group, \.comfortScore), scores: sessions(of: group, \.score))
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    encoder.keyEncodingStrategy = .convertToSnakeCase
    return try encoder.encode(entries)
  }

  private struct Column<Value> {
    let title: String
    let text: (Value) -> String

    init(_ title: String, _ digits: Int = 0, _ value: @escaping (Value) -> Double?) {
      self.title = title
      text = { value($0).map { Comparison.number($0, digits) } ?? "–" }
    }

    init(_ title: String, text: @escaping (Value) -> String) {
      self.title = title
      self.text = text
    }
  }

  private static var columns: [Column<Row>] {
    [
      Column("start ms") { $0.startMs }, Column("swipe p50 ms") { $0.swipeP50Ms },
      Column("p95") { $0.swipeP95Ms }, Column("p99") { $0.swipeP99Ms },
      Column("unseen %", 1) { $0.unseenPercent }, Column("stalls", 1) { $0.stalls },
      Column("stalled s", 1) { $0.stallSeconds }, Column("waited s", 1) { $0.waitSeconds },
      Column("short edge") { $0.shortEdge }, Column("at start") { $0.startEdge },
      Column("switches", 1) { $0.switches }, Column("MB", 1) { $0.megabytes },
      Column("wasted %") { $0.wastedPercent }, Column("requests") { $0.requests },
      Column("peak MiB", 1) { $0.peakMebibytes }, Column("radio s") { $0.radioSeconds },
      Column("comfort", 1) { $0.comfort }, Column("score", 1) { $0.score },
    ]
  }

  private static var ratios: [Column<Ratio>] {
    [
      Column("swipe p95 ×", 2) { $0.swipeP95 }, Column("without picture ×", 2) { $0.withoutPicture },
      Column("bytes ×", 2) { $0.bytes }, Column("wasted ×", 2) { $0.wasted },
      Column("short edge ×", 2) { $0.shortEdge },
      Column("comfort +", text: { "\(number($0.comfort, 1)) ± \(number($0.comfortError, 1))" }),
      Column("score +", text: { "\(number($0.score, 1)) ± \(number($0.scoreError, 1))" }),
    ]
  }

  private static func table<Value>(
    _ columns: [Column<Value>], _ values: [Value], title: (Value) -> String
  ) -> String {
    let head = "| policy | " + columns.map(\.title).joined(separator: " | ") + " |"
    let rule = "| --- |" + String(repeating: " ---: |", count: columns.count)
    let rows = values.map { value in
      "| \(title(value)) | " + columns.map { $0.text(value) }.joined(separator: " | ") + " |"
    }
    return ([head, rule] + rows).joined(separator: "\n")
  }

  static func number(_ value: Double, _ digits: Int) -> String {
    String(format: "%.\(digits)f", value)
  }
}

extension Comparison.Group {
  /// Of all but the first policy, against it.
  var ratios: [Comparison.Ratio] {
    guard let base = cells.first else { return [] }
    return cells.dropFirst().map { $0.ratio(to: base) }
  }
}

extension Comparison.Row {
  fileprivate var title: String { PolicyKind(rawValue: policy)?.title ?? policy }
}

extension Comparison.Ratio {
  fileprivate var title: String { PolicyKind(rawValue: policy)?.title ?? policy }
}

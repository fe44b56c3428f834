public import CoreMetrics
internal import Foundation
internal import Synchronization

/// All numbers of a process, for swift-metrics to write and for Prometheus to read.
///
/// The names are Prometheus's own (`clipfeed_http_requests_total`, base units, seconds and bytes). What they
/// mean is said once, in `MetricDescription`; a name that is not said there is kept and told without help.
/// However wild labels are, memory is bounded: a name has so many series at most, and whatever is beyond
/// counts in one more, labelled "other".
public final class MetricRegistry: MetricsFactory {
  static let seriesOfAName = 1000

  private let values = Mutex<[String: [String: any MetricValue]]>([:])
  let descriptions: [String: MetricDescription]

  public convenience init() { self.init(MetricDescription.all) }

  init(_ descriptions: [MetricDescription]) {
    self.descriptions = Dictionary(descriptions.map { ($0.name, $0) }) { first, _ in first }
  }

  public func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
    value(label, dimensions) { CounterValue() }
  }

  public func makeFloatingPointCounter(
    label: String, dimensions: [(String, String)]
  ) -> any FloatingPointCounterHandler {
    value(label, dimensions) { CounterValue() }
  }

  public func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
    value(label, dimensions) { GaugeValue() }
  }

  public func makeRecorder(
    label: String, dimensions: [(String, String)], aggregate: Bool
  ) -> any RecorderHandler {
    if descriptions[label]?.isPeak == true { return value(label, dimensions) { PeakValue() } }
    guard aggregate else { return value(label, dimensions) { GaugeValue() } }
    return histogram(label, dimensions)
  }

  public func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
    histogram(label, dimensions)
  }

  // Series of a process live as long as it does: a counter that begins anew would look like a fall.
  public func destroyCounter(_ handler: any CounterHandler) {}
  public func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {}
  public func destroyMeter(_ handler: any MeterHandler) {}
  public func destroyRecorder(_ handler: any RecorderHandler) {}
  public func destroyTimer(_ handler: any TimerHandler) {}

  private func histogram(_ label: String, _ dimensions: [(String, String)]) -> HistogramValue {
    value(label, dimensions) {
      HistogramValue(bounds: descriptions[label]?.bounds ?? MetricDescription.seconds)
    }
  }

  private func value<Value: MetricValue>(
    _ label: String, _ dimensions: [(String, String)], _ make: () -> Value
  ) -> Value {
    let name = MetricText.name(label)
    return values.withLock { values in
      var labels = MetricText.labels(dimensions)
      if values[name]?[labels] == nil, values[name, default: [:]].count >= Self.seriesOfAName {
        labels = MetricText.labels(dimensions.map { ($0.0, "other") })
      }
      // NB: of another kind under the same name is a mistake in our code; it is counted nowhere rather than
      // told wrongly.
      if let known = values[name]?[labels] { return known as? Value ?? make() }
      let made = make()
      if values[name]?.values.first.map({ $0 is Value }) ?? true { values[name, default: [:]][labels] = made }
      return made
    }
  }

  /// All that was counted, as Prometheus reads it (text format 0.0.4), and these samples as well.
  public func text(with samples: [MetricSample] = []) -> String {
    let now = values.withLock { $0 }
    var lines: [String: [String]] = [:]
    var kinds: [String: String] = [:]
    for (name, series) in now {
      kinds[name] = series.values.first?.kind
      for (labels, value) in series.sorted(by: { $0.key < $1.key }) {
        lines[name, default: []] += value.lines(name, labels)
      }
    }
    for sample in samples {
      kinds[sample.name] = sample.name.hasSuffix("_total") ? "counter" : "gauge"
      lines[sample.name, default: []].append(
        MetricText.line(sample.name, MetricText.labels(sample.labels), sample.value))
    }
    var text = ""
    for name in lines.keys.sorted() {
      let help = descriptions[name]?.help ?? "No description."
      text += "# HELP \(name) \(MetricText.escaped(help))\n# TYPE \(name) \(kinds[name] ?? "untyped")\n"
      for line in lines[name, default: []] { text += line + "\n" }
    }
    return text
  }
}

/// A number that is looked up when it is asked for.
public struct MetricSample: Sendable {
  public let name: String
  public let labels: [(String, String)]
  public let value: Double

  public init(_ name: String, _ labels: [(String, String)] = [], _ value: Double) {
    self.name = name
    self.labels = labels
    self.value = value
  }
}

/// The words of the text format.
enum MetricText {
  /// Whatever cannot be in a name becomes an underscore.
  static func name(_ label: String) -> String {
    var name = ""
    for scalar in label.unicodeScalars {
      let isLetter = ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || scalar == "_"
      let isDigit = ("0"..."9").contains(scalar)
      if isDigit && name.isEmpty { name += "_" }
      name += isLetter || isDigit ? String(scalar) : "_"
    }
    return name.isEmpty ? "_" : name
  }

  static func labels(_ dimensions: [(String, String)]) -> String {
    dimensions.map { "\(name($0.0))=\"\(escaped($0.1, quotes: true))\"" }.joined(separator: ",")
  }

  static func escaped(_ text: String, quotes: Bool = false) -> String {
    var out = ""
    for character in text.unicodeScalars {
      switch character {
      case "\\": out += "\\\\"
      case "\n": out += "\\n"
      case "\"" where quotes: out += "\\\""
      default: out.unicodeScalars.append(character)
      }
    }
    return out
  }

  static func line(_ name: String, _ labels: String, _ value: Double) -> String {
    "\(name)\(labels.isEmpty ? "" : "{\(labels)}") \(number(value))"
  }

  static func number(_ value: Double) -> String {
    if value == value.rounded(), abs(value) < 1e15 { return String(Int64(value)) }
    return value.isNaN ? "NaN" : value.isInfinite ? (value > 0 ? "+Inf" : "-Inf") : "\(value)"
  }
}

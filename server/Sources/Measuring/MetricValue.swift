internal import CoreMetrics
internal import Synchronization

/// One series.
protocol MetricValue: AnyObject, Sendable {
  /// As Prometheus calls it.
  var kind: String { get }
  func lines(_ name: String, _ labels: String) -> [String]
}

final class CounterValue: MetricValue, CounterHandler, FloatingPointCounterHandler {
  let kind = "counter"
  private let total = Mutex(0.0)

  func increment(by amount: Int64) { increment(by: Double(amount)) }

  /// Only what grows is a counter.
  func increment(by amount: Double) {
    guard amount > 0, amount.isFinite else { return }
    total.withLock { $0 += amount }
  }

  func reset() { total.withLock { $0 = 0 } }

  func lines(_ name: String, _ labels: String) -> [String] {
    [MetricText.line(name, labels, total.withLock { $0 })]
  }
}

final class GaugeValue: MetricValue, MeterHandler, RecorderHandler {
  let kind = "gauge"
  private let value = Mutex(0.0)

  func set(_ new: Int64) { set(Double(new)) }
  func set(_ new: Double) { value.withLock { $0 = new } }
  func record(_ new: Int64) { set(Double(new)) }
  func record(_ new: Double) { set(new) }
  func increment(by amount: Double) { value.withLock { $0 += amount } }
  func decrement(by amount: Double) { value.withLock { $0 -= amount } }

  func lines(_ name: String, _ labels: String) -> [String] {
    [MetricText.line(name, labels, value.withLock { $0 })]
  }
}

/// The highest value since it was last told. NB: two who ask share what there is to tell; histograms are for
/// all.
final class PeakValue: MetricValue, RecorderHandler {
  let kind = "gauge"
  private let highest = Mutex(0.0)

  func record(_ value: Int64) { record(Double(value)) }
  func record(_ value: Double) { highest.withLock { $0 = max($0, value) } }

  func lines(_ name: String, _ labels: String) -> [String] {
    let value = highest.withLock { highest in
      defer { highest = 0 }
      return highest
    }
    return [MetricText.line(name, labels, value)]
  }
}

/// How many values lie below each of fixed bounds. Times are seconds.
final class HistogramValue: MetricValue, TimerHandler, RecorderHandler {
  let kind = "histogram"
  private let bounds: [Double]
  private let state: Mutex<State>

  private struct State {
    /// By bucket, not yet added up; the last is beyond all bounds.
    var counts: [Int]
    var sum = 0.0
  }

  init(bounds: [Double]) {
    self.bounds = bounds
    state = Mutex(State(counts: [Int](repeating: 0, count: bounds.count + 1)))
  }

  func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1e9) }
  func record(_ value: Int64) { record(Double(value)) }

  func record(_ value: Double) {
    guard value.isFinite else { return }
    let bucket = bounds.firstIndex { value <= $0 } ?? bounds.count
    state.withLock { state in
      state.counts[bucket] += 1
      state.sum += value
    }
  }

  func lines(_ name: String, _ labels: String) -> [String] {
    let (counts, sum) = state.withLock { ($0.counts, $0.sum) }
    let before = labels.isEmpty ? "" : labels + ","
    var (lines, total): ([String], Int) = ([], 0)
    for (index, count) in counts.enumerated() {
      total += count
      let bound = index < bounds.count ? MetricText.number(bounds[index]) : "+Inf"
      lines.append(MetricText.line("\(name)_bucket", "\(before)le=\"\(bound)\"", Double(total)))
    }
    lines.append(MetricText.line("\(name)_sum", labels, sum))
    lines.append(MetricText.line("\(name)_count", labels, Double(total)))
    return lines
  }
}

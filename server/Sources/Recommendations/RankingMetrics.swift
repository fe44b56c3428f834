internal import CoreMetrics
internal import RankingJudgement

/// What an operator sees of ranking.
struct RankingMetrics: Sendable {
  private let pages: [String: Counter]
  private let events: Counter
  private let seconds: Timer
  private let answers: [String: Counter]
  private let modelSeconds: Timer
  private let resting: Gauge
  private let nights: [NightlyCheck.Night.Outcome: Counter]
  /// By head.
  private let judged: [CalibratedHead: Judged]

  private struct Judged {
    let loss: Meter
    let error: Meter
    let slope: Meter
    let intercept: Meter

    init(_ head: CalibratedHead, _ factory: any MetricsFactory) {
      func meter(_ name: String) -> Meter {
        Meter(label: "clipfeed_ranking_\(name)", dimensions: [("head", head.rawValue)], factory: factory)
      }
      loss = meter("log_loss")
      error = meter("calibration_error")
      slope = meter("calibration_slope")
      intercept = meter("calibration_intercept")
    }
  }

  init(_ factory: any MetricsFactory) {
    pages = Dictionary(
      uniqueKeysWithValues: ["ranked", "slow", "unloaded", "failed"].map {
        ($0, Counter(label: "clipfeed_ranking_pages_total", dimensions: [("outcome", $0)], factory: factory))
      })
    events = Counter(label: "clipfeed_ranking_events_total", factory: factory)
    seconds = Timer(label: "clipfeed_ranking_page_seconds", factory: factory)
    nights = Dictionary(
      uniqueKeysWithValues: NightlyCheck.Night.Outcome.allCases.map {
        let label = "clipfeed_ranking_nights_total"
        return ($0, Counter(label: label, dimensions: [("kept", $0.rawValue)], factory: factory))
      })
    judged = Dictionary(uniqueKeysWithValues: CalibratedHead.allCases.map { ($0, Judged($0, factory)) })
    answers = Dictionary(
      uniqueKeysWithValues: [
        "scored", "late", "unreachable", "refused", "malformed", "resting", "busy",
      ].map {
        ($0, Counter(label: "clipfeed_ranking_model_total", dimensions: [("outcome", $0)], factory: factory))
      })
    modelSeconds = Timer(label: "clipfeed_ranking_model_seconds", factory: factory)
    resting = Gauge(label: "clipfeed_ranking_model_rests", factory: factory)
  }

  /// `outcome`: ranked, or why a page came from elsewhere.
  func page(_ outcome: String, took: Duration) {
    pages[outcome]?.increment()
    Self.record(took, in: seconds)
  }

  /// `outcome`: scored, or why a page went by our own scores. `took`: nil: the model was not asked.
  func model(_ outcome: String, took: Duration?) {
    answers[outcome]?.increment()
    if let took { Self.record(took, in: modelSeconds) }
  }

  /// Whether the model is left alone for a while.
  func modelRests(_ rests: Bool) { resting.record(rests ? 1 : 0) }

  private static func record(_ took: Duration, in timer: Timer) {
    let (whole, parts) = took.components
    timer.recordNanoseconds(Int64(clamping: whole) * 1_000_000_000 + parts / 1_000_000_000)
  }

  func learned(_ count: Int) { events.increment(by: count) }

  func ended(_ night: NightlyCheck.Night) { nights[night.outcome]?.increment() }

  /// Of today and yesterday; nothing of what nobody did.
  func judged(_ table: CalibrationTable) {
    for (head, meters) in judged {
      let sum = table.last(2, of: head)
      guard sum.weight > 0 else { continue }
      meters.loss.set(sum.logLoss)
      meters.error.set(sum.expectedError)
      guard let line = sum.line else { continue }
      meters.slope.set(line.slope)
      meters.intercept.set(line.intercept)
    }
  }
}

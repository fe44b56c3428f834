internal import CoreMetrics

/// What an operator sees of ranking.
struct RankingMetrics: Sendable {
  private let pages: [String: Counter]
  private let events: Counter
  private let seconds: Timer

  init(_ factory: any MetricsFactory) {
    pages = Dictionary(
      uniqueKeysWithValues: ["ranked", "slow", "unloaded", "failed"].map {
        ($0, Counter(label: "clipfeed_ranking_pages_total", dimensions: [("outcome", $0)], factory: factory))
      })
    events = Counter(label: "clipfeed_ranking_events_total", factory: factory)
    seconds = Timer(label: "clipfeed_ranking_page_seconds", factory: factory)
  }

  /// `outcome`: ranked, or why a page came from elsewhere.
  func page(_ outcome: String, took: Duration) {
    pages[outcome]?.increment()
    let (whole, parts) = took.components
    seconds.recordNanoseconds(Int64(clamping: whole) * 1_000_000_000 + parts / 1_000_000_000)
  }

  func learned(_ count: Int) { events.increment(by: count) }
}

internal import Platform

/// What follows from what a provider said, without a clock, a database or a provider.
enum GenerationCourse {
  static let attempts = 6
  /// How long one provider may take, and how long it may not answer, in milliseconds.
  static let patienceMs: Int64 = 20 * 60_000
  /// From the wish to the last start.
  static let lifeMs: Int64 = 2 * 3_600_000
  static let firstWaitMs: Int64 = 15_000
  /// Between two questions about one video.
  static let pollMs: ClosedRange<Int64> = 1000...60_000
  /// Nothing says that it is nearly there before it is.
  static let mostAtProvider = 900
  static let mostWhileStoring = 990

  enum Next: Equatable, Sendable {
    /// Another try. `tried`: who had it; empty: all had it, and it begins from the first again.
    case again(tried: [String], afterMs: Int64)
    case failed(ProviderFailure.Code)
  }

  /// `fitting`: names of all providers that can make it.
  static func after(
    _ failure: ProviderFailure, attempts: Int, at provider: String, tried: [String], fitting: [String]
  ) -> Next {
    guard failure.isWorthAnotherTry, attempts < Self.attempts else { return .failed(failure.code) }
    let had = tried.filter { $0 != provider } + [provider]
    guard fitting.allSatisfy(had.contains) else { return .again(tried: had, afterMs: 0) }
    let wait = firstWaitMs << Int64(max(0, min(attempts - 1, 5)))
    return .again(tried: [], afterMs: max(wait, restMs(failure)))
  }

  /// How long the provider is asked to begin nothing.
  static func restMs(_ failure: ProviderFailure) -> Int64 {
    switch failure.code {
    case .rateLimited, .capacity: milliseconds(failure.retryAfter ?? 5, in: 1000...VideoMakers.longestRestMs)
    // For the operator; nobody else can do anything about it.
    case .unauthorized: 60_000
    default: 0
    }
  }

  static func pollAfterMs(_ capabilities: VideoCapabilities, asked: Double? = nil) -> Int64 {
    milliseconds(max(capabilities.pollSeconds, asked ?? 0), in: pollMs)
  }

  /// A number of a stranger's.
  static func milliseconds(_ seconds: Double, in range: ClosedRange<Int64>) -> Int64 {
    guard seconds.isFinite else { return range.upperBound }
    let bounded = min(max(seconds * 1000, Double(range.lowerBound)), Double(range.upperBound))
    return Int64(clamping: bounded.rounded(.towardZero))
  }

  /// How far it is while a provider has it: what it says, or else the share of the usual time, which gets
  /// slower as it nears its end.
  static func permille(reported: Int?, tookMs: Int64, usualMs: Int64?) -> Int {
    if let reported { return min(max(reported, 0), 1000) * mostAtProvider / 1000 }
    let usual = Double(max(usualMs ?? 60_000, 1))
    let share = Double(max(tookMs, 0)) / usual
    let grown = share < 1 ? 0.9 * share : 1 - 0.1 / share
    return Int(clamping: (grown * Double(mostAtProvider)).rounded(.towardZero))
  }

  static func permille(converted: Int) -> Int {
    mostAtProvider + min(max(converted, 0), 1000) * (mostWhileStoring - mostAtProvider) / 1000
  }

  /// What is left; it never says that nothing is.
  static func remainingMs(tookMs: Int64, usualMs: Int64) -> Int64 {
    max(usualMs - max(tookMs, 0), usualMs / 20, 1000)
  }

  /// How long it takes as a rule: the middle of what it took; nil: it has never been done.
  static func usualMs(_ took: [Int64]) -> Int64? {
    let sorted = took.sorted()
    return sorted.isEmpty ? nil : sorted[sorted.count / 2]
  }
}

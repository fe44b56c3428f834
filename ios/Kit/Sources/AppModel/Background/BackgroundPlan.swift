public import Foundation

/// Work that the system does for the app while nobody uses it.
public enum BackgroundWork: String, CaseIterable, Sendable {
  /// The next page and the first segments of its clips (`BGAppRefreshTask`).
  case refresh
  /// What the cache holds beyond its room or against what was written (`BGProcessingTask`).
  case trim
}

/// The system's calendar of such work.
///
/// - `submit` replaces an earlier request of the same work; whether the system ever grants it is its own
///   affair. It throws where it takes none at all.
/// - `cancel` withdraws one.
@MainActor public protocol BackgroundScheduling: AnyObject {
  func submit(_ work: BackgroundWork, notBefore: Date, needsNetwork: Bool, needsPower: Bool) throws
  func cancel(_ work: BackgroundWork)
}

/// When background work is asked for: whenever the app is left, and when one of them has run.
@MainActor public final class BackgroundPlan {
  /// Feeds age in hours; more often costs battery for clips that nobody sees.
  public static let refreshAfter: TimeInterval = 4 * 3_600
  public static let trimAfter: TimeInterval = 24 * 3_600

  private let scheduler: any BackgroundScheduling
  private let now: () -> Date
  /// The app may fetch while nobody uses it.
  public var refreshes: Bool {
    didSet { if !refreshes { scheduler.cancel(.refresh) } }
  }

  public init(_ scheduler: any BackgroundScheduling, refreshes: Bool, now: @escaping () -> Date = { Date() })
  {
    self.scheduler = scheduler
    self.refreshes = refreshes
    self.now = now
  }

  /// The app goes to the background. `lastTrim`: when the cache was tidied last.
  public func leave(lastTrim: Date?) {
    askForRefresh()
    let due = lastTrim.map { $0.addingTimeInterval(Self.trimAfter) } ?? now()
    submit(.trim, notBefore: max(due, now()), needsNetwork: false, needsPower: true)
  }

  /// A refresh has begun: the next one is asked for at once, since whoever is killed asks for nothing.
  public func refreshBegan() { askForRefresh() }

  public func trimBegan() {
    submit(
      .trim, notBefore: now().addingTimeInterval(Self.trimAfter), needsNetwork: false, needsPower: true)
  }

  private func askForRefresh() {
    guard refreshes else { return }
    submit(
      .refresh, notBefore: now().addingTimeInterval(Self.refreshAfter), needsNetwork: true, needsPower: false)
  }

  private func submit(_ work: BackgroundWork, notBefore: Date, needsNetwork: Bool, needsPower: Bool) {
    // Where the person has switched background work off, there is none.
    try? scheduler.submit(work, notBefore: notBefore, needsNetwork: needsNetwork, needsPower: needsPower)
  }
}

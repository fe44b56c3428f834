public import Contract
public import Foundation

/// What a screen draws and says of how a clip does: the server's numbers, held within what can be drawn.
///
/// It refuses to know what counts as what: the server does.
public struct InsightsFigures: Equatable, Sendable {
  /// A kind of what is counted, in the order in which they stand.
  public enum Kind: CaseIterable, Sendable { case shown, views, viewers, likes, bookmarks, shares, comments }

  public struct Count: Equatable, Sendable {
    public let kind: Kind
    public let number: Int
  }

  /// A place where people come upon the clip.
  public struct Way: Equatable, Sendable {
    public let source: WatchEvent.Source
    public let impressions: Int
    public let views: Int
    /// Of all impressions, 0 to 1.
    public let share: Double
  }

  /// A day of UTC.
  public struct Day: Equatable, Sendable {
    /// Its first instant.
    public let start: Date
    public let impressions: Int
    public let views: Int
    public let likes: Int
    public let bookmarks: Int
    public let shares: Int
    public let comments: Int
    /// How high its bars are beside the highest of all days, 0 to 1: how often it was shown, and views.
    public let shownHeight: Double
    public let viewsHeight: Double
  }

  public let counts: [Count]
  /// Visits whose end is known, and so many it takes for a curve.
  public let starts: Int
  public let startsNeeded: Int
  /// `nil` until there are enough visits.
  public let staying: StayingCurve?
  /// The most frequent first.
  public let ways: [Way]
  /// The oldest first, today last.
  public let days: [Day]
  /// Ways and days are counted from then on; `nil`: since there is the clip.
  public let countedSince: Date?

  public init(_ found: ClipInsights) {
    counts = Kind.allCases.map { Count(kind: $0, number: max(0, Self.number(of: $0, in: found))) }
    starts = max(0, found.starts)
    startsNeeded = max(0, found.startsNeeded)
    staying = found.staying.flatMap { StayingCurve($0, durationMs: found.durationMs) }
    let all = Self.sum(found.found.map(\.impressions))
    ways = found.found.map { way in
      Way(
        source: way.source, impressions: max(0, way.impressions), views: max(0, way.views),
        share: Self.share(way.impressions, of: all))
    }
    let most = found.days.reduce(0) { max($0, $1.impressions, $1.views) }
    // What was taken back on a day may be more than what came on it.
    days = found.days.map { day in
      Day(
        start: day.day, impressions: day.impressions, views: day.views, likes: day.likes,
        bookmarks: day.bookmarks, shares: day.shares, comments: day.comments,
        shownHeight: Self.share(day.impressions, of: most), viewsHeight: Self.share(day.views, of: most))
    }
    countedSince = found.countedSince
  }

  /// Of all days.
  public var impressions: Int { Self.sum(days.map(\.impressions)) }
  public var views: Int { Self.sum(days.map(\.views)) }

  /// On which it was shown most often, or viewed where it was never shown; the last such. `nil`: on none.
  public var best: Day? { best(by: \.impressions) ?? best(by: \.views) }

  private func best(by number: KeyPath<Day, Int>) -> Day? {
    let most = days.map { $0[keyPath: number] }.max() ?? 0
    return most > 0 ? days.last { $0[keyPath: number] == most } : nil
  }

  private static func number(of kind: Kind, in found: ClipInsights) -> Int {
    switch kind {
    case .shown: found.impressions
    case .views: found.views
    case .viewers: found.viewers
    case .likes: found.likes
    case .bookmarks: found.bookmarks
    case .shares: found.shares
    case .comments: found.comments
    }
  }

  /// Below zero there is nothing to add.
  private static func sum(_ numbers: [Int]) -> Int {
    numbers.reduce(0) { total, number in
      let (sum, isOver) = total.addingReportingOverflow(max(0, number))
      return isOver ? .max : sum
    }
  }

  private static func share(_ part: Int, of whole: Int) -> Double {
    whole > 0 ? min(1, Double(max(0, part)) / Double(whole)) : 0
  }
}

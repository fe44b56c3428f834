public import Contract
public import Foundation

/// Figures in words, by a locale. The server's days are those of UTC, so they are named by its calendar.
public struct InsightsWords: Sendable {
  private let locale: Locale

  public init(locale: Locale) { self.locale = locale }

  public func number(_ number: Int) -> String { number.formatted(.number.locale(locale)) }

  /// `share`: 0 to 1.
  public func percent(_ share: Double) -> String {
    share.formatted(.percent.precision(.fractionLength(0)).locale(locale))
  }

  public func day(_ day: InsightsFigures.Day) -> String {
    var style = Date.FormatStyle(locale: locale).day().month(.abbreviated)
    style.timeZone = .gmt
    return day.start.formatted(style)
  }

  /// Of an instant, on this device's calendar.
  public func date(_ date: Date, timeZone: TimeZone = .autoupdatingCurrent) -> String {
    var style = Date.FormatStyle(locale: locale).day().month(.abbreviated).year()
    style.timeZone = timeZone
    return date.formatted(style)
  }

  public func staying(_ curve: StayingCurve) -> Sentence {
    Sentence(
      "On average people watch %1$@ of it. %2$@ watch it to the end.",
      [.verbatim(percent(curve.watched)), .verbatim(percent(curve.completed))])
  }

  /// The curve, for who does not see it.
  public func summary(_ curve: StayingCurve) -> Sentence {
    Sentence(
      "Half way %1$@ of those who start it are still there, at its end %2$@.",
      [.verbatim(percent(curve.halfWay)), .verbatim(percent(curve.atEnd))])
  }

  public static func name(of kind: InsightsFigures.Kind) -> Sentence {
    switch kind {
    case .shown: "Shown"
    case .views: "Views"
    case .viewers: "Viewers"
    case .likes: "Likes"
    case .bookmarks: "Bookmarks"
    case .shares: "Shares"
    case .comments: "Comments"
    }
  }

  public static func name(of source: WatchEvent.Source) -> Sentence {
    switch source {
    case .forYou: "For you"
    case .following: "Following"
    case .latest: "Latest"
    case .feed: "The feed"
    case .trending: "Trending"
    case .similar: "More like this"
    case .search: "Search"
    case .link: "Its link"
    case .likes: "Their likes"
    case .bookmarks: "Their bookmarks"
    case .author: "Your page"
    case .own: "Your own list"
    case .other: "Elsewhere"
    }
  }
}

import Contract
import Foundation
import Testing

@testable import AppModel

/// The first instant of a day of November 2026, in UTC.
func november(_ day: Int) -> Date {
  Date(timeIntervalSince1970: 1_793_491_200 + Double(day - 1) * 86_400)
}

/// A clip of three seconds that did well enough for a curve.
func sampleInsights() -> ClipInsights {
  ClipInsights(
    impressions: 1_200, views: 300, viewers: 250, likes: 40, bookmarks: 5, shares: 2, comments: 7,
    found: [
      ClipInsights.Found(source: .forYou, impressions: 900, views: 200),
      ClipInsights.Found(source: .link, impressions: 300, views: 100),
    ],
    days: [
      ClipInsights.Day(day: november(1), impressions: 50, views: 10, likes: 3),
      ClipInsights.Day(day: november(2), impressions: 200, views: 40, likes: -1),
      ClipInsights.Day(day: november(3)),
    ],
    durationMs: 3_000, starts: 280, startsNeeded: 30,
    staying: ClipInsights.Staying(
      watchedShare: 620_000, completionShare: 400_000,
      retention: [1_000_000, 800_000, 600_000, 400_000, 100_000]))
}

@Suite struct InsightsFiguresTests {
  @Test func countsStandInTheirOrder() {
    let figures = InsightsFigures(sampleInsights())
    #expect(figures.counts.map(\.number) == [1_200, 300, 250, 40, 5, 2, 7])
    #expect(figures.counts.map(\.kind) == InsightsFigures.Kind.allCases)
    #expect(figures.starts == 280 && figures.startsNeeded == 30 && figures.countedSince == nil)
  }

  @Test func waysAreAsLongAsTheirShareOfAllImpressions() {
    let figures = InsightsFigures(sampleInsights())
    #expect(figures.ways.map(\.share) == [0.75, 0.25])
    #expect(figures.ways.map(\.source) == [.forYou, .link])
  }

  @Test func daysAreAsHighAsTheHighestAllows() {
    let figures = InsightsFigures(sampleInsights())
    #expect(figures.days.map(\.shownHeight) == [0.25, 1, 0])
    #expect(figures.days.map(\.viewsHeight) == [0.05, 0.2, 0])
    #expect(figures.impressions == 250 && figures.views == 50)
    #expect(figures.best?.start == november(2))
    // What was taken back on a day stays said.
    #expect(figures.days[1].likes == -1)
  }

  @Test func aClipThatNobodyCameUponHasNoBestDayAndNoCurve() {
    let figures = InsightsFigures(
      ClipInsights(
        impressions: 0, views: 0, viewers: 0, likes: 0, bookmarks: 0, shares: 0, comments: 0,
        days: [ClipInsights.Day(day: november(1))], durationMs: 1_000, starts: 0, startsNeeded: 30))
    #expect(figures.best == nil && figures.staying == nil && figures.ways.isEmpty)
    #expect(figures.days.map(\.shownHeight) == [0])
  }

  @Test func numbersThatMakeNoSenseAreHeldWithinWhatCanBeDrawn() {
    var found = sampleInsights()
    found.views = -5
    found.found = [Int.max, .max, -3].map { ClipInsights.Found(source: .other, impressions: $0, views: -1) }
    found.days = [Int.max, .max, .min].map {
      ClipInsights.Day(day: november(1), impressions: $0, views: $0)
    }
    let figures = InsightsFigures(found)
    #expect(figures.counts[1].number == 0)
    #expect(figures.ways.map(\.share) == [1, 1, 0] && figures.ways.allSatisfy { $0.views == 0 })
    #expect(figures.impressions == .max && figures.days.map(\.shownHeight) == [1, 1, 0])
  }

  // MARK: The curve

  private func curve(_ retention: [Int], _ durationMs: Int) -> StayingCurve? {
    StayingCurve(
      ClipInsights.Staying(watchedShare: 500_000, completionShare: 2_000_000, retention: retention),
      durationMs: durationMs)
  }

  @Test func theCurveGoesOnBehindTheEndWherePeopleWatchAgain() throws {
    let curve = try #require(InsightsFigures(sampleInsights()).staying)
    #expect(curve.points.map(\.x) == [0, 0.25, 0.5, 0.75, 1])
    #expect(curve.points.map(\.y) == [1, 0.8, 0.6, 0.4, 0.1])
    #expect(curve.seconds == 4 && curve.end == 0.75)
    #expect(curve.halfWay == 0.8 && curve.atEnd == 0.4)
  }

  @Test func aCurveThatEndsWithTheClipHasNoLineAcross() throws {
    let whole = try #require(curve([1_000_000, 700_000, 300_000], 2_000))
    #expect(whole.end == nil && whole.halfWay == 0.7 && whole.atEnd == 0.3)
  }

  @Test func oneNumberIsALineTooAndNoneIsNoCurve() throws {
    let short = try #require(curve([900_000], 400))
    #expect(short.points == [.init(x: 0, y: 0.9), .init(x: 1, y: 0.9)])
    #expect(short.seconds == 0 && short.end == nil && short.atEnd == 0.9)
    #expect(curve([], 1_000) == nil)
  }

  @Test func aStrangersCurveStaysInItsPicture() throws {
    let long = try #require(curve(Array(repeating: .max, count: 5_000) + [.min], -1))
    #expect(long.shares.count == 128 && long.shares.allSatisfy { $0 == 1 })
    #expect(long.completed == 1 && long.end == 0 && long.atEnd == 1)
    let low = try #require(curve([.min, 0], .max))
    #expect(low.shares == [0, 0] && low.end == nil && low.halfWay == 0)
  }
}

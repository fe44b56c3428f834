import Contract
import Foundation
import Testing

@testable import AppModel

@Suite struct InsightsWordsTests {
  private let english = InsightsWords(locale: Locale(identifier: "en_US"))
  private let german = InsightsWords(locale: Locale(identifier: "de_DE"))
  private let arabic = InsightsWords(locale: Locale(identifier: "ar_EG"))

  @Test func numbersAreWrittenAsTheirReadersWriteThem() {
    #expect(english.number(1_234_567) == "1,234,567")
    #expect(german.number(1_234_567) == "1.234.567")
    #expect(arabic.number(12) == "١٢")
    #expect(english.percent(0.624) == "62%")
    #expect(german.percent(1) == "100\u{a0}%")
  }

  @Test func aDayIsThatOfUTCWhereverSomebodyIs() {
    let day = InsightsFigures(sampleInsights()).days[0]
    #expect(english.day(day) == "Nov 1")
    #expect(german.day(day) == "1. Nov.")
  }

  @Test func anInstantIsThatOfTheDevicesCalendar() throws {
    let tokyo = try #require(TimeZone(identifier: "Asia/Tokyo"))
    #expect(english.date(november(1).addingTimeInterval(-3_600), timeZone: tokyo) == "Nov 1, 2026")
    #expect(german.date(november(1).addingTimeInterval(-3_600), timeZone: .gmt) == "31. Okt. 2026")
  }

  @Test func thePictureIsSaidInWords() throws {
    let curve = try #require(InsightsFigures(sampleInsights()).staying)
    #expect(
      english.staying(curve).text { $0 }
        == "On average people watch 62% of it. 40% watch it to the end.")
    #expect(
      english.summary(curve).text { $0 }
        == "Half way 80% of those who start it are still there, at its end 40%.")
  }

  @Test func everyKindAndEverySourceHasAName() {
    let kinds = Set(InsightsFigures.Kind.allCases.map { InsightsWords.name(of: $0).key })
    #expect(kinds.count == InsightsFigures.Kind.allCases.count)
    let sources = Set(WatchEvent.Source.allCases.map { InsightsWords.name(of: $0).key })
    #expect(sources.count == WatchEvent.Source.allCases.count)
  }
}

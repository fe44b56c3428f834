import Testing

@testable import Gateway

@Suite struct AcceptLanguageTests {
  @Test(
    arguments: [
      ("de", "de"), ("de-AT,de;q=0.9,en;q=0.8", "de"), ("EN-us", "en"), ("zh-Hant-TW", "zh"), ("yue", "yue"),
      ("en;q=0.5, fr", "fr"), ("en;q=0.5,fr;q=0.5", "en"), ("en;q=0, fr;q=0.001", "fr"), ("en;q=0", nil),
      ("*", nil), ("*, de;q=0.1", "de"), ("", nil), (",,,  da", "da"),
      (" da ; q=0.3 ,\tsv ;Q=0.31", "sv"), ("de;q=1.000, en", "de"), ("de;q=0.9, en;q=1.0", "en"),
      // What is not well formed is passed over.
      ("x-klingon, i-enochian, english, d, d1, fr", "fr"), ("dé, d\u{301}e, \u{0}, fr", "fr"),
      ("de;q=1.5, de;q=2, de;q=, de;q, de;, fr;q=0.1", "fr"), ("de;q=0.1234, fr;q=0.1", "fr"),
      ("de;level=1, fr;q=0.1", "fr"), ("de en, fr;q=0.1", "fr"), ("de;q=.9, de;q=-1, fr;q=0.1", "fr"),
    ] as [(String, String?)])
  func theMostPreferredIsFound(_ header: String, _ language: String?) {
    #expect(AcceptLanguage.preferred(in: header) == language)
  }

  @Test func noMoreIsLookedAtThanBrowsersSend() {
    let many = Array(repeating: "aa;q=0.1", count: AcceptLanguage.entries).joined(separator: ",")
    #expect(AcceptLanguage.preferred(in: many + ",de") == "aa")
    #expect(AcceptLanguage.preferred(in: String(repeating: " ", count: AcceptLanguage.bytes) + "de") == nil)
    #expect(AcceptLanguage.preferred(in: String(repeating: ",", count: 1_000_000) + "de") == nil)
    #expect(AcceptLanguage.preferred(in: "de;q=0." + String(repeating: "9", count: 1_000_000)) == nil)
  }
}

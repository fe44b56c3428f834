import Platform
import Testing

@Suite struct LanguageTagTests {
  @Test(arguments: [
    ("en", "en"), ("EN_us", "en-US"), ("zh-hant-tw", "zh-Hant-TW"), ("eng", "en"), ("DEU-at", "de-AT"),
    ("es-419", "es-419"), ("sl-rozaj-biske", "sl-rozaj-biske"), ("de-1996", "de-1996"), ("yue", "yue"),
    ("en-u-ca-gregory", "en-u-ca-gregory"), ("en-x-whatever", "en-x-whatever"), ("zh-yue", "zh-yue"),
  ])
  func aLanguageHasOneSpelling(_ given: String, _ tag: String) {
    #expect(LanguageTag(given)?.description == tag)
  }

  @Test(arguments: [
    "", "e", "english", "en-", "-en", "en--us", "en us", "x-private", "i-klingon", "en-u", "12", "en-ü",
    "en-\u{0}", "../en", "en-us-us", "de-1996-1996", String(repeating: "en-abcde", count: 8),
  ])
  func whatIsNoLanguageIsNone(_ given: String) { #expect(LanguageTag(given) == nil) }

  @Test func aLanguageIsCalledByItsOwnName() {
    #expect(LanguageTag("de")?.ownName == "Deutsch")
    #expect(LanguageTag("fr")?.ownName == "Français")
    #expect(LanguageTag("ja")?.ownName == "日本語")
  }

  @Test(arguments: [("zh-Hant-TW", "zh"), ("eng", "en"), ("yue", "yue"), ("DE_at", "de")])
  func aLanguageIsKnownByItsFirstPart(_ given: String, _ primary: String) {
    #expect(LanguageTag(given)?.primary == primary)
  }
}

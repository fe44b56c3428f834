import Platform
import Testing

@testable import PlatformTesting

/// Words that are looked for in texts of strangers.
@Suite struct WordFilterTests {
  private func finds(_ word: String, in text: String) -> Bool {
    WordFilter([word]).first(in: text) == 0
  }

  @Test(arguments: [
    ("spam", "this is SPAM."), ("spam", "Spam"), ("spam", "ｓｐａｍ"), ("spam", "spám"), ("spam", "s\u{301}pam"),
    ("spam", "sp\u{200B}am"), ("spam", "sp\u{AD}a\u{2060}m"), ("spam", "𝓼𝓹𝓪𝓶"), ("café", "CAFE"),
    ("straße", "STRASSE"), ("free money", "Free,  MONEY!"), ("free money", "free\nmoney"),
    ("don't", "Don’t"), ("idiot", "l'idiot"), ("привет", "ПРИВЕТ!"), ("ёлка", "елка"),
    // Letter by letter, stretched, and dressed up.
    ("spam", "s p a m"), ("spam", "s.p.a.m"), ("spam", "spaaaaam"), ("spam", "sp4m"), ("spam", "$p@m"),
    ("spam", "ѕраm"), ("book", "b00k"), ("fill", "f1ll"), ("сука", "сyкa"), ("spam", "ꜱᴘᴀᴍ"),
    // Scripts without spaces between words, and pictures.
    ("东京", "我在东京吃饭"), ("東京", "東 京"), ("さくら", "サクラ"), ("바보", "바보야"), ("ไทย", "คนไทย"), ("🤡", "you🤡🏽you"),
    ("👍🏿", "👍"), ("❤️", "❤"),
  ])
  func aWordIsFoundHoweverItIsWritten(_ pair: (String, String)) {
    #expect(finds(pair.0, in: pair.1), "\(pair)")
  }

  @Test(arguments: [
    ("ass", "a class of its own"), ("cop", "copper"), ("free money", "free the money"), ("spam", "spa"),
    // As it is spelled it is another word, in an honest script.
    ("cop", "сор"), ("нос", "hoc"), ("fill", "file"), ("bok", "book"), ("spam", "me@spamless.example"),
    ("b", "888"), ("का", "की"),
  ])
  func whatIsAnotherWordIsNotFound(_ pair: (String, String)) {
    #expect(!finds(pair.0, in: pair.1), "\(pair)")
  }

  @Test func theFirstInTheTextIsTold() {
    let filter = WordFilter(["one", "two three", "two", "one"])
    #expect(filter.first(in: "zero two three one") == 2)
    #expect(filter.first(in: "one two") == 0)
    #expect(filter.first(in: "three") == nil)
    #expect(WordFilter([]).first(in: "one") == nil)
  }

  @Test func whatSaysNothingIsNoWord() {
    for word in ["", " \u{200B}", "…!?", "\u{3164}", "\u{301}"] {
      #expect(WordFilter.key(of: word) == nil, "\(word)")
      #expect(!finds(word, in: "… \u{3164} words"))
    }
    #expect(WordFilter.key(of: "Café") == WordFilter.key(of: "CAFE\u{301}"))
  }

  /// As many words as an account may have, each of which begins as the text does, and the longest texts.
  @Test func noTextTakesLong() {
    let letters = (0..<200).map { String(repeating: "一", count: 49) + String($0, radix: 36) }
    let phrases = (0..<200).map { String(repeating: "aa ", count: 16) + String($0, radix: 36) }
    let filter = WordFilter(letters + phrases)
    let start = ThreadTime.now
    for text in [
      String(repeating: "😀", count: 100_000), String(repeating: "👨‍👩‍👧", count: 100_000),
      "a" + String(repeating: "\u{301}", count: 100_000),
      String(repeating: "e\u{301}\u{323}", count: 100_000),
      String(repeating: "一", count: 100_000), String(repeating: "aa ", count: 100_000),
      String(repeating: "a ", count: 100_000), String(repeating: "a", count: 100_000),
      String(repeating: "ﷺ", count: 100_000), String(repeating: "𝓪1", count: 100_000),
    ] {
      #expect(filter.first(in: text) == nil)
      _ = WrittenLinks.areIn(text)
    }
    // NB: a debug build.
    #expect(ThreadTime.now - start < .seconds(30))
  }

  @Test(arguments: [
    "https://example.org", "see HTTP://a.example/x", "www.example.example", "example.com",
    "Visit Example.COM!",
    "ｅｘａｍｐｌｅ．ｃｏｍ", "exa\u{200B}mple.com", "shop.example.co.uk now", "t.me/somebody", "me@example.com",
    "（example.com）",
    "пример.рф", "example。com", "xn--e1afmkfd.xn--p1ai", "youtu.be/abc",
  ])
  func addressesAreFound(_ text: String) { #expect(WrittenLinks.areIn(text), "\(text)") }

  @Test(arguments: [
    "no address", "wait...what", "3.5 of 5", "e.g. this", "love it.so much", "clip.mp4", "a/b and 1:2",
    "http", "://",
    "@ada", "ok.", ".com", "10.000 km", "end.Then more", "a:// b",
  ])
  func whatIsNoAddressIsLeftAlone(_ text: String) { #expect(!WrittenLinks.areIn(text), "\(text)") }
}

import Testing

@testable import PlatformTesting
@testable import Search

/// How texts become terms.
@Suite struct SearchTextTests {
  private func kept(_ text: String) -> [String] { SearchText.terms(of: text).map(\.term) }
  private func asked(_ text: String) -> [String] { SearchText.terms(asked: text, atMost: 8) }

  @Test(arguments: [
    ("Café", "CAFE"), ("cafe\u{301}", "café"), ("Straße", "STRASSE"), ("ＳＵＮＳＥＴ", "sunset"), ("ﬁlm", "film"),
    ("Łódź", "lodz"), ("Ærø", "aero"), ("ΟΔΟΣ", "οδος"), ("Οδός", "οδοσ"), ("Ёлка", "елка"),
    ("Москвой", "москвои"),
    ("İstanbul", "istanbul"), ("Tiếng Việt", "tieng viet"), ("שָׁלוֹם", "שלום"), ("مُحَمَّد", "محمد"),
    ("مدرسة", "مدرسه"),
    ("فارسی", "فارسي"), ("हिन्दी", "हिन्दी"), ("क़लम", "कलम"), ("カメラ", "かめら"), ("ｶﾒﾗ", "カメラ"), ("²", "2"),
  ])
  func spellingsOfOneWordAreOne(_ pair: (String, String)) {
    #expect(SearchText.folded(pair.0) == SearchText.folded(pair.1))
  }

  @Test func vowelsOfIndicScriptsAndSoundsOfKanaStay() {
    #expect(SearchText.folded("की") != SearchText.folded("का"))
    #expect(SearchText.folded("ก่า") != SearchText.folded("กา"))
    #expect(SearchText.folded("が") != SearchText.folded("か"))
  }

  @Test func wordsEndWhereNoLetterIs() {
    #expect(kept("Dawn at the #Pier, 5-a.m.!") == ["dawn", "at", "the", "pier", "5", "a", "m"])
    #expect(asked("\"dawn\" OR (pier* NEAR tide) -x") == ["dawn", "or", "pier", "near", "tide", "x"])
  }

  @Test func anApostropheIsTypedOrNot() {
    #expect(kept("Don’t l'été") == ["dont", "don", "t", "lete", "l", "ete"])
    #expect(asked("don't") == ["dont"] && asked("dont") == ["dont"] && asked("été") == ["ete"])
  }

  @Test func aNameIsItsWordsAndAWhole() {
    #expect(SearchText.terms(ofName: "golden_hour.2").map(\.term) == ["golden", "hour", "2", "goldenhour2"])
    #expect(SearchText.terms(ofName: "mara").map(\.term) == ["mara"])
  }

  @Test func scriptsWithoutSpacesAreCharactersAndPairs() {
    #expect(kept("東京タワー") == ["東", "京", "た", "わ", "ー", "東京", "京た", "たわ", "わー"])
    #expect(asked("東京タ") == ["東京", "京た"] && asked("東") == ["東"])
    #expect(kept("제주도 tour") == ["제", "주", "도", "제주", "주도", "tour"])
    #expect(!SearchText.isWord("東京") && SearchText.isWord("tour") && SearchText.isWord("привет"))
  }

  @Test func theSpellingIsThatOfWhereItWasFound() {
    #expect(SearchText.terms(of: "Über CAFÉ").map(\.spelling) == ["über", "café"])
  }

  @Test func nothingOfATextIsNoTerm() {
    for text in ["", " ", "!?…", "\u{0}\u{0}", "🎉👩‍👩‍👧‍👦", "\u{301}\u{301}", "\"*\"", "\u{202E}\u{FEFF}"] {
      #expect(kept(text).isEmpty && asked(text).isEmpty, "\(text.debugDescription)")
    }
  }

  @Test func whateverIsTypedTheTermsAreFewShortAndPlain() {
    let texts = [
      String(repeating: "a", count: 100_000), String(repeating: "a ", count: 50_000),
      "a" + String(repeating: "\u{301}\u{323}", count: 50_000), String(repeating: "\u{FDFA}", count: 10_000),
      String(repeating: "東京", count: 50_000), "x\u{0}y", String(repeating: "ß", count: 10_000),
      (0..<3000).map { "w\($0)" }.joined(separator: " "),
    ]
    for text in texts {
      #expect(asked(text).count <= 8)
      let terms = kept(text)
      #expect(terms.count <= SearchText.most && Set(terms).count == terms.count)
      #expect(terms.allSatisfy { $0.unicodeScalars.count <= SearchText.wordLength })
      #expect(!terms.contains { $0.isEmpty || $0.utf8.contains(0) || $0.utf8.contains(UInt8(ascii: " ")) })
    }
  }

  @Test func whatIsFoldedStaysWhenItIsFoldedAgain() {
    var random = SplitMix(state: 20)
    for _ in 0..<2000 {
      var view = String.UnicodeScalarView()
      for _ in 0..<12 {
        if let scalar = Unicode.Scalar(UInt32(random.next() % 0x3000)) { view.append(scalar) }
      }
      for term in kept(String(view)) where SearchText.isWord(term) {
        #expect(asked(term) == [term], "\(term.unicodeScalars.map { $0.value })")
      }
    }
  }
}

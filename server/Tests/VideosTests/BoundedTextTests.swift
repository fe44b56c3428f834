import Testing

@testable import Videos

/// What tags make of letters that belong to what stands beside them.
@Suite struct BoundedTextTests {
  @Test func tagsAreWordsWhateverStandsBesideTheirLetters() {
    #expect(Tags.named(in: "at the #Pier, #d\u{D4E}#\u{301}x #日本") == ["Pier", "d\u{D4E}", "\u{301}x", "日本"])
    #expect(
      Tags.clean(["Pi!er", "a!\u{301}", "\u{301}x\u{200D}", "می\u{200C}خواهم", "!", "pier"]) == [
        "pier", "\u{E1}", "x", "می\u{200C}خواهم",
      ])
  }
}

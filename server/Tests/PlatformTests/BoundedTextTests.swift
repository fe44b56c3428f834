import Platform
import Testing

@testable import PlatformTesting

@Suite struct BoundedTextTests {
  @Test func textIsCutAtWholeScalars() {
    #expect(BoundedText.cut("naïve", toBytes: 3) == "na")
    #expect(BoundedText.cut("naïve", toBytes: 4) == "naï")
    #expect(BoundedText.cut("👩‍👩‍👧", toBytes: 5) == "👩")
    #expect(BoundedText.cut("👩‍👩‍👧", toBytes: 0) == "")
    #expect(BoundedText.cut("e\u{301}x", toScalars: 1) == "e")
    #expect(BoundedText.cut("abc", toCharacters: 2, scalars: 9) == "ab")
    let cut = BoundedText.cut(HostileText.marks, toCharacters: 300, scalars: 1500)
    #expect(cut.unicodeScalars.count == 1500)
  }

  @Test func marksBeyondThoseThatAnyTextHasAreLeftOut() {
    #expect(BoundedText.normalized(HostileText.marks).unicodeScalars.count <= 31)
    #expect(BoundedText.normalized("e\u{301}") == "\u{E9}")
    #expect(BoundedText.normalized("Viê\u{323}t 日本 👩‍👩‍👧") == "Việt 日本 👩‍👩‍👧")
  }

  @Test func marksThatStoodBesideSomethingInvisibleAreInARowAfterwards() {
    let tower = "a" + String(repeating: String(repeating: "\u{301}", count: 30) + "\u{200B}", count: 20)
    #expect(PlainText.line(tower).unicodeScalars.count <= 31)
    let line = PlainText.line("a\u{200B}\u{301}\u{200B}\u{323}")
    #expect(line.hasSameBytes(as: "\u{1EA1}\u{301}"), "it is NFC")
    #expect(PlainText.line(line).hasSameBytes(as: line))
  }

  @Test func aLineThatWasCutHasNoBlankAtItsEnd() {
    #expect(PlainText.line("ab cd", toCharacters: 3, scalars: 9) == "ab")
    #expect(PlainText.line("ab  cd", toCharacters: 9, scalars: 4) == "ab c")
  }

  @Test func linesAreOneLineWhateverStandsBesideTheirBlanks() {
    #expect(PlainText.line(" a \u{301} b\r\n c ").unicodeScalars.filter { $0 == "\r" || $0 == "\n" }.isEmpty)
    #expect(PlainText.lines("a\r\nb\r\rc\n\n\nd\n\u{301}") == "a\nb\n\nc\n\nd\n\u{301}")
  }

  @Test func partsAreThoseThatTheBytesHave() {
    let comma = UInt8(ascii: ",")
    #expect("a\u{D4E},b,\u{301}c,,".split(atByte: comma) == ["a\u{D4E}", "b", "\u{301}c"])
    #expect("a,,b".split(atByte: comma, maxSplits: 1, omittingEmpty: false) == ["a", ",b"])
    #expect("name=\u{301}x".rest(behind: "name=").map(String.init) == "\u{301}x")
    #expect(" \tx\u{301} ".withoutBlanks == "x\u{301}")
  }
}

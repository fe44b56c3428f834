import Platform
import Testing

@Suite struct SafeIntegerTests {
  @Test func digitsAreReadAndNothingElse() {
    #expect(SafeInteger.read("0") == 0)
    #expect(SafeInteger.read("0042") == 42)
    #expect(SafeInteger.read("9007199254740991") == SafeInteger.most)
    for text in [
      "", "-1", "+1", " 1", "1 ", "1.0", "1e3", "0x1", "٣", "1\u{301}", "\u{D4E}1", "9007199254740992",
      "9223372036854775807", "9223372036854775808", "18446744073709551616", "00000000000000000000000001",
      String(repeating: "9", count: 80_000),
    ] { #expect(SafeInteger.read(text) == nil, "\(text.prefix(30))") }
    #expect(SafeInteger.read("51", in: 1...50) == nil)
  }

  @Test func everyDoubleHasAWholeNumber() {
    #expect(Int(clamping: 2.5) == 3 && Int(clamping: -2.4) == -2)
    #expect(Int(clamping: .nan) == -SafeInteger.most && Int(clamping: .nan, to: 0...9) == 0)
    for huge in [1e308, .infinity, 9.3e18, 9.007199254740993e15] {
      #expect(Int(clamping: huge) == SafeInteger.most)
    }
    for huge in [-1e308, -.infinity, -9.3e18] { #expect(Int(clamping: huge) == -SafeInteger.most) }
    #expect(Int(clamping: 100.4, to: 0...100) == 100)
    #expect(Int(clamping: 1e300, to: Int.min...Int.max) == Int.max)
  }
}

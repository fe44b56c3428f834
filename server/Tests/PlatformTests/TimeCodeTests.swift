import Platform
import Testing

/// Codes as every app makes them.
@Suite struct TimeCodeTests {
  private static let secret = Array("12345678901234567890".utf8)

  /// RFC 6238, appendix B, of whose eight digits apps show the last six.
  @Test(arguments: [
    (Int64(59), "287082"), (1_111_111_109, "081804"), (1_111_111_111, "050471"), (1_234_567_890, "005924"),
    (2_000_000_000, "279037"), (20_000_000_000, "353130"),
  ])
  func codesAreThoseOfTheStandard(_ seconds: Int64, _ code: String) {
    #expect(TimeCode.code(Self.secret, step: TimeCode.step(atMs: seconds * 1000)) == code)
    #expect(
      TimeCode.step(of: code, Self.secret, atMs: seconds * 1000, after: 0)
        == (seconds < 60 ? 1 : seconds / 30))
  }

  /// RFC 4226, appendix D.
  @Test func theFirstTenAreThoseOfTheStandard() {
    let codes = [
      "755224", "287082", "359152", "969429", "338314", "254676", "287922", "162583", "399871", "520489",
    ]
    #expect((0..<10).map { TimeCode.code(Self.secret, step: $0) } == codes)
  }

  @Test func aCodeCountsAStepEarlierAndAStepLaterAndNoMore() {
    let nowMs: Int64 = 1_800_000_000_000
    let now = TimeCode.step(atMs: nowMs)
    for (offset, counts) in [(-2, false), (-1, true), (0, true), (1, true), (2, false)] {
      let code = TimeCode.code(Self.secret, step: now + Int64(offset))
      #expect(
        TimeCode.step(of: code, Self.secret, atMs: nowMs, after: 0) == (counts ? now + Int64(offset) : nil))
    }
    let code = TimeCode.code(Self.secret, step: now)
    #expect(TimeCode.step(of: code, Self.secret, atMs: nowMs, after: now) == nil, "once")
    #expect(TimeCode.step(of: code, Self.secret, atMs: nowMs, after: now - 1) == now)
  }

  @Test func whatIsNoCodeIsNone() {
    for text in ["", "0", "28708", "2870822", "28708a", "２８７０８２", "287082 ", "-87082", "\u{0}"] {
      #expect(TimeCode.step(of: text, Self.secret, atMs: 59_000, after: 0) == nil)
    }
    // A clock before 1970.
    #expect(TimeCode.step(of: "755224", Self.secret, atMs: -5, after: -1) == 0)
  }

  @Test func secretsAreLongAndNeverTheSame() {
    let (one, other) = (TimeCode.makeSecret(), TimeCode.makeSecret())
    #expect(one.count == 20 && one != other)
  }

  /// RFC 4648, 10.
  @Test(arguments: [
    ("", ""), ("f", "MY"), ("fo", "MZXQ"), ("foo", "MZXW6"), ("foob", "MZXW6YQ"), ("fooba", "MZXW6YTB"),
    ("foobar", "MZXW6YTBOI"),
  ])
  func lettersAreThoseOfTheStandard(_ text: String, _ letters: String) {
    #expect(Base32.text(Array(text.utf8)) == letters)
  }
}

import Testing

@testable import Gateway
@testable import PlatformTesting

/// What a stranger wrote, in a page.
@Suite struct HostileOutputTests {
  @Test(arguments: ["<", ">", "&", "\"", "'"] as [Unicode.Scalar])
  func whatMeansSomethingInAPageIsEscapedWhateverStandsBesideIt(_ scalar: Unicode.Scalar) {
    for text in HostileText.around(scalar) {
      let escaped = ClipPage.escaped(text)
      let bare = escaped.unicodeScalars.filter { $0 == scalar }.count
      #expect(bare == (scalar == "&" ? 1 : 0), "\(escaped.debugDescription)")
      #expect(escaped.utf8.contains(UInt8(ascii: ";")))
    }
  }
}

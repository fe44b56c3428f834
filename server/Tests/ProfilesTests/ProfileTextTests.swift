import Contract
import Testing

@testable import Platform
@testable import PlatformTesting
@testable import Profiles

/// What people say of themselves, and the addresses that others tap.
@Suite struct ProfileTextTests {
  private func code(_ work: () throws -> some Any) -> ErrorCode? {
    do {
      _ = try work()
      return nil
    } catch { return (error as? AppError)?.code }
  }

  @Test(arguments: [
    ("example.org", "https://example.org"),
    ("  HTTPS://Example.ORG/Me?a=1#B ", "https://example.org/Me?a=1#B"),
    ("http://example.org:8080/x", "http://example.org:8080/x"),
    ("xn--mnchen-3ya.de", "https://xn--mnchen-3ya.de"),
    ("example.org/?to=https://other.org", "https://example.org/?to=https://other.org"),
  ])
  func anAddressIsKeptAsABrowserUnderstandsIt(_ pair: (String, String)) throws {
    #expect(try ProfileLinks.checked([pair.0]) == [pair.1])
  }

  @Test(arguments: [
    "", "https://", "example", "javascript:alert(1)", "javascript://example.org/%0aalert(1)",
    "data://example.org/x",
    "ftp://example.org", "https://user:pass@example.org", "https://user@example.org", "http://127.0.0.1/",
    "https://example.org:port", "https://example.org:123456", "https://exämple.org", "https://example..org",
    "https://-example.org", "https://example.org/\"><script>", "https://example.org\\@other.org",
    "https://[::1]/", "https://example.org/\u{202E}gro", "//example.org", "https:example.org",
    "https://example.org/" + String(repeating: "a", count: 300),
  ])
  func whatIsNoAddressOfThatKindIsRefused(_ link: String) {
    // NB: what nobody sees is taken out before, so that what is left is what was seen.
    if link.unicodeScalars.contains("\u{202E}") {
      #expect((try? ProfileLinks.checked([link])) == ["https://example.org/gro"])
    } else {
      #expect(code { try ProfileLinks.checked([link]) } == .profileLinkInvalid, "\(link)")
    }
  }

  @Test func aRefusalNamesThePlace() throws {
    let error = #expect(throws: AppError.self) { try ProfileLinks.checked(["example.org", "no"]) }
    #expect(error?.field == "links[1]")
    #expect(
      try ProfileLinks.checked(["a.org", "https://a.org", "b.org"]) == ["https://a.org", "https://b.org"])
  }

  @Test func aBioIsAFewPlainLines() throws {
    #expect(try Bio.checked("  one \r\n\r\n\r\n two\u{202E} ") == "one\n\ntwo")
    #expect(try Bio.checked("") == "")
    #expect(try Bio.checked(String(repeating: "👨‍👩‍👧", count: 160)).count == 160)
    #expect(code { try Bio.checked(String(repeating: "a", count: 161)) } == .bioTooLong)
    #expect(code { try Bio.checked("a\nb\nc\nd\ne\nf") } == .bioTooLong)
    // Accents in towers are taken down, and then it is one letter.
    #expect(try Bio.checked("a" + String(repeating: "\u{301}", count: 900)).count == 1)
  }

  @Test func peopleAreMatchedByHandleAndName() {
    let author = Author(id: "1", handle: "mara.k", name: "Mara Krüger")
    for text in ["", "MARA", "@mara", "k", "krüg", "  mara  "] {
      #expect(PersonWords(text).match(author), "\(text)")
    }
    for text in ["tom", "mara  k r", "ö"] { #expect(!PersonWords(text).match(author), "\(text)") }
  }
}

import Testing

@testable import Platform
@testable import PlatformTesting
@testable import Search

@Suite struct TermSignatureTests {
  private func has(_ signature: TermSignature, _ terms: [String]) -> Bool {
    let bits = TermSignature(terms).bits
    return signature.bits & bits == bits
  }

  /// They are kept in databases.
  @Test(
    arguments: [
      ([], 0), (["dawn"], 0x0000_0000_0008_0001), (["dawn", "harbour"], 0x2001_0000_0008_0001),
      (["東京"], 0x0000_0020_4000_0000),
    ] as [([String], UInt64)])
  func bitsAreTheSameForGood(_ terms: [String], _ bits: UInt64) {
    #expect(TermSignature(terms).bits == bits)
  }

  @Test func whatAnEntryHasIsNeverDenied() {
    for first in 0..<500 {
      let terms = (first..<first + 40).map { "word\($0)" }
      let signature = TermSignature(terms)
      for term in terms { #expect(has(signature, [term])) }
      #expect(has(signature, [terms[3], terms[17], terms[39]]))
    }
  }

  /// A caption of nine words: one in sixteen may have another word, two others one in two hundred.
  @Test func mostOfWhatAnEntryHasNotIsDenied() {
    var (one, two) = (0, 0)
    for first in 0..<10_000 {
      let signature = TermSignature((first..<first + 9).map { "word\($0)" })
      let others = ["other\(first)", "another\(first)"]
      if has(signature, [others[0]]) { one += 1 }
      if has(signature, others) { two += 1 }
    }
    #expect(one < 800, "\(one)")
    #expect(two < 80, "\(two)")
  }
}

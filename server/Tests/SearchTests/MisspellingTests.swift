import Testing

@testable import PlatformTesting
@testable import Search

/// One slip of the finger.
@Suite struct MisspellingTests {
  @Test func aSlipIsALetterMoreLessOtherOrTwoSwapped() {
    for (one, other) in [
      ("sunset", "sunsset"), ("sunset", "sunst"), ("sunset", "sumset"), ("sunset", "snuset"), ("ab", "ba"),
      ("sunset", "sunsetx"), ("sunset", "unset"),
    ] {
      #expect(Misspelling.isOneSlip(one, other) && Misspelling.isOneSlip(other, one), "\(one) \(other)")
    }
    for (one, other) in [
      ("sunset", "sunset"), ("sunset", "sumsat"), ("sunset", "unsets"), ("sunset", "sun"), ("abc", "cba"),
      ("", "ab"),
    ] {
      #expect(!Misspelling.isOneSlip(one, other) && !Misspelling.isOneSlip(other, one), "\(one) \(other)")
    }
  }

  /// Else a word would not be looked at that is meant.
  @Test func wordsThatASlipMakesOfEachOtherHaveAFormInCommon() {
    var random = SplitMix(state: 7)
    let letters = Array("abcdeéжд".unicodeScalars)
    func letter() -> Unicode.Scalar { letters[Int(random.next() % UInt64(letters.count))] }
    for round in 0..<4000 {
      var word = (0..<(4 + round % 9)).map { _ in letter() }
      let before = text(word)
      let place = Int(random.next() % UInt64(word.count - 1))
      switch round % 4 {
      case 0: word.insert(letter(), at: place)
      case 1: word.remove(at: place)
      case 2: word[place] = letter()
      default: word.swapAt(place, place + 1)
      }
      let after = text(word)
      #expect(after == before || Misspelling.isOneSlip(before, after), "\(before) \(after)")
      #expect(!Set(Misspelling.forms(of: before)).isDisjoint(with: Misspelling.forms(of: after)))
    }
  }

  private func text(_ scalars: [Unicode.Scalar]) -> String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars)
    return String(view)
  }
}

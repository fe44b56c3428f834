import Testing

@testable import Generation
@testable import PlatformTesting

/// Expressions of the operator's: what is found, what is none, and that no text takes long.
@Suite struct PromptPatternTests {
  private func finds(_ pattern: String, _ text: String) throws -> Bool {
    try PromptPattern(pattern).matches(PromptPattern.Text(text))
  }

  private func fault(_ pattern: String) -> String? {
    do {
      _ = try PromptPattern(pattern)
      return nil
    } catch { return (error as? PromptPattern.Fault)?.description ?? "another error: \(error)" }
  }

  static let found: [(String, String)] = [
    ("fox", "a red foxglove"), ("FOX", "a red fox"), ("fox", "A RED FOX"), ("f.x", "fox"), ("f.x", "f\nx"),
    ("red fox", "red\nfox"), ("^a fox$", "A fox"), ("^a", "a b"), ("b$", "a b"), (#"\bfox\b"#, "a fox, red"),
    (#"\bfox"#, "fox"), (#"fox\b"#, "a fox"), (#"\Box\b"#, "fox"), (#"\d{4}"#, "in 1984"),
    (#"\d"#, "\u{FF11}"), (#"a\sb"#, "a b"), (#"a\Sb"#, "a-b"), (#"\w\W\w"#, "a-b"), (#"\D"#, "1a"),
    ("[a-c]x", "bx"), ("[A-C]x", "bx"), ("[^a-c]x", "dx"), (#"[\d_-]x"#, "-x"), (#"[\]]"#, "a]"),
    (#"[\W]b"#, "-b"), ("[-a]x", "-x"), ("[a-]x", "-x"), ("a|b|c", "c"), ("^(a|bc)+d$", "abcabcd"),
    ("^(?:ab)?c$", "c"), ("^ab?c$", "abc"), ("ab*c", "ac"), ("ab+c", "abbbc"), ("^a{2}$", "aa"),
    ("^a{2,}$", "aaaa"), ("^a{2,3}$", "aaa"), ("^(ab){2}$", "abab"), ("^a+?b$", "aab"), ("^a*?b$", "b"),
    ("^a{1,2}?b$", "aab"), (#"\$5\.00"#, "for $5.00"), (#"\\"#, #"a\b"#), (#"\("#, "a("),
    ("café", "CAFE\u{301}"), ("cafe", "café"), ("strasse", "Straße"), ("straße", "STRASSE"), ("ß{2}", "ssss"),
    ("[é]", "e"), ("σ", "ς"), ("[а-я]", "Ж"), ("カ", "か"), ("東.", "東京"), ("🦊", "a 🦊"), ("👩‍👧", "👩‍👧"),
    ("ｆox", "fox"), ("a.b", "a🦊b"), ("(a|b|c|d|e)(f|g)", "eg"), ("((((a))))", "a"), ("x{1,3}y", "xxy"),
    ("a(b|c)*d", "abcbcd"), ("(a*)*b", "aab"), ("(a?)+b", "b"),
  ]

  @Test(arguments: found)
  func whatIsThereIsFound(_ pattern: String, _ text: String) throws {
    #expect(try finds(pattern, text))
  }

  static let notFound: [(String, String)] = [
    ("fox", "fo x"), ("^fox", "a fox"), ("fox$", "foxes"), (#"\bfox\b"#, "foxes"), (#"\bfox"#, "afox"),
    (#"\Bfox"#, "a fox"), (#"\d{4}"#, "198 4"), ("^a{2}$", "aaa"), ("^a{2}$", "a"), ("^a{2,3}$", "aaaa"),
    ("^a{2,}$", "a"), ("[^a-c]", "abc"), (#"[^\w\s]"#, "a b"), ("a|b", "c"), ("^(ab)+$", "aba"),
    ("ab+c", "ac"), ("ab?c", "abbc"), ("fox", ""), (".", ""), ("a.c", "ac"), (#"a\.c"#, "abc"),
    (#"\w"#, "🦊!"), ("[a-c]", "[-]"), ("^a+?b$", "b"),
  ]

  @Test(arguments: notFound)
  func whatIsNotThereIsNot(_ pattern: String, _ text: String) throws {
    #expect(try !finds(pattern, text))
  }

  static let faults: [(String, String)] = [
    ("", "nothing in it"), (" ", "cannot be seen"), ("a  b", "in a row"), (" a", "at an end"),
    ("a\nb", "cannot be seen"), ("a\u{202E}b", "cannot be seen"), ("(a", "without its )"),
    ("a)", "without its ("), ("[a", "without its ]"), ("[]", "nothing in a [ ]"), ("[^]", "nothing in a [ ]"),
    ("[z-a]", "end before its start"), ("a||b", "is empty"), ("(|a)", "is empty"), ("()", "is empty"),
    ("|", "is empty"), ("*a", "nothing before a *"), ("a**", "repeated again"), ("a+++", "repeated again"),
    ("a{2}{2}", "repeated again"), ("^*", "every text"), ("{2}", "nothing before a {"), ("a{", "Repetitions"),
    ("a{,2}", "Repetitions"), ("a{2", "Repetitions"), ("a{3,2}", "least before its most"),
    ("a{0}", "1 or more"), ("a{1001}", "Repetitions"), ("a{2,99999999999999999999}", "Repetitions"),
    ("a{-1}", "Repetitions"), ("a\\", "behind the last"), (#"[a\"#, "behind the last"), (#"\1"#, "letters"),
    (#"(a)\1"#, "letters"), (#"\pL"#, "letters"), (#"[\b]"#, "letters"), ("(?=a)", "(?:"),
    ("(?<name>a)", "(?:"), ("(?i)a", "(?:"), ("a*", "every text"), ("a?", "every text"),
    ("a|b*", "every text"), ("$", "every text"), ("(a{500}){2}", "too large"),
    ("((a{30}){30}){30}", "too large"),
    (String(repeating: "a", count: 201), "more than 200"),
    (String(repeating: "(", count: 30) + "a" + String(repeating: ")", count: 30), "groups in groups"),
  ]

  @Test(arguments: faults)
  func whatIsNoExpressionIsRefusedInASentence(_ pattern: String, _ words: String) {
    let sentence = fault(pattern)
    #expect(sentence?.contains(words) == true && sentence?.hasSuffix(".") == true, "\(sentence ?? "taken")")
  }

  /// What an expression and a text like these take elsewhere grows with two to the length of the text.
  @Test(arguments: [
    "(a+)+$", "^(a+)+$", "(a*)*b", "(a|a)+$", "(a|aa)+$", "^(a?){100}a{100}b", "(.*)(.*)(.*)(.*)b$",
    "(((a+)+)+)+$", "a{20}b", "[ab]{20}c", #"(\w+\s?)+$"#,
  ])
  func noTextTakesLong(_ pattern: String) throws {
    let text = PromptPattern.Text(String(repeating: "a", count: 33_000) + "!")
    let expression = try PromptPattern(pattern)
    let start = ThreadTime.now
    #expect(!expression.matches(text))
    // NB: a debug build.
    #expect(ThreadTime.now - start < .seconds(30))
  }

  @Test func marksAndSignsWithoutAnEndTakeNoLonger() throws {
    for text in [
      "a" + String(repeating: "\u{301}", count: 33_000), String(repeating: "\u{FDFA}", count: 4000),
      String(repeating: "👩‍👩‍👧", count: 4000), String(repeating: "\u{200D}", count: 33_000),
    ] {
      #expect(try !finds("x+y", text))
    }
  }

  /// Against a search that tries everything, on short texts.
  @Test func itFindsWhatGoingBackFinds() throws {
    var random = SplitMix(state: 66)
    func made(_ depth: Int) -> (text: String, tree: Tree) {
      switch Int.random(in: 0..<(depth > 0 ? 6 : 1), using: &random) {
      case 1, 2:
        let (one, other) = (made(depth - 1), made(depth - 1))
        return ("\(one.text)\(other.text)", .both(one.tree, other.tree))
      case 3:
        let (one, other) = (made(depth - 1), made(depth - 1))
        return ("(\(one.text)|\(other.text))", .either(one.tree, other.tree))
      case 4:
        let one = made(depth - 1)
        return ("(\(one.text)){2,3}", .times(one.tree, 2...3))
      case 5:
        let one = made(depth - 1)
        return ("(\(one.text))*", .times(one.tree, 0...6))
      default:
        let letter = ["a", "b"].randomElement(using: &random) ?? "a"
        return (letter, .letter(letter))
      }
    }
    for _ in 0..<300 {
      let (pattern, tree) = made(3)
      guard let expression = try? PromptPattern("^c\(pattern)$") else { continue }
      for _ in 0..<20 {
        let text = (0..<Int.random(in: 0...6, using: &random)).map { _ in
          ["a", "b"].randomElement(using: &random) ?? "a"
        }
        let isThere = tree.ends(in: text, from: 0).contains(text.count)
        let found = expression.matches(PromptPattern.Text("c" + text.joined()))
        #expect(found == isThere, "\(pattern) in \(text.joined())")
      }
    }
  }

  private indirect enum Tree {
    case letter(String)
    case both(Tree, Tree)
    case either(Tree, Tree)
    case times(Tree, ClosedRange<Int>)

    /// Where it can end.
    func ends(in text: [String], from start: Int) -> Set<Int> {
      switch self {
      case .letter(let letter): start < text.count && text[start] == letter ? [start + 1] : []
      case .both(let one, let other):
        one.ends(in: text, from: start).reduce(into: Set<Int>()) {
          $0.formUnion(other.ends(in: text, from: $1))
        }
      case .either(let one, let other):
        one.ends(in: text, from: start).union(other.ends(in: text, from: start))
      case .times(let one, let range): Self.ends(of: one, range, in: text, from: start)
      }
    }

    private static func ends(
      of one: Tree, _ range: ClosedRange<Int>, in text: [String], from start: Int
    ) -> Set<Int> {
      var (here, all): (Set<Int>, Set<Int>) = ([start], range.contains(0) ? [start] : [])
      for count in 1...range.upperBound {
        here = here.reduce(into: Set<Int>()) { $0.formUnion(one.ends(in: text, from: $1)) }
        if range.contains(count) { all.formUnion(here) }
      }
      return all
    }
  }
}

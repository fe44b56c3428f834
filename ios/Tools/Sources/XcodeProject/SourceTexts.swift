import Foundation

/// Which texts of a source people see: those that must be in the catalog, and those that may be keys of it.
///
/// A text with interpolations is a pattern: the catalog has `%@`, `%lld` and so on in their places.
struct SourceTexts: Sendable {
  /// What has to be there.
  private(set) var needed: Set<String> = []
  /// Every text of the source: a key that is none of these is not used.
  private(set) var all: Set<String> = []
  /// Words for people that are taken as they stand: they are in one language.
  private(set) var asTheyStand: Set<String> = []

  /// Whose first argument is a `LocalizedStringKey`.
  private static let views =
    "Text|Button|Label|Toggle|Picker|Section|TextField|SecureField|ProgressView|Link|Menu|NavigationLink"
    + "|LabeledContent|Stepper|DisclosureGroup|ContentUnavailableView|ShareLink|LocalizedStringKey"
    + "|LocalizedStringResource|Sentence|FeedNotice"
  private static let modifiers =
    "navigationTitle|alert|confirmationDialog|accessibilityLabel|accessibilityValue|accessibilityHint|post"
  /// A label before the first argument that leaves it one.
  private static let openings = [
    #"(?<![A-Za-z0-9_.])(?:"# + views + #")\("#, #"(?<=\.)(?:"# + modifiers + #")\("#,
    #"String\(\s*localized:"#, #"accessibilityAction\(\s*named:"#, #"searchable\([^)]*prompt:"#,
    #"(?:LocalizedStringKey|LocalizedStringResource|Sentence)\??\s*=\s"#,
  ]
  /// A property or function whose texts are all keys.
  private static let bodies = #"(?::|->)\s*(?:LocalizedStringKey|LocalizedStringResource|Sentence)\??\s*\{"#
  /// Behind these stands what no person sees.
  private static let unseen = [
    "detail:", "preconditionFailure(", "fatalError(", "precondition(", "systemImage:", "systemName:",
    "forKey:", "path:",
    "dateFormat =",
  ]

  /// What shows a text as it is.
  private static let plain =
    #"\bverbatim:\s*|\.(?:text|placeholder|accessibility(?:Label|Hint|Value))\s*=\s|\.setTitle\("#
    + #"|\bUIAlert(?:Action|Controller)\(\s*title:\s*|\bUIAccessibilityCustomAction\(\s*name:\s*"#
    + #"|\bmessage:\s*(?=\x01)"#

  /// `names`: whether a sentence of this source is a key wherever it stands, since our own views and models
  /// hand it on (AppModel, Screens).
  init(_ source: String, names: Bool) {
    let literals = SwiftLiterals(source)
    let code = String(String.UnicodeScalarView(literals.code)) as NSString
    // The number of the text at a place.
    var places: [Int: String] = [:]
    var next = 0
    for index in 0..<code.length where code.character(at: index) == 1 {
      places[index] = literals.texts[next]
      next += 1
    }
    all = Set(literals.texts)
    for opening in Self.openings {
      for end in Self.ends(of: opening, in: code) {
        note(Self.argument(in: code, from: end), places)
      }
    }
    for end in Self.ends(of: Self.bodies, in: code) {
      let body = Self.body(in: code, from: end)
      for (place, text) in places where body.contains(place) && !Self.isPattern(code, place) {
        need(text)
      }
    }
    func isBehind(_ words: [String], _ place: Int) -> Bool {
      let before = code.substring(with: NSRange(location: max(0, place - 24), length: min(24, place)))
        .trimmingCharacters(in: .whitespacesAndNewlines)
      return words.contains(where: before.hasSuffix)
    }
    for end in Self.ends(of: Self.plain, in: code) {
      let argument = Self.argument(in: code, from: end)
      for (place, text) in places where argument.contains(place) && Self.isWord(text) {
        if !isBehind(["localized:"], place) { asTheyStand.insert(text) }
      }
    }
    guard names else { return }
    for (place, text) in places where Self.isSentence(text) && !isBehind(Self.unseen, place) { need(text) }
  }

  private mutating func need(_ text: String) {
    if text.unicodeScalars.contains(where: \.properties.isAlphabetic) { needed.insert(text) }
  }

  private mutating func note(_ argument: Range<Int>, _ places: [Int: String]) {
    for (place, text) in places where argument.contains(place) { need(text) }
  }

  private static func ends(of pattern: String, in code: NSString) -> [Int] {
    let expression = try! NSRegularExpression(pattern: pattern)
    return expression.matches(in: code as String, range: NSRange(location: 0, length: code.length)).map {
      $0.range.location + $0.range.length
    }
  }

  /// The first argument; empty if it is no text, and no choice of texts.
  private static func argument(in code: NSString, from start: Int) -> Range<Int> {
    var depth = 0
    var end = start
    scan: while end < code.length {
      switch code.character(at: end) {
      case 40, 91, 123: depth += 1
      case 41, 93, 125:
        depth -= 1
        if depth < 0 { break scan }
      case 44 where depth == 0: break scan
      case 10 where depth == 0 && end > start:
        // A value behind `=` ends with its line, unless it goes on with `?` or `:`.
        let rest = code.substring(from: end).trimmingCharacters(in: .whitespacesAndNewlines)
        if !rest.hasPrefix("?"), !rest.hasPrefix(":"), code.character(at: start - 1) != 40,
          code.character(at: start - 1) != 58
        {
          break scan
        }
      default: break
      }
      end += 1
    }
    let text = code.substring(with: NSRange(location: start, length: end - start))
      .trimmingCharacters(in: .whitespacesAndNewlines)
    let isChoice = text.range(of: "[^?][?] ", options: .regularExpression) != nil
    // "name: …" is another initialiser's label, as in Text(verbatim:).
    let isLabelled = text.range(of: #"^[a-z][A-Za-z]*:"#, options: .regularExpression) != nil
    return (text == "\u{1}" || isChoice) && !isLabelled ? start..<end : start..<start
  }

  private static func body(in code: NSString, from start: Int) -> Range<Int> {
    var depth = 1
    var end = start
    while end < code.length, depth > 0 {
      if code.character(at: end) == 123 { depth += 1 }
      if code.character(at: end) == 125 { depth -= 1 }
      end += 1
    }
    return start..<end
  }

  /// `case "text":` asks; it shows nothing. Nor does an argument with a label of its own.
  private static func isPattern(_ code: NSString, _ place: Int) -> Bool {
    let before = code.substring(to: place)
    let line = before.split(separator: "\n", omittingEmptySubsequences: false).last.map { String($0) } ?? ""
    return line.range(of: #"case [^:]*$|==\s*$|\w\(\s*$"#, options: .regularExpression) != nil
  }

  /// Begins as words for people do, or has some beside a number.
  private static func isWord(_ text: String) -> Bool {
    let scalars = text.unicodeScalars
    if scalars.contains(SwiftLiterals.gap) {
      return text.range(of: "[a-z]{3,}", options: .regularExpression) != nil
    }
    return scalars.first?.properties.isUppercase == true && scalars.count > 1
  }

  /// More than one word, or an end as sentences have it; no interpolation.
  static func isSentence(_ text: String) -> Bool {
    guard let first = text.unicodeScalars.first, first.properties.isUppercase,
      !text.unicodeScalars.contains(SwiftLiterals.gap), !text.contains("\n")
    else { return false }
    return text.contains(" ") || text.hasSuffix(".") || text.hasSuffix("…")
  }

  /// Whether a key of the catalog is this text.
  static func matches(_ text: String, _ key: String) -> Bool {
    guard text.unicodeScalars.contains(SwiftLiterals.gap) else { return text == key }
    let pieces = text.split(separator: Character(SwiftLiterals.gap), omittingEmptySubsequences: false).map {
      NSRegularExpression.escapedPattern(for: String($0).replacing("%", with: "%%"))
    }
    let gap = #"%(?:\d+\$)?(?:@|l{0,2}[diuf]|\.\d+f|arg)"#
    return key.range(of: "^" + pieces.joined(separator: gap) + "$", options: .regularExpression) != nil
  }
}

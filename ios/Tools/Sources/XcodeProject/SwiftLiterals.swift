/// A Swift source with its texts taken out: what is left shows where each stood.
///
/// It knows comments, escapes, interpolations, raw texts and texts of several lines, and nothing of the
/// grammar.
struct SwiftLiterals {
  /// Stands in the code for a text. No source has it.
  static let mark: Unicode.Scalar = "\u{1}"
  /// Stands in a text for an interpolation.
  static let gap: Unicode.Scalar = "\u{2}"

  /// Code without comments, one `mark` for each text. What interpolations hold comes behind, on lines of its
  /// own.
  private(set) var code: [Unicode.Scalar] = []
  /// The texts, in the order of their marks, as the compiler reads them.
  private(set) var texts: [String] = []

  private let source: [Unicode.Scalar]
  private var at = 0

  init(_ source: String) {
    self.source = Array(source.unicodeScalars)
    var pending = [self.source]
    while let next = pending.popLast() {
      var part = SwiftLiterals(scalars: next)
      pending += part.read()
      code += part.code + ["\n"]
      texts += part.texts
    }
  }

  private init(scalars: [Unicode.Scalar]) { source = scalars }

  private func starts(_ text: String) -> Bool { source[at...].starts(with: text.unicodeScalars) }

  /// Answers the code of the interpolations.
  private mutating func read() -> [[Unicode.Scalar]] {
    var nested: [[Unicode.Scalar]] = []
    while at < source.count {
      if starts("//") {
        while at < source.count, source[at] != "\n" { at += 1 }
      } else if starts("/*") {
        skipComment()
      } else if let hashes = openingHashes() {
        nested += readText(hashes)
      } else {
        code.append(source[at])
        at += 1
      }
    }
    return nested
  }

  /// Comments of several lines may lie in one another.
  private mutating func skipComment() {
    var depth = 0
    repeat {
      if starts("/*") { depth += 1 } else if starts("*/") { depth -= 1 } else { at -= 1 }
      at += 2
    } while depth > 0 && at < source.count
  }

  /// How many `#` stand before the quote that a text begins with here.
  private func openingHashes() -> Int? {
    var end = at
    while end < source.count, source[end] == "#" { end += 1 }
    return end < source.count && source[end] == "\"" ? end - at : nil
  }

  private mutating func readText(_ hashes: Int) -> [[Unicode.Scalar]] {
    let fence = String(repeating: "#", count: hashes)
    at += hashes
    let quote = starts("\"\"\"") ? "\"\"\"" : "\""
    at += quote.count
    var text = String.UnicodeScalarView()
    var nested: [[Unicode.Scalar]] = []
    while at < source.count, !starts(quote + fence) {
      guard starts("\\" + fence), at + 1 + hashes < source.count else {
        text.append(source[at])
        at += 1
        continue
      }
      at += 1 + hashes
      if source[at] == "(" {
        nested.append(readInterpolation())
        text.append(Self.gap)
      } else {
        readEscape(into: &text)
      }
    }
    at += quote.count + hashes
    code.append(Self.mark)
    texts.append(String(text))
    return nested
  }

  private mutating func readInterpolation() -> [Unicode.Scalar] {
    var depth = 0
    let start = at + 1
    while at < source.count {
      if source[at] == "(" { depth += 1 }
      if source[at] == ")" { depth -= 1 }
      if depth == 0 { break }
      if source[at] == "\"" {
        // A text inside: read past it, whatever it holds.
        var inner = SwiftLiterals(scalars: Array(source[at...]))
        _ = inner.readText(0)
        at += max(1, inner.at)
      } else {
        at += 1
      }
    }
    defer { at = min(at + 1, source.count) }
    return Array(source[min(start, source.count)..<min(at, source.count)])
  }

  private mutating func readEscape(into text: inout String.UnicodeScalarView) {
    let escape = source[at]
    at += 1
    switch escape {
    case "n": text.append("\n")
    case "t": text.append("\t")
    case "u":
      let digits = source[at...].dropFirst().prefix { $0 != "}" }
      at += digits.count + 2
      if let value = UInt32(String(String.UnicodeScalarView(digits)), radix: 16),
        let scalar = Unicode.Scalar(value)
      {
        text.append(scalar)
      }
    case "\n":
      while at < source.count, source[at] == " " { at += 1 }
    default: text.append(escape)
    }
  }
}

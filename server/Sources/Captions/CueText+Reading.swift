internal import Foundation
internal import Platform

extension CueText {
  enum Dialect { case webVTT, subRip }

  /// Of the markup people put into captions, emphasis and speakers stay; other tags go and their content
  /// stays, but for scripts, style sheets and readings above other text. A `<` that begins no tag is a `<`.
  init(_ markup: String, _ dialect: Dialect) {
    var reading = Reading(scalars: Array(markup.unicodeScalars), dialect: dialect)
    reading.read()
    self.init(runs: Self.runs(of: Self.lines(reading.out)))
  }

  fileprivate struct Glyph {
    var scalar: Unicode.Scalar
    var style: Style
    var voice: String?
  }

  /// Blanks at the ends of lines and beside each other go, and so do empty lines.
  private static func lines(_ glyphs: [Glyph]) -> [Glyph] {
    var out: [Glyph] = []
    for line in glyphs.split(separator: "\n", omittingEmptySubsequences: true, on: \.scalar) {
      var kept: [Glyph] = []
      for glyph in line where glyph.scalar != " " || kept.last?.scalar != " " { kept.append(glyph) }
      kept = Array(kept.drop(while: Self.isBlank))
      while kept.last.map(Self.isBlank) == true { kept.removeLast() }
      guard kept.contains(where: { !Self.isInvisible($0) }) else { continue }
      if let last = out.last { out.append(Glyph(scalar: "\n", style: last.style, voice: last.voice)) }
      out += kept
    }
    return out
  }

  private static func isBlank(_ glyph: Glyph) -> Bool {
    glyph.scalar.properties.generalCategory == .spaceSeparator
  }

  private static func isInvisible(_ glyph: Glyph) -> Bool {
    isBlank(glyph) || glyph.scalar.properties.generalCategory == .format
  }

  private static func runs(of glyphs: [Glyph]) -> [Run] {
    var runs: [Run] = []
    var text = String.UnicodeScalarView()
    for (place, glyph) in glyphs.enumerated() {
      text.append(glyph.scalar)
      let next = place + 1 < glyphs.count ? glyphs[place + 1] : nil
      guard next?.style != glyph.style || next?.voice != glyph.voice else { continue }
      runs.append(
        Run(
          text: BoundedText.normalized(String(text)), style: glyph.style, voice: glyph.voice))
      text = String.UnicodeScalarView()
    }
    return runs
  }
}

private struct Reading {
  /// No tag that means something is longer than one with the name of a speaker, each letter of it as a
  /// reference (`&amp;`).
  static let longestTag = 4 * longestVoice * 5 + 2
  static let longestVoice = 40
  static let longestEntity = 10

  let scalars: [Unicode.Scalar]
  let dialect: CueText.Dialect
  var out: [CueText.Glyph] = []
  private var depth: [CueText.Style: Int] = [:]
  private var voice: String?
  /// The tag whose content is left out.
  private var dropped: String?

  init(scalars: [Unicode.Scalar], dialect: CueText.Dialect) {
    self.scalars = scalars
    self.dialect = dialect
  }

  mutating func read() {
    var at = 0
    while at < scalars.count {
      if scalars[at] == "<", let end = tagEnd(at) {
        apply(tag: scalars[at + 1..<end])
        at = end + 1
      } else if scalars[at] == "&", let (text, end) = Self.entity(scalars, at) {
        text.forEach { emit($0) }
        at = end
      } else if dialect == .subRip, scalars[at] == "{", at + 1 < scalars.count, scalars[at + 1] == "\\",
        let end = scalars[at...].prefix(Self.longestTag).firstIndex(of: "}")
      {
        // An override of ASS, which players of SubRip understand: `{\an8}`.
        at = end + 1
      } else if dialect == .subRip, scalars[at] == "\\", at + 1 < scalars.count, scalars[at + 1] == "N" {
        emit("\n")
        at += 2
      } else {
        emit(scalars[at])
        at += 1
      }
    }
  }

  private mutating func emit(_ scalar: Unicode.Scalar) {
    guard dropped == nil, let visible = Self.visible(scalar) else { return }
    var style: CueText.Style = []
    for (part, count) in depth where count > 0 { style.insert(part) }
    out.append(.init(scalar: visible, style: style, voice: voice))
  }

  /// As it may be shown; nil: not at all. Marks that say how single letters run stay, for the scripts that
  /// need them; those that turn the order of whole pieces round go, since they make one text look like
  /// another.
  private static func visible(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
    switch scalar {
    case "\n", "\u{2028}", "\u{2029}": return "\n"
    case "\t": return " "
    case "\u{200C}", "\u{200D}", "\u{200E}", "\u{200F}", "\u{61C}": return scalar
    default: break
    }
    switch scalar.properties.generalCategory {
    case .control, .format, .privateUse, .surrogate, .unassigned: return nil
    default: return scalar
    }
  }

  // MARK: Tags

  /// Where the `>` of a tag is that begins here; nil: it is text.
  private func tagEnd(_ at: Int) -> Int? {
    let inside = at + 1
    guard inside < scalars.count else { return nil }
    var end = inside
    while end < scalars.count, end - inside <= Self.longestTag, scalars[end] != ">", scalars[end] != "<" {
      end += 1
    }
    guard end < scalars.count, scalars[end] == ">" else { return nil }
    let content = scalars[inside..<end]
    guard let first = content.first else { return end }
    let isTime = content.contains(":") && content.allSatisfy { Self.isDigit($0) || $0 == ":" || $0 == "." }
    return Self.isLetter(first) || ["/", "!", "?", "."].contains(first) || isTime ? end : nil
  }

  private mutating func apply(tag: ArraySlice<Unicode.Scalar>) {
    let isClosing = tag.first == "/"
    let content = isClosing ? tag.dropFirst() : tag
    let nameEnd = content.firstIndex { !Self.isLetter($0) && !Self.isDigit($0) } ?? content.endIndex
    let name = String(String.UnicodeScalarView(content[..<nameEnd])).lowercased()
    if let open = dropped {
      if isClosing, name == open { dropped = nil }
      return
    }
    switch name {
    case "i", "em": count(.italic, isClosing)
    case "b", "strong": count(.bold, isClosing)
    case "u": count(.underline, isClosing)
    case "v": voice = isClosing ? nil : Self.voice(content[nameEnd...])
    case "br": emit("\n")
    case "script", "style", "rt", "rp": if !isClosing { dropped = name }
    default: break
    }
  }

  private mutating func count(_ style: CueText.Style, _ isClosing: Bool) {
    depth[style] = max(0, depth[style, default: 0] + (isClosing ? -1 : 1))
  }

  /// Behind the classes of the tag: `<v.loud Mary>`.
  private static func voice(_ rest: ArraySlice<Unicode.Scalar>) -> String? {
    guard let blank = rest.firstIndex(where: { $0.properties.isWhitespace }) else { return nil }
    let raw = Array(rest[blank...])
    var name = String.UnicodeScalarView()
    var at = 0
    while at < raw.count {
      if raw[at] == "&", let (text, end) = entity(raw, at) {
        name.append(contentsOf: text)
        at = end
      } else {
        name.append(raw[at])
        at += 1
      }
    }
    var line = PlainText.line(String(name), toCharacters: longestVoice, scalars: 4 * longestVoice)
      .unicodeScalars
    // NB: with the end of the tag, a hyphen would make the arrow of a cue.
    while let last = line.last, last == "-" || last == " " { line.removeLast() }
    return line.isEmpty ? nil : String(line)
  }

  // MARK: Entities

  private static let entities: [String: Unicode.Scalar] = [
    "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": "\u{A0}", "lrm": "\u{200E}",
    "rlm": "\u{200F}", "hellip": "\u{2026}", "ndash": "\u{2013}", "mdash": "\u{2014}", "lsquo": "\u{2018}",
    "rsquo": "\u{2019}", "ldquo": "\u{201C}", "rdquo": "\u{201D}",
  ]

  /// What stands for the reference that begins here, and where it ends; nil: it is text.
  private static func entity(_ scalars: [Unicode.Scalar], _ at: Int) -> ([Unicode.Scalar], Int)? {
    guard let end = scalars[at...].prefix(longestEntity + 2).firstIndex(of: ";"), end > at + 1 else {
      return nil
    }
    let name = String(String.UnicodeScalarView(scalars[at + 1..<end]))
    if let scalar = entities[name] { return ([scalar], end + 1) }
    guard name.starts(withBytesOf: "#") else { return nil }
    let digits = name.dropFirst()
    let number =
      digits.first == "x" || digits.first == "X" ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
    guard let number else { return nil }
    return (Unicode.Scalar(number).map { [$0] } ?? [], end + 1)
  }

  private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
    ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }
}

extension Array {
  fileprivate func split<Key: Equatable>(
    separator: Key, omittingEmptySubsequences: Bool, on key: (Element) -> Key
  ) -> [ArraySlice<Element>] {
    split(omittingEmptySubsequences: omittingEmptySubsequences) { key($0) == separator }
  }
}

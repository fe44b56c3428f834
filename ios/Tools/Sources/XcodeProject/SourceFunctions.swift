import Foundation

/// The functions of a Swift source, without texts and comments: how they are called, and what is in them.
///
/// It looks for words and brackets and knows nothing of the grammar.
struct SourceFunction: Sendable {
  struct Parameter: Sendable, Equatable {
    /// As callers write it; "_" for none.
    var label: String
    var name: String
    var type: String
  }

  /// Without labels.
  let base: String
  /// What stands before `func` on its line.
  let modifiers: String
  let parameters: [Parameter]
  /// `nil` for what a protocol asks for.
  let body: String?

  /// As Apple's pages write it: `scene(_:willConnectTo:options:)`.
  var name: String { base + "(" + parameters.map { $0.label + ":" }.joined() + ")" }

  func has(_ modifier: String) -> Bool {
    modifiers.split(whereSeparator: { $0 == " " || $0 == "\t" }).contains { $0 == modifier }
  }

  private static let opening = try! NSRegularExpression(
    pattern: #"([^\n{};]*)\bfunc\s+(\w+)\s*(?:<[^>]*>)?\s*\("#)

  static func all(in code: String) -> [SourceFunction] {
    let characters = Array(code.utf16)
    let whole = code as NSString
    return opening.matches(in: code, range: NSRange(location: 0, length: whole.length)).map { match in
      let start = match.range.location + match.range.length
      let end = closing(characters, from: start)
      let list = whole.substring(with: NSRange(location: start, length: end - start))
      return SourceFunction(
        base: whole.substring(with: match.range(at: 2)), modifiers: whole.substring(with: match.range(at: 1)),
        parameters: parameters(list), body: body(whole, characters, from: end + 1))
    }
  }

  /// Where the bracket closes that was opened before `start`.
  private static func closing(_ code: [UInt16], from start: Int) -> Int {
    var depth = 1
    var at = start
    while at < code.count {
      if [40, 91, 123].contains(code[at]) { depth += 1 }
      if [41, 93, 125].contains(code[at]) { depth -= 1 }
      if depth == 0 { break }
      at += 1
    }
    return min(at, code.count)
  }

  private static func parameters(_ list: String) -> [Parameter] {
    var depth = 0
    var pieces = [""]
    for character in list {
      if "([{<".contains(character) { depth += 1 }
      // The arrow of a closure's type closes nothing.
      if ")]}".contains(character) || (character == ">" && pieces.last?.last != "-") { depth -= 1 }
      if character == ",", depth == 0 {
        pieces.append("")
      } else {
        pieces[pieces.count - 1].append(character)
      }
    }
    return pieces.compactMap { piece in
      guard let colon = piece.firstIndex(of: ":") else { return nil }
      let words = piece[..<colon].split(whereSeparator: \.isWhitespace).map { String($0) }
      guard let first = words.first, let last = words.last else { return nil }
      return Parameter(label: first, name: last, type: String(piece[piece.index(after: colon)...]))
    }
  }

  private static func body(_ whole: NSString, _ code: [UInt16], from start: Int) -> String? {
    var at = start
    while at < code.count, code[at] != 123 {
      // The next declaration, or the protocol's end.
      if code[at] == 125 || code[at...].starts(with: "func ".utf16) { return nil }
      at += 1
    }
    guard at < code.count else { return nil }
    return whole.substring(with: NSRange(location: at + 1, length: closing(code, from: at + 1) - at - 1))
  }
}

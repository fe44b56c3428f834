internal import Foundation

/// The words of an operator: a line each, with what becomes of a text that has one in it.
///
///     # Nobody writes this here.
///     refuse buy followers
///     # Whoever made the clip looks at a comment with this first.
///     hold giveaway
public struct WordLists: Sendable {
  /// Bytes of a file, words in it, and scalars of one.
  private static let bytes = 1 << 20
  private static let words = 10_000
  private static let scalars = 100

  private var refusedWords: [String] = []
  private var refused = WordFilter([])
  private var held = WordFilter([])

  public init() {}

  public init(refusing refused: [String], holding held: [String] = []) {
    refusedWords = refused
    self.refused = WordFilter(refused)
    self.held = WordFilter(held)
  }

  /// The word as the operator has it; nil: there is none in the text.
  func refused(in text: String) -> String? { refused.first(in: text).map { refusedWords[$0] } }

  func isHeld(_ text: String) -> Bool { held.first(in: text) != nil }

  /// Throws `SiteRules.Fault`, with the line.
  static func read(_ path: String) throws -> WordLists {
    guard let status = FileStatus(of: path), status.kind == .file else {
      throw SiteRules.Fault(path: path, line: nil, reason: "there is no such file")
    }
    guard status.size <= bytes else {
      throw SiteRules.Fault(path: path, line: nil, reason: "it is larger than \(bytes) bytes")
    }
    guard let data = FileManager.default.contents(atPath: path) else {
      throw SiteRules.Fault(path: path, line: nil, reason: "it cannot be read")
    }
    guard let text = String(validating: data, as: UTF8.self) else {
      throw SiteRules.Fault(path: path, line: nil, reason: "it is no UTF-8")
    }
    return try lists(in: text, path: path)
  }

  static func lists(in text: String, path: String) throws -> WordLists {
    var (refused, held): ([String], [String]) = ([], [])
    let lines = text.split(atByte: UInt8(ascii: "\n"), omittingEmpty: false)
    for (index, raw) in lines.enumerated() {
      // A byte order mark, the end of a line as some editors write it, and blanks are nothing.
      let line = PlainText.line(String(raw))
      if line.isEmpty || line.starts(withBytesOf: "#") { continue }
      func fault(_ reason: String) -> SiteRules.Fault {
        SiteRules.Fault(path: path, line: index + 1, reason: reason)
      }
      let parts = line.split(atByte: UInt8(ascii: " "), maxSplits: 1)
      let word = parts.count == 2 ? String(parts[1]) : ""
      guard !word.isEmpty else { throw fault("a line is \"refuse WORDS\" or \"hold WORDS\"") }
      guard word.unicodeScalars.count <= scalars else {
        throw fault("words have \(scalars) characters at most")
      }
      guard WordFilter.key(of: word) != nil else { throw fault("there is no letter in these words") }
      switch parts[0] {
      case "refuse": refused.append(word)
      case "hold": held.append(word)
      default: throw fault("a line begins with refuse or hold, not with \(parts[0])")
      }
      guard refused.count + held.count <= words else { throw fault("there are more than \(words) words") }
    }
    return WordLists(refusing: refused, holding: held)
  }
}

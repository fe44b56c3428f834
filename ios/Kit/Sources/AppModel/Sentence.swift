/// A sentence for a person: a key of the catalog, which is the English sentence, and what stands in its
/// gaps (`%@`, or `%1$@` and `%2$@`).
public struct Sentence: Equatable, Hashable, Sendable, ExpressibleByStringLiteral {
  public enum Argument: Equatable, Hashable, Sendable {
    /// As it is: a name.
    case verbatim(String)
    /// A key of the catalog itself.
    case key(String)
    /// With gaps of its own.
    indirect case sentence(Sentence)
  }

  public let key: String
  public let arguments: [Argument]

  public init(_ key: String, _ arguments: [Argument] = []) {
    self.key = key
    self.arguments = arguments
  }

  public init(_ key: String, _ name: String) { self.init(key, [.verbatim(name)]) }

  public init(stringLiteral value: String) { self.init(value) }

  /// `translation` answers the catalog's text for a key.
  public func text(_ translation: (String) -> String) -> String {
    let words = arguments.map { argument in
      switch argument {
      case .verbatim(let text): text
      case .key(let key): translation(key)
      case .sentence(let sentence): sentence.text(translation)
      }
    }
    var result = ""
    var rest = translation(key)[...]
    var next = 0
    while let percent = rest.firstIndex(of: "%") {
      result += rest[..<percent]
      rest = rest[percent...]
      if rest.hasPrefix("%@") {
        result += words.indices.contains(next) ? words[next] : ""
        next += 1
        rest = rest.dropFirst(2)
      } else if let place = (1...9).first(where: { rest.hasPrefix("%\($0)$@") }) {
        result += words.indices.contains(place - 1) ? words[place - 1] : ""
        rest = rest.dropFirst(4)
      } else {
        result += "%"
        rest = rest.dropFirst()
      }
    }
    return result + rest
  }
}

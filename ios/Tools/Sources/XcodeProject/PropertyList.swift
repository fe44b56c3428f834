/// A value of an OpenStep property list, the form of a project's file.
public indirect enum PropertyList: Equatable, Sendable {
  case text(String)
  case list([PropertyList])
  /// In the order in which they are written.
  case table([(key: String, value: PropertyList)])

  public static func == (left: PropertyList, right: PropertyList) -> Bool {
    switch (left, right) {
    case (.text(let a), .text(let b)): a == b
    case (.list(let a), .list(let b)): a == b
    case (.table(let a), .table(let b)):
      a.count == b.count && zip(a, b).allSatisfy { $0.key == $1.key && $0.value == $1.value }
    default: false
    }
  }
}

extension PropertyList: ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  public init(stringLiteral value: String) { self = .text(value) }
  public init(arrayLiteral elements: PropertyList...) { self = .list(elements) }
  public init(dictionaryLiteral elements: (String, PropertyList)...) {
    self = .table(elements.map { (key: $0.0, value: $0.1) })
  }
}

extension PropertyList {
  /// As Xcode writes it: tabs, a semicolon behind each value, quotes where a word needs them.
  public func written(depth: Int = 0) -> String {
    let tabs = String(repeating: "\t", count: depth)
    switch self {
    case .text(let text): return Self.quoted(text)
    case .list(let values):
      return "(\n" + values.map { "\(tabs)\t\($0.written(depth: depth + 1)),\n" }.joined() + tabs + ")"
    case .table(let rows):
      return "{\n"
        + rows.map { "\(tabs)\t\(Self.quoted($0.key)) = \($0.value.written(depth: depth + 1));\n" }.joined()
        + tabs
        + "}"
    }
  }

  static func quoted(_ text: String) -> String {
    let plain = text.utf8.allSatisfy { byte in
      (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte) || byte == 95
        || byte == 46
        || byte == 47
    }
    if plain, !text.isEmpty, !text.utf8.elementsEqual("//".utf8) { return text }
    var quoted = "\""
    for character in text {
      switch character {
      case "\\": quoted += "\\\\"
      case "\"": quoted += "\\\""
      case "\n": quoted += "\\n"
      default: quoted.append(character)
      }
    }
    return quoted + "\""
  }
}

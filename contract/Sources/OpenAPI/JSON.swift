/// JSON as a value. Objects keep the order of their names, so that the same document is the same bytes each
/// time.
public enum JSON: Sendable, Equatable {
  case null
  case bool(Bool)
  case integer(Int64)
  /// A number that is no integer of 64 bits.
  case decimal(Double)
  case string(String)
  case array([JSON])
  case object([Member])

  public struct Member: Sendable, Equatable {
    public let name: String
    /// As the wire spells it (`WireName`): by this it is found.
    let wireName: String
    public let value: JSON

    public init(_ name: String, _ value: JSON) {
      self.name = name
      wireName = WireName.snake(name)
      self.value = value
    }
  }

  /// The first member of this name; nil if there is none, or if this is no object.
  public subscript(name: String) -> JSON? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name == name }?.value
  }

  public var text: String {
    var out = ""
    write(into: &out)
    return out
  }

  private func write(into out: inout String) {
    switch self {
    case .null: out += "null"
    case .bool(let value): out += value ? "true" : "false"
    case .integer(let value): out += String(value)
    case .decimal(let value): out += String(value)
    case .string(let text): Self.write(text, into: &out)
    case .array(let items):
      out += "["
      for (place, item) in items.enumerated() {
        if place > 0 { out += "," }
        item.write(into: &out)
      }
      out += "]"
    case .object(let members):
      out += "{"
      for (place, member) in members.enumerated() {
        if place > 0 { out += "," }
        Self.write(member.name, into: &out)
        out += ":"
        member.value.write(into: &out)
      }
      out += "}"
    }
  }

  private static func write(_ text: String, into out: inout String) {
    let hex = Array("0123456789abcdef")
    out += "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": out += "\\\""
      case "\\": out += "\\\\"
      case "\n": out += "\\n"
      case "\0"..<" ": out += "\\u00\(hex[Int(scalar.value >> 4)])\(hex[Int(scalar.value & 15)])"
      default: out.unicodeScalars.append(scalar)
      }
    }
    out += "\""
  }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  public init(stringLiteral value: String) { self = .string(value) }
  public init(integerLiteral value: Int64) { self = .integer(value) }
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  public init(arrayLiteral elements: JSON...) { self = .array(elements) }
  public init(dictionaryLiteral elements: (String, JSON)...) {
    self = .object(elements.map { Member($0, $1) })
  }
}

extension JSON {
  static func strings(_ texts: some Sequence<String>) -> JSON { .array(texts.map(JSON.string)) }

  /// The object with one more member at its end.
  func with(_ name: String, _ value: JSON?) -> JSON {
    guard let value, case .object(let members) = self else { return self }
    return .object(members + [Member(name, value)])
  }
}

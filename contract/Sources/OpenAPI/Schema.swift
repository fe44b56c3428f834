public import Contract

/// What a value of the wire looks like. Read off the `Codable` types themselves (`SchemaReader`), so it
/// cannot disagree with what they take; only what no type says, as limits, is written down beside (`Note`).
public indirect enum Schema: Sendable, Equatable {
  case string
  /// A date and time of RFC 3339.
  case instant
  case integer
  case number
  case boolean
  case choice(name: String, of: [String])
  case list(Schema, Note)
  /// An object with names that are not known in advance.
  case map(Schema)
  case object(Shape)

  /// An object of the contract.
  public struct Shape: Sendable, Equatable {
    public let name: String
    public var properties: [Property]
    public var needs: [Need] = []
  }

  /// A property that has to be there if another one has one of these values.
  public struct Need: Sendable, Equatable {
    public let name: String
    public let other: String
    public let values: [String]

    init(_ name: String, if other: String, isOneOf values: String...) {
      self.name = name
      self.other = other
      self.values = values
    }
  }

  public struct Property: Sendable, Equatable {
    public let name: String
    public let schema: Schema
    public let isRequired: Bool
    public let note: Note
  }
}

/// Where a value breaks its schema.
public struct Violation: Error, Sendable, Equatable {
  /// As in `details.tags[0]`; nil for the whole body.
  public let field: String?
  /// A sentence for a person.
  public let message: String
  public let code: ErrorCode
}

extension Schema {
  /// The first thing that is wrong with a value, if anything is. `name`: what the value is called; nil: it is
  /// the body.
  public func violation(in value: JSON, named name: String? = nil, _ note: Note = Note()) -> Violation? {
    var path = FieldPath(name)
    return violation(in: value, at: &path, note)
  }

  fileprivate func violation(in value: JSON, at path: inout FieldPath, _ note: Note) -> Violation? {
    switch (self, value) {
    case (.string, .string(let text)): return note.violation(in: text, at: path)
    case (.instant, .string): return nil  // Decoding it tells.
    case (.integer, .integer(let number)): return note.violation(in: number, at: path)
    case (.number, .integer(let number)): return note.violation(in: Double(number), at: path)
    case (.number, .decimal(let number)): return note.violation(in: number, at: path)
    case (.boolean, .bool): return nil
    case (.choice(_, let choices), .string(let text)) where choices.contains(text): return nil
    case (.list(let item, let itemNote), .array(let items)):
      if let wrong = note.violation(inCount: items.count, at: path) { return wrong }
      for (place, value) in items.enumerated() {
        path.enter(place)
        if let wrong = item.violation(in: value, at: &path, itemNote) { return wrong }
        path.leave()
      }
      return nil
    case (.map(let item), .object(let members)):
      for member in members {
        path.enter(member.name)
        if let wrong = item.violation(in: member.value, at: &path, Note()) { return wrong }
        path.leave()
      }
      return nil
    case (.object(let shape), .object(let members)): return shape.violation(in: members, at: &path)
    default:
      return Violation(
        field: path.text, message: "\(path.text ?? "The body") must be \(words(note)).", code: .requestRefused
      )
    }
  }

  /// Such as "a string".
  fileprivate func words(_ note: Note) -> String {
    switch self {
    case .string: return note.spelling.map { "text of \($0.words)" } ?? "a string"
    case .instant: return "a date and time such as 2026-01-31T12:00:00Z"
    case .integer:
      return note.range.map { "an integer from \($0.lowerBound) to \($0.upperBound)" } ?? "an integer"
    case .number:
      return note.range.map { "a number from \($0.lowerBound) to \($0.upperBound)" } ?? "a number"
    case .boolean: return "true or false"
    case .choice(_, let choices): return "one of \(choices.joined(separator: ", "))"
    case .list: return "a list"
    case .map: return "an object"
    case .object(let shape):
      let names = shape.properties.map(\.name).joined(separator: ", ")
      return names.isEmpty ? "an object" : "an object with \(names)"
    }
  }
}

extension Schema.Shape {
  fileprivate func violation(in members: [JSON.Member], at path: inout FieldPath) -> Violation? {
    func given(_ name: String) -> JSON? { members.first { $0.wireName == name }?.value }
    for property in properties {
      path.enter(property.name)
      switch given(property.name) {
      case nil where property.isRequired:
        let words = property.schema.words(property.note)
        return missing(path, "; it must be \(words).", .requestRefused)
      case nil: break
      case .null? where !property.isRequired: break
      case let value?:
        if let wrong = property.schema.violation(in: value, at: &path, property.note) { return wrong }
      }
      path.leave()
    }
    for need in needs where [nil, .null].contains(given(need.name)) {
      guard case .string(let value)? = given(need.other), need.values.contains(value) else { continue }
      path.enter(need.name)
      return missing(path, ", as \(need.other) is \(value).", .invalidParameter)
    }
    return nil
  }

  private func missing(_ path: FieldPath, _ rest: String, _ code: ErrorCode) -> Violation {
    Violation(field: path.text, message: "\(path.text ?? "The body") is missing\(rest)", code: code)
  }
}

/// Text of few kinds of characters, as tokens have it. The pattern and the check are one.
public struct Spelling: Sendable, Equatable {
  /// Ranges as in a bracket expression: `0-9a-f`, a hyphen last.
  let characters: String
  let length: ClosedRange<Int>
  /// By the byte.
  private let isTaken: [Bool]

  public init(_ characters: String, _ length: ClosedRange<Int>) {
    self.characters = characters
    self.length = length
    isTaken = Self.taken(Array(characters.utf8))
  }

  private static func taken(_ characters: [UInt8]) -> [Bool] {
    var isTaken = [Bool](repeating: false, count: 256)
    var place = 0
    while place < characters.count {
      let isRange = place + 2 < characters.count && characters[place + 1] == UInt8(ascii: "-")
      let last = isRange ? characters[place + 2] : characters[place]
      for byte in characters[place]...last { isTaken[Int(byte)] = true }
      place += isRange ? 3 : 1
    }
    return isTaken
  }

  var pattern: String {
    length.lowerBound == length.upperBound
      ? "^[\(characters)]{\(length.lowerBound)}$"
      : "^[\(characters)]{\(length.lowerBound),\(length.upperBound)}$"
  }

  var words: String {
    let many =
      length.lowerBound == length.upperBound
      ? "\(length.lowerBound)" : "\(length.lowerBound) to \(length.upperBound)"
    return "\(many) characters of \(characters)"
  }

  func matches(_ text: String) -> Bool {
    guard length.contains(text.utf8.count) else { return false }
    return text.utf8.allSatisfy { isTaken[Int($0)] }
  }
}

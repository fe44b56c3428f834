// The declarations of `ios/Declarations`, read line by line: each stands on one line, its tag on the line
// above.
import Foundation

/// What a declaration rests on.
public enum Tag: Equatable, Sendable {
  /// Names of Objective-C or C: of a class, an enumeration or a constant, or selectors, the getter's first.
  case objc([String])
  /// A page of Apple's documentation, for what only Swift has.
  case page(String)
}

public struct Declaration: Sendable {
  public enum Kind: String, Sendable {
    case type, initializer, function, property, cases, alias, global
  }

  public var file: String
  public var line: Int
  public var kind: Kind
  /// The Swift name; of cases, all of them.
  public var name: String
  /// The Swift type around it, "AVPlayer.Status".
  public var scope: String
  /// The Objective-C name of the type around it.
  public var owner: String?
  public var tags: [Tag]
  public var text: String
  /// Whether it stands in the extension that gives optional requirements of a protocol their defaults.
  public var isDefault: Bool
  public var isInProtocol: Bool
  public var since: Since
  public var isDeprecated: Bool

  public var objc: [String]? {
    for case .objc(let names) in tags { return names }
    return nil
  }
  public var page: String? {
    for case .page(let page) in tags { return page }
    return nil
  }
  public var isStatic: Bool {
    text.contains(" class func ") || text.contains(" class var ") || text.contains("static ")
  }
  public var isAsync: Bool { text.contains(" async") }
  public var hasSetter: Bool { text.contains(" set }") || text.contains("{ set ") }
  public var isFailable: Bool { text.contains("init?(") }

  /// "_ item: AVPlayerItem?" and so on.
  public var parameters: [String] {
    guard kind == .function || kind == .initializer,
      let open = text.range(of: "(", range: nameEnd..<text.endIndex)
    else { return [] }
    var depth = 0
    var index = open.lowerBound
    while index < text.endIndex {
      if text[index] == "(" { depth += 1 }
      if text[index] == ")" { depth -= 1 }
      if depth == 0 { break }
      index = text.index(after: index)
    }
    return Canonical.split(text[text.index(after: open.lowerBound)..<index])
  }
  public var labels: [String] { parameters.map { String($0.prefix { $0 != " " && $0 != ":" }) } }
  public var parameterTypes: [String] {
    parameters.map { parameter in
      guard let colon = parameter.range(of: ": ") else { return parameter }
      return String(parameter[colon.upperBound...])
    }
  }
  /// Of a function or a property.
  public var result: String {
    if kind == .property {
      guard let colon = text.range(of: ": ", range: nameEnd..<text.endIndex) else { return "" }
      let rest = text[colon.upperBound...]
      return rest.range(of: " {").map { String(rest[..<$0.lowerBound]) } ?? String(rest)
    }
    guard kind == .function else { return "" }
    var depth = 0
    var index = nameEnd
    while index < text.endIndex {
      if text[index] == "(" { depth += 1 }
      if text[index] == ")" {
        depth -= 1
        if depth == 0 { break }
      }
      index = text.index(after: index)
    }
    guard index < text.endIndex, let arrow = text.range(of: "-> ", range: index..<text.endIndex) else {
      return "void"
    }
    return String(text[arrow.upperBound...])
  }

  var nameEnd: String.Index {
    let word =
      switch kind {
      case .initializer: "init"
      case .function: "func "
      default: "var "
      }
    return text.range(of: word + (kind == .initializer ? "" : name))?.upperBound
      ?? text.range(of: name)?.upperBound ?? text.startIndex
  }
}

/// What is wrong, and where.
public struct Fault: CustomStringConvertible, Sendable {
  public var file: String
  public var line: Int
  public var message: String
  public var description: String { "\(file):\(line): \(message)" }
}

public struct DeclarationFile: Sendable {
  public var declarations: [Declaration] = []
  public var faults: [Fault] = []

  /// What conformances ask for and nobody looks up: it is the same in every type that has it.
  static let spelledOut = [
    "func hash(into hasher: inout Swift.Hasher)", "static func == (", "typealias RawValue = ",
    "init(rawValue: ",
    "init?(rawValue: ", "rawValue: Swift.", "internal var ",
    // A view of SwiftUI's that is drawn by SwiftUI itself.
    "typealias Body = Swift.Never", "var body: Swift.Never {",
  ]

  public init(name: String, text: String) {
    struct Scope {
      var name: String
      var owner: String?
      var isProtocol: Bool
      var isDefaults: Bool
    }
    var scopes: [Scope] = []
    var tags: [Tag] = []
    var defaults = false
    for (index, raw) in text.components(separatedBy: "\n").enumerated() {
      let line = raw.trimmingCharacters(in: .whitespaces)
      if line.hasPrefix("/// objc: ") {
        tags.append(.objc(line.dropFirst(10).split(separator: " ").map { String($0) }))
        continue
      }
      if line.hasPrefix("/// doc: ") {
        tags.append(.page(String(line.dropFirst(9))))
        continue
      }
      if line == "/// optional" {
        defaults = true
        continue
      }
      if line.isEmpty || line.hasPrefix("//") || line.contains("import ") && !line.contains("(") { continue }
      if line == "}" {
        if scopes.isEmpty { faults.append(Fault(file: name, line: index + 1, message: "} closes nothing")) }
        _ = scopes.popLast()
        continue
      }
      let around = scopes.last
      var declaration = Declaration(
        file: name, line: index + 1, kind: .global, name: "", scope: around?.name ?? "", owner: around?.owner,
        tags: tags, text: line, isDefault: around?.isDefaults ?? false,
        isInProtocol: around?.isProtocol ?? false,
        since: DeclarationFile.since(line), isDeprecated: line.contains("deprecated: "))
      tags = []
      let bare = DeclarationFile.withoutAttributes(line)
      var opens = bare.hasSuffix("{") || bare.hasSuffix("{ }")
      if let (word, type) = DeclarationFile.head(bare), opens {
        declaration.kind = .type
        declaration.name = type
        let isExtension = word == "extension"
        let full = isExtension || around == nil ? type : around!.name + "." + type
        declaration.scope = full
        declaration.owner = declaration.objc?.first
        if bare.hasSuffix("{") {
          scopes.append(
            Scope(name: full, owner: declaration.owner, isProtocol: word == "protocol", isDefaults: defaults))
        }
        // An extension with its defaults, and one of a type that is not Objective-C's, says nothing by
        // itself.
        if !(isExtension && (defaults || declaration.tags.isEmpty)) { declarations.append(declaration) }
        defaults = false
        continue
      }
      opens = false
      declaration.text = bare
      let words = bare.split(separator: " ")
      if bare.hasPrefix("case ") {
        declaration.kind = .cases
        declaration.name = String(bare.dropFirst(5))
      } else if bare.contains("typealias ") || bare.contains("associatedtype ") {
        declaration.kind = .alias
        declaration.name =
          words.first { $0 != "public" && $0 != "typealias" && $0 != "associatedtype" }
          .map { String($0) } ?? ""
      } else if bare.contains("subscript") {
        declaration.kind = .function
        declaration.name = "subscript"
      } else if let range = bare.range(of: "func ") {
        declaration.kind = .function
        declaration.name = String(bare[range.upperBound...].prefix { $0 != "(" && $0 != "<" && $0 != " " })
      } else if bare.range(of: #"\binit\??(<[^(]*>)?\("#, options: .regularExpression) != nil {
        declaration.kind = .initializer
        declaration.name = "init"
      } else if let range = bare.range(of: #"\b(var|let) "#, options: .regularExpression) {
        declaration.kind = .property
        declaration.name = String(bare[range.upperBound...].prefix { $0 != ":" })
      } else {
        faults.append(Fault(file: name, line: index + 1, message: "not understood: \(bare)"))
        continue
      }
      if declaration.tags.isEmpty, DeclarationFile.spelledOut.contains(where: { bare.contains($0) }) {
        continue
      }
      declarations.append(declaration)
    }
    if !scopes.isEmpty { faults.append(Fault(file: name, line: 0, message: "a type is not closed")) }
  }

  static func head(_ text: String) -> (word: String, name: String)? {
    guard
      let found = text.range(
        of: #"\b(class|struct|enum|protocol|extension|actor) [A-Za-z_.]+"#, options: .regularExpression),
      !text.contains(" func "), !text.contains(" var ")
    else { return nil }
    let words = text[found].split(separator: " ")
    var name = String(words[1])
    for module in ["Foundation.", "Swift.", "CoreMedia."] where name.hasPrefix(module) {
      name = String(name.dropFirst(module.count))
    }
    return (String(words[0]), name)
  }

  /// The line behind its `@available(…)` and other attributes.
  static func withoutAttributes(_ line: String) -> String {
    var rest = Substring(line)
    while rest.hasPrefix("@") {
      var depth = 0
      var index = rest.startIndex
      while index < rest.endIndex, depth > 0 || rest[index] != " " {
        if rest[index] == "(" { depth += 1 }
        if rest[index] == ")" { depth -= 1 }
        index = rest.index(after: index)
      }
      rest = rest[index...].drop { $0 == " " }
    }
    return String(rest)
  }

  static func since(_ line: String) -> Since {
    guard let found = line.range(of: #"@available\(iOS (\d+\.\d+)"#, options: .regularExpression) else {
      return Since()
    }
    return Since(text: line[found].dropFirst("@available(iOS ".count))
  }
}

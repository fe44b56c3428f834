// Reads objc2-generated: Rust that a translator made of the headers of an SDK, one framework a folder.
import Declared
import Foundation

struct Translated {
  var facts = Facts()
  /// The protocols of each class.
  var conformances: [String: [String]] = [:]

  private var owner: String?
  private var isOptional = false
  private var isDeprecated = false
  private var selector: String?
  private var signature = ""
  private var alias: String?
  private var category: String?
  /// The attributes of a class that is being declared.
  private var head: String?

  mutating func read(_ text: String) {
    (owner, selector, signature, head, category) = (nil, nil, "", nil, nil)
    for raw in text.split(separator: "\n") {
      let line = raw.trimmingCharacters(in: .whitespaces)
      if line.hasPrefix("///") {
        if let of = line.range(of: "\" on [`"), line.contains("Category") {
          category = String(line[of.upperBound...].prefix { $0 != "`" })
        }
        continue
      }
      if selector != nil, !signature.isEmpty || line.contains("fn ") {
        signature += line + " "
        if line.hasSuffix(";") { finish() }
        continue
      }
      read(line: line, isOutermost: !raw.hasPrefix(" "))
    }
  }

  private mutating func read(line: String, isOutermost: Bool) {
    if line.hasPrefix("extern_class!(") {
      head = ""
      return
    }
    if let attributes = head {
      guard let name = word(after: "pub struct ", in: line) else {
        head = attributes + line
        return
      }
      let above = attributes.range(of: "unsafe(super(").map {
        attributes[$0.upperBound...].prefix { $0 != "," && $0 != ")" && $0 != "<" }
      }
      facts.classes[name] = ClassFact(
        name: name, superclass: above.map { String($0) } ?? "-",
        isMain: attributes.contains("MainThreadOnly"),
        isProtocol: false, since: Since(), origins: .objc2)
      head = nil
    } else if line.hasPrefix("#[unsafe(method(") {
      // A method that throws has "_" for the pointer to the error.
      let name = line.dropFirst(16).prefix { $0 != ")" }
      selector = String(name.hasSuffix(":_") ? name.dropLast() : name)
    } else if line == "#[optional]" {
      isOptional = true
    } else if line.hasPrefix("#[deprecated") {
      isDeprecated = true
    } else if line.hasPrefix("#[doc(alias = \"") {
      alias = line.dropFirst(15).prefix { $0 != "\"" }.description
    } else if let name = word(after: "pub unsafe trait ", in: line) {
      owner = category ?? name
      category = nil
      // What was said of a type or a value above it is not of its first method.
      isDeprecated = false
      if owner == name {
        facts.classes[name] = ClassFact(
          name: name, superclass: "-", isMain: line.contains("MainThreadOnly"), isProtocol: true,
          since: Since(),
          origins: .objc2)
      }
    } else if line.contains("MainThreadOnly"), let owner, facts.classes[owner]?.isProtocol == true,
      line.hasSuffix("{") || line.hasPrefix("NSObjectProtocol + ")
    {
      facts.classes[owner]?.isMain = true
    } else if line.hasPrefix("unsafe impl "), line.hasSuffix("{}"), let name = word(after: "for ", in: line) {
      conformances[name, default: []].append(line.dropFirst(12).prefix { $0 != " " }.description)
    } else if line.hasPrefix("impl"), line.hasSuffix("{") {
      let rest = line.hasPrefix("impl<") ? line.drop { $0 != ">" }.dropFirst(2) : line.dropFirst(5)
      owner = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }.description
      isDeprecated = false
    } else if line.hasPrefix("pub const ") || line.hasPrefix("const "), let alias, let owner,
      let value = line.range(of: " = ")
    {
      let number = line[value.upperBound...].trimmingCharacters(in: CharacterSet(charactersIn: ";"))
        .replacingOccurrences(of: "Self(", with: "").replacingOccurrences(of: ")", with: "")
      facts.values[owner, default: []].append((alias, number))
      self.alias = nil
    } else if let name = word(after: "pub static ", in: line) ?? word(after: "pub const ", in: line) {
      facts.constants[name] = "constant"
    } else if let name = word(after: "pub type ", in: line) {
      facts.constants[name] = "type"
    } else if let name = word(after: "fn ", in: line) {
      facts.constants[name] = "function"
    } else if let name = word(after: "pub struct ", in: line) {
      facts.constants[name] = "struct"
    } else if isOutermost, line == "}" || line == ");" {
      owner = nil
    }
  }

  private mutating func finish() {
    defer { (selector, signature, isOptional, isDeprecated) = (nil, "", false, false) }
    guard let selector, let owner, let open = signature.firstIndex(of: "(") else { return }
    var depth = 0
    var close = open
    for index in signature[open...].indices {
      if signature[index] == "(" { depth += 1 }
      if signature[index] == ")" { depth -= 1 }
      close = index
      if depth == 0 { break }
    }
    var parameters = Canonical.split(signature[signature.index(after: open)..<close])
      .filter { !$0.hasPrefix("mtm: ") }
    let isInstance =
      parameters.first.map { $0 == "&self" || $0 == "&mut self" || $0.hasPrefix("this: ") } ?? false
    if isInstance { parameters.removeFirst() }
    var result = ""
    if let arrow = signature.range(of: "->", range: close..<signature.endIndex) {
      result = signature[arrow.upperBound...].trimmingCharacters(in: CharacterSet(charactersIn: "; "))
    }
    facts.methods[Facts.key(owner, selector)] = MethodFact(
      owner: owner, selector: selector, isStatic: !isInstance,
      parameters: parameters.map { type(of: $0) },
      result: Canonical.rust(result), isDeprecated: isDeprecated, isOptional: isOptional, since: Since(),
      origins: .objc2)
  }

  /// The method of the class, of one above it, or of a protocol that one of them keeps.
  func method(_ owner: String, _ selector: String) -> MethodFact? {
    if let found = facts.method(owner, selector) { return found }
    var name = owner
    while true {
      for kept in conformances[name] ?? [] {
        if var found = facts.methods[Facts.key(kept, selector)] {
          found.owner = owner
          return found
        }
      }
      guard let up = facts.classes[name]?.superclass, up != "-" else { return nil }
      name = up
    }
  }

  private func type(of parameter: String) -> String {
    guard let colon = parameter.range(of: ": ") else { return Canonical.rust(parameter) }
    return Canonical.rust(parameter[colon.upperBound...])
  }

  private func word(after start: String, in line: String) -> String? {
    guard let found = line.range(of: start) else { return nil }
    let before = line[..<found.lowerBound]
    guard before.isEmpty || before.hasSuffix(" ") else { return nil }
    let name = line[found.upperBound...].prefix { $0.isLetter || $0.isNumber || $0 == "_" }
    return name.isEmpty ? nil : String(name)
  }
}

// Holds declarations to the facts, and counts what each rests on.
import Foundation

public struct Comparison: Sendable {
  public var faults: [Fault] = []
  /// Both sources know the selector, and kind, number and types of arguments, nullability, setter and
  /// first version agree.
  public var strong = 0
  /// One source knows it, or only the name could be compared.
  public var weak = 0
  /// Only the page says it.
  public var pages = 0

  private let facts: Facts
  private let names: [String: String]

  public init(_ declarations: [Declaration], facts: Facts) {
    self.facts = facts
    var names: [String: String] = [:]
    for declaration in declarations where declaration.kind == .type {
      guard let objc = declaration.objc?.first else { continue }
      names[declaration.scope] = objc
      // Inside a type its own types are named without it.
      if let short = declaration.scope.split(separator: ".").last {
        names[String(short), default: objc] = objc
      }
    }
    for name in ["Status", "Name", "Event", "Configuration", "State"] { names[name] = nil }
    self.names = names
    for declaration in declarations where !declaration.isDefault { check(declaration) }
    checkProtocols(declarations)
  }

  private mutating func fault(_ declaration: Declaration, _ message: String) {
    faults.append(
      Fault(
        file: declaration.file, line: declaration.line,
        message: "\(declaration.scope) \(declaration.name): \(message)"))
  }

  private mutating func check(_ declaration: Declaration) {
    guard !declaration.tags.isEmpty else { return fault(declaration, "no tag: /// objc: … or /// doc: …") }
    guard let objc = declaration.objc else {
      let page = declaration.page ?? ""
      if page.range(of: #"^[a-z]+(/[^/ ]+)+$"#, options: .regularExpression) == nil {
        fault(declaration, "a page is framework/symbol/…, not \(page)")
      }
      pages += 1
      return
    }
    switch declaration.kind {
    case .type: checkType(declaration, objc[0])
    case .cases: checkCases(declaration, objc)
    case .alias, .global: checkConstant(declaration, objc[0])
    case .initializer, .function, .property:
      if declaration.owner == nil || isConstant(declaration, objc) {
        checkConstant(declaration, objc[0])
      } else {
        checkMember(declaration, objc)
      }
    }
  }

  /// A notification's name, a category, a value of a set of options: a constant of C made a member by Swift.
  private func isConstant(_ declaration: Declaration, _ objc: [String]) -> Bool {
    declaration.kind == .property && (facts.constants[objc[0]] != nil || value(objc[0]) != nil)
  }

  private func value(_ name: String) -> String? {
    for list in facts.values.values {
      if let found = list.first(where: { $0.name == name }) { return found.value }
    }
    return nil
  }

  private mutating func checkType(_ declaration: Declaration, _ name: String) {
    if let known = facts.classes[name] {
      let saysMain = declaration.text.contains("MainActor")
      if !declaration.text.contains("extension ") {
        if saysMain != facts.isMain(name) {
          fault(declaration, saysMain ? "is not for the main thread alone" : "is for the main thread alone")
        }
        if !known.isProtocol, known.superclass != "-", !declaration.text.contains(": \(known.superclass)"),
          !declaration.text.contains(".\(known.superclass)")
        {
          fault(declaration, "its superclass is \(known.superclass)")
        }
      }
      if known.since > declaration.since, known.since > Since(18, 0) {
        fault(declaration, "there since iOS \(known.since.text)")
      }
      if known.origins == [.objc2, .macios] { strong += 1 } else { weak += 1 }
    } else if facts.values[name] != nil || facts.constants[name] != nil {
      weak += 1
    } else {
      fault(declaration, "no such class, protocol or enumeration: \(name)")
    }
  }

  /// Cases carry the names of C, in the order of the line: so each has its value.
  private mutating func checkCases(_ declaration: Declaration, _ objc: [String]) {
    let cases = Canonical.split(declaration.name).map { $0.replacingOccurrences(of: "`", with: "") }
    guard cases.count == objc.count else {
      return fault(declaration, "\(cases.count) cases, \(objc.count) names")
    }
    guard let owner = declaration.owner, let list = facts.values[owner] else {
      return fault(declaration, "the enumeration is not known")
    }
    var implied = 0
    for (text, name) in zip(cases, objc) {
      let parts = text.components(separatedBy: " = ")
      if parts.count > 1 { implied = Int(parts[1]) ?? 0 }
      guard let known = list.first(where: { $0.name == name }) else {
        fault(declaration, "\(owner) has no \(name)")
        continue
      }
      if !name.lowercased().hasSuffix(parts[0].lowercased()) {
        fault(declaration, "\(parts[0]) is not \(name)")
      }
      if let number = Int(known.value), number != implied {
        fault(declaration, "\(name) is \(number), not \(implied)")
      }
      implied += 1
    }
    strong += 1
  }

  private mutating func checkConstant(_ declaration: Declaration, _ name: String) {
    guard facts.constants[name] != nil || value(name) != nil else {
      return fault(declaration, "no such constant or function: \(name)")
    }
    weak += 1
  }

  private mutating func checkMember(_ declaration: Declaration, _ selectors: [String]) {
    guard let owner = declaration.owner else { return }
    let before = faults.count
    var origins: Origins = [.objc2, .macios]
    for (index, selector) in selectors.enumerated() {
      guard let known = facts.method(owner, selector) else {
        fault(declaration, "no selector \(selector) in \(owner) or above")
        continue
      }
      origins.formIntersection(known.origins)
      // NB: the translator does not say on which system; a page tells those that only another system gives
      // up.
      if known.isDeprecated, !declaration.isDeprecated, declaration.page == nil {
        fault(declaration, "\(selector) is deprecated")
      }
      if known.since > declaration.since, known.since > Since(18, 0) {
        fault(declaration, "\(selector): there since iOS \(known.since.text)")
      }
      if index == 0, known.origins.contains(.objc2) { compare(declaration, known) }
      if index == 1, !selector.hasPrefix("set") { fault(declaration, "\(selector) is no setter") }
    }
    if declaration.kind == .property, declaration.hasSetter != (selectors.count == 2) {
      fault(declaration, "a property that can be set names its setter, and no other does")
    }
    guard faults.count == before else { return }
    // What the older source does not have rests on its page too: nobody else says since when it is there.
    if origins == [.objc2, .macios] {
      strong += 1
    } else if declaration.since > Since(18, 0), declaration.page == nil {
      fault(declaration, "only one source knows \(selectors[0]): it needs its page as well")
    } else {
      weak += 1
    }
  }

  private mutating func compare(_ declaration: Declaration, _ known: MethodFact) {
    let isFactory = declaration.kind == .initializer && known.isStatic
    if declaration.kind != .initializer, known.isStatic != declaration.isStatic {
      fault(declaration, known.isStatic ? "belongs to the class" : "belongs to an instance")
    }
    var parameters = known.parameters
    if declaration.isAsync {
      guard parameters.popLast()?.contains("block") == true else {
        return fault(declaration, "has no completion that could be awaited")
      }
    }
    let types = declaration.parameterTypes.map { Canonical.swift($0, names: names) }
    guard parameters.count == types.count else {
      return fault(declaration, "\(parameters.count) arguments expected, \(types.count) declared")
    }
    for (index, (wanted, declared)) in zip(parameters, types).enumerated()
    where !Canonical.same(wanted, declared) {
      fault(declaration, "argument \(index + 1) is \(wanted), not \(declared)")
    }
    if let word = ([declaration.kind == .initializer ? "" : declaration.name] + declaration.labels)
      .first(where: { $0 != "_" && !isPart($0, of: known.selector) })
    {
      fault(declaration, "\"\(word)\" is not in the selector \(known.selector)")
    }
    if declaration.kind == .initializer {
      if known.result.hasSuffix("?") != declaration.isFailable, !isFactory || declaration.isFailable {
        fault(declaration, known.result.hasSuffix("?") ? "may be nil" : "is never nil")
      }
    } else if !declaration.isAsync {
      var result = known.result
      if result.hasPrefix("throws ") {
        if !declaration.text.contains(" throws") { fault(declaration, "throws") }
        result = String(result.dropFirst(7))
      }
      let declared = Canonical.swift(declaration.result, names: names)
      if !Canonical.same(result, declared) { fault(declaration, "is \(result), not \(declared)") }
    }
  }

  /// Whether the letters of a Swift name come in this order in the selector.
  private func isPart(_ word: String, of selector: String) -> Bool {
    var letters = word.lowercased()[...]
    for letter in selector.lowercased() where letter == letters.first { letters = letters.dropFirst() }
    return letters.isEmpty
  }

  /// What a protocol demands is declared; what it leaves open has a default, and nothing else has.
  private mutating func checkProtocols(_ declarations: [Declaration]) {
    let defaults = Set(
      declarations.filter(\.isDefault).map { "\($0.scope) \(DeclarationFile.signature($0.text))" })
    var declared: [String: Set<String>] = [:]
    for requirement in declarations where requirement.isInProtocol {
      guard let owner = requirement.owner, let selector = requirement.objc?.first,
        let known = facts.method(owner, selector)
      else { continue }
      declared[owner, default: []].insert(selector)
      let hasDefault = defaults.contains(
        "\(requirement.scope) \(DeclarationFile.signature(requirement.text))")
      if known.isOptional != hasDefault {
        fault(
          requirement, known.isOptional ? "is optional: it needs a default" : "is required: it has no default"
        )
      }
    }
    for declaration in declarations where declaration.kind == .type && declaration.text.contains("protocol ")
    {
      guard let owner = declaration.objc?.first else { continue }
      for method in facts.methods.values.filter({ $0.owner == owner && !$0.isOptional })
        .map(\.selector).sorted() where !declared[owner, default: []].contains(method)
      {
        fault(declaration, "requires \(method)")
      }
    }
  }
}

extension DeclarationFile {
  /// Of a requirement and of its default: the same but for words of access.
  static func signature(_ text: String) -> String {
    text.replacingOccurrences(of: "public ", with: "")
  }
}

// Reads dotnet/macios: definitions of bindings, written by hand, that say since which iOS a thing is there.
import Declared
import Foundation

struct Bound {
  var classes: [String: Since] = [:]
  /// By class and selector.
  var selectors: [String: Since] = [:]
  var inherited: [String: [String]] = [:]

  mutating func read(_ text: String) {
    var current: String?
    var attributes = ""
    var pending = ""
    for line in text.components(separatedBy: "\n") {
      if line.hasPrefix("#") { continue }
      let bare = line.trimmingCharacters(in: .whitespaces)
      if current == nil {
        if line.hasPrefix("\t[") { attributes += bare }
        if line.hasPrefix("\t"), let range = bare.range(of: "interface "), !bare.hasPrefix("//"),
          !line.hasPrefix("\t\t")
        {
          let name = bare[range.upperBound...].prefix { $0.isLetter || $0.isNumber || $0 == "_" }.description
          var real = name
          if let given = attributes.range(of: "Name = \"") {
            real = attributes[given.upperBound...].prefix { $0 != "\"" }.description
          }
          // A category is written as an interface of its own, over the class that it extends.
          if attributes.contains("[Category"), let base = attributes.range(of: "BaseType (typeof (") {
            real = attributes[base.upperBound...].prefix { $0 != ")" }.description
          }
          if !attributes.contains("[Category") { classes[real] = since(attributes) }
          if let colon = bare.range(of: " : ") {
            inherited[real, default: []] += bare[colon.upperBound...].split(separator: ",")
              .map { $0.trimmingCharacters(in: CharacterSet(charactersIn: " {")) }
          }
          current = bare.hasSuffix("}") ? nil : real
          pending = ""
        }
        if !line.hasPrefix("\t[") { attributes = "" }
        continue
      }
      if line.hasPrefix("\t}") {
        current = nil
        continue
      }
      if bare.hasPrefix("//") { continue }
      pending += bare + " "
      let code = bare.range(of: " // ").map { String(bare[..<$0.lowerBound]) } ?? bare
      if code.hasSuffix(";") || code.hasSuffix("}") || bare.isEmpty {
        if let owner = current { take(pending, owner: owner) }
        pending = ""
      }
    }
  }

  private mutating func take(_ text: String, owner: String) {
    guard let export = text.range(of: "Export (\"") else { return }
    let name = text[export.upperBound...].prefix { $0 != "\"" }.description
    let since = since(text)
    selectors[Facts.key(owner, name)] = since
    // The getter may have another name: isMuted of muted.
    if let bind = text.range(of: "Bind (\"") {
      selectors[Facts.key(owner, text[bind.upperBound...].prefix { $0 != "\"" }.description)] = since
    }
    if text.contains("set;"), let first = name.first {
      selectors[Facts.key(owner, "set" + first.uppercased() + name.dropFirst() + ":")] = since
    }
  }

  private func since(_ text: String) -> Since {
    guard let found = text.range(of: #"\biOS \(\d+, \d+\)"#, options: .regularExpression) else {
      return Since()
    }
    let numbers = text[found].dropFirst(5).dropLast().split(separator: ",").compactMap {
      Int($0.trimmingCharacters(in: .whitespaces))
    }
    return Since(numbers[0], numbers[1])
  }

  /// The selector in the class itself or in a protocol whose members the binding puts there.
  func since(_ owner: String, _ selector: String) -> Since? {
    if let found = selectors[Facts.key(owner, selector)] { return found }
    for name in inherited[owner] ?? [] {
      if let found = selectors[Facts.key(name, selector)] { return found }
    }
    return nil
  }
}

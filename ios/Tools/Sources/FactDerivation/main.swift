// Arguments: the folder of declarations, that of objc2-generated, that of macios' definitions, and the head
// of the table. Prints the facts that the tags ask for, and no more.
import Declared
import Foundation

let arguments = CommandLine.arguments
let files = FileManager.default
var declarations: [Declaration] = []
for name in try files.contentsOfDirectory(atPath: arguments[1]).sorted()
where name.hasSuffix(".swiftinterface") {
  let text = try String(contentsOfFile: arguments[1] + "/" + name, encoding: .utf8)
  declarations += DeclarationFile(name: name, text: text).declarations
}
var known = Translated()
for framework in try files.contentsOfDirectory(atPath: arguments[2]).sorted() {
  let folder = arguments[2] + "/" + framework
  for name in (try? files.contentsOfDirectory(atPath: folder))?.sorted() ?? [] where name.hasSuffix(".rs") {
    known.read(try String(contentsOfFile: folder + "/" + name, encoding: .utf8))
  }
}
var bound = Bound()
for name in try files.contentsOfDirectory(atPath: arguments[3]).sorted() where name.hasSuffix(".cs") {
  bound.read(try String(contentsOfFile: arguments[3] + "/" + name, encoding: .utf8))
}

var facts = Facts()
@MainActor func takeClass(_ name: String) {
  guard facts.classes[name] == nil, var found = known.facts.classes[name] else { return }
  if let since = bound.classes[name] {
    found.since = since
    found.origins.insert(.macios)
  }
  facts.classes[name] = found
  takeClass(found.superclass)
}
@MainActor func take(_ method: MethodFact) {
  var method = method
  if let since = bound.since(method.owner, method.selector) {
    method.since = since
    method.origins.insert(.macios)
  }
  facts.methods[Facts.key(method.owner, method.selector)] = method
}
for declaration in declarations {
  guard let objc = declaration.objc else { continue }
  for name in objc {
    if declaration.kind == .type {
      takeClass(name)
      if known.facts.classes[name]?.isProtocol == true {
        known.facts.methods.values.filter { $0.owner == name && !$0.isOptional }.forEach(take)
      }
      if facts.classes[name] == nil, let values = known.facts.values[name] {
        // Of an enumeration all its values; of a set of options those that are declared come below.
        facts.values[name] = values
      } else if facts.classes[name] == nil, let constant = known.facts.constants[name] {
        facts.constants[name] = constant
      }
    } else if let owner = declaration.owner, let method = known.method(owner, name) {
      takeClass(method.owner)
      take(method)
    } else if let constant = known.facts.constants[name] {
      facts.constants[name] = constant
    } else if let list = known.facts.values.first(where: { $0.value.contains { $0.name == name } }) {
      facts.values[list.key] = list.value
    }
  }
}
// Values that no declaration names only make the table long.
let named = Set(declarations.flatMap { $0.objc ?? [] })
for (owner, list) in facts.values { facts.values[owner] = list.filter { named.contains($0.name) } }
print(try String(contentsOfFile: arguments[4], encoding: .utf8), terminator: "")
print(facts.text, terminator: "")

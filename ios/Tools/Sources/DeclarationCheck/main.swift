// Arguments: the folder of declarations. Fails where a declaration has no tag, or another source says
// otherwise.
import Declared
import Foundation

let folder = CommandLine.arguments.dropFirst().first ?? "ios/Declarations"
let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter {
  $0.hasSuffix(".swiftinterface")
}
var declarations: [Declaration] = []
var faults: [Fault] = []
for name in names.sorted() {
  let file = DeclarationFile(
    name: name, text: try String(contentsOfFile: folder + "/" + name, encoding: .utf8))
  declarations += file.declarations
  faults += file.faults
}
let facts = Facts(text: try String(contentsOfFile: folder + "/facts.txt", encoding: .utf8))
let comparison = Comparison(declarations, facts: facts)
faults += comparison.faults
for fault in faults { print(fault) }
let defaults = declarations.count(where: { $0.isDefault })
print(
  """
  \(declarations.count - defaults) declarations in \(names.count) files, \(defaults) defaults of optional requirements; \
  confirmed strongly \(comparison.strong), weakly \(comparison.weak), by their page alone \(comparison.pages); \
  faults \(faults.count)
  """)
exit(faults.isEmpty ? 0 : 1)

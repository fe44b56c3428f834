// Puts each mistake of a list into a copy of the iPhone's files, alone, and looks whether the checks tell it.
// Arguments: the repository, the list, the list of those that are known to get through, and the folder for
// copies. Fails if fewer than 60 were tried or fewer than 90 % were told, and if one gets through that is not
// known, or no longer.
import Foundation

struct Mutant {
  var name: String
  var file: String
  var old: String
  var new: String

  /// "# name", the file, then lines that go ("- ") and lines that come ("+ ").
  static func list(_ text: String) -> [Mutant] {
    text.components(separatedBy: "\n# ").dropFirst().map { block in
      let lines = block.components(separatedBy: "\n")
      func side(_ mark: String) -> String {
        lines.dropFirst(2).filter { $0.hasPrefix(mark) }.map { String($0.dropFirst(2)) }.joined(
          separator: "\n")
      }
      return Mutant(name: lines[0], file: lines[1], old: side("-"), new: side("+"))
    }
  }
}

struct Run {
  let root: URL
  let copy: URL

  /// What the checks say first against the mutant; `nil`: nothing.
  func fault(of mutant: Mutant) throws -> String? {
    let files = FileManager.default
    let path = copy.appending(path: mutant.file)
    let whole = try String(contentsOf: path, encoding: .utf8)
    guard let found = whole.range(of: mutant.old), !mutant.old.isEmpty else {
      return try stop("\(mutant.name): what goes is not in \(mutant.file)")
    }
    try whole.replacingCharacters(in: found, with: mutant.new).write(
      to: path, atomically: true, encoding: .utf8)
    defer {
      try? files.removeItem(at: path)
      try? whole.write(to: path, atomically: true, encoding: .utf8)
    }
    if mutant.file.hasPrefix("Declarations/") {
      return try call(["ios/Tools/.build/debug/DeclarationCheck", copy.path + "/Declarations"])
    }
    if mutant.file.hasSuffix(".swift") {
      return try call(["bash", "scripts/ios-check.sh"]) ?? call(project)
    }
    return try call(project) ?? call(["plutil", "-lint", path.path])
  }

  private var project: [String] { ["ios/Tools/.build/debug/ProjectGeneration", copy.path, "--check"] }

  func call(_ command: [String]) throws -> String? {
    if command[0] == "plutil",
      !["plist", "entitlements", "xcprivacy", "pbxproj"].contains(URL(filePath: command[2]).pathExtension)
    {
      return nil
    }
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = command
    process.currentDirectoryURL = root
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["CLIPFEED_IOS_SOURCES": copy.path, "CLIPFEED_IOS_WORK": copy.path + "/work"]) { $1 }
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus != 0 else { return nil }
    let lines = output.split(separator: "\n").map { String($0) }
    let first = lines.first { $0.contains("error: ") } ?? lines.first ?? "no word"
    return first.range(of: "error: ").map { String(first[$0.upperBound...]) } ?? first
  }

  func stop(_ message: String) throws -> String? {
    print(message)
    exit(2)
  }
}

let arguments = CommandLine.arguments
let mutants = Mutant.list("\n" + (try String(contentsOfFile: arguments[2], encoding: .utf8)))
let known = Set(
  try String(contentsOfFile: arguments[3], encoding: .utf8).split(separator: "\n").filter {
    !$0.hasPrefix("#")
  }
  .map { String($0.prefix { $0 != "|" }).trimmingCharacters(in: .whitespaces) })
let run = Run(root: URL(filePath: arguments[1]), copy: URL(filePath: arguments[4]))
// What the checks say without a mistake would be counted for each.
for command in [
  ["bash", "scripts/ios-check.sh"], ["ios/Tools/.build/debug/ProjectGeneration", arguments[4], "--check"],
] {
  if let fault = try run.call(command) { _ = try run.stop("without any mistake: \(fault)") }
}
var missed: Set<String> = []
for mutant in mutants {
  let fault = try run.fault(of: mutant)
  if fault == nil { missed.insert(mutant.name) }
  print("\(fault == nil ? "MISSED" : "told  ") \(mutant.name): \(fault ?? "-")")
}
let caught = mutants.count - missed.count
print("\(caught) of \(mutants.count) mistakes are told (\(caught * 100 / max(mutants.count, 1)) %)")
var isGood = mutants.count >= 60 && caught * 10 >= mutants.count * 9
for name in missed.subtracting(known).sorted() {
  print("gets through and is not in the list of those: \(name)")
  isGood = false
}
for name in known.subtracting(missed).sorted() {
  print("is told, and in the list of those that get through: \(name)")
  isGood = false
}
exit(isGood ? 0 : 1)

import Foundation
import Mutants

/// A copy of the app's files, in which one mistake at a time is made and looked for.
struct Workplace: Sendable {
  private let root: URL
  private let ios: URL
  private let work: URL

  init(root: URL, folder: URL) throws {
    self.root = root
    ios = folder.appending(path: "ios")
    work = folder.appending(path: "work")
    let files = FileManager.default
    for path in [
      "ios/App", "ios/Declarations", "ios/Clipfeed.xcodeproj", "ios/Kit/Sources", "contract/Sources",
    ] {
      let to = folder.appending(path: path)
      try files.createDirectory(at: to.deletingLastPathComponent(), withIntermediateDirectories: true)
      try files.copyItem(at: root.appending(path: path), to: to)
    }
  }

  /// What the checks say first against the mistake; `nil`: nothing. The quickest come first.
  func fault(of mutant: Mutant) throws -> String? {
    let path = ios.appending(path: mutant.file)
    let whole = try String(contentsOf: path, encoding: .utf8)
    try mutant.applied(to: whole).write(to: path, atomically: false, encoding: .utf8)
    defer { try? whole.write(to: path, atomically: false, encoding: .utf8) }
    if mutant.file.hasPrefix("Declarations/") {
      return try call([tool("DeclarationCheck"), ios.path + "/Declarations"])
    }
    if mutant.file.hasSuffix(".swift") {
      let types = ["bash", "scripts/ios-check.sh"]
      return try call(types, changed: mutant.file, step: "file") ?? projectFault()
        ?? call(["bash", "scripts/check-imports.sh"]) ?? call(types, changed: mutant.file, step: "module")
    }
    if let fault = try projectFault() { return fault }
    let lists = ["plist", "entitlements", "xcprivacy", "pbxproj"]
    return lists.contains(path.pathExtension) ? try call(["plutil", "-lint", path.path]) : nil
  }

  func projectFault() throws -> String? {
    try call([tool("ProjectGeneration"), ios.path, "--check"])
  }

  /// Those of the same build lie beside this one.
  private func tool(_ name: String) -> String {
    URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: name).path
  }

  private func call(_ command: [String], changed: String? = nil, step: String? = nil) throws -> String? {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = command
    process.currentDirectoryURL = root
    var environment = ProcessInfo.processInfo.environment
    environment["CLIPFEED_IOS_SOURCES"] = ios.path
    environment["CLIPFEED_IOS_WORK"] = work.path
    environment["CLIPFEED_IOS_CHANGED"] = changed
    environment["CLIPFEED_IOS_STEP"] = step
    process.environment = environment
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
}

// Writes Clipfeed.xcodeproj into the folder that the first argument names. With --check it changes nothing
// and fails where what is there differs, or where a file that the project needs is missing or unfinished.
import Foundation
import XcodeProject

let root = CommandLine.arguments.dropFirst().first { !$0.hasPrefix("-") } ?? "ios"
let project = Project(.clipfeed)
let files = [
  "project.pbxproj": project.text,
  "xcshareddata/xcschemes/Clipfeed.xcscheme": project.scheme(of: .clipfeed),
]
var faults = project.loose
if CommandLine.arguments.contains("--check") {
  for (path, text) in files.sorted(by: { $0.key < $1.key }) {
    let there = FileManager.default.contents(atPath: "\(root)/Clipfeed.xcodeproj/\(path)")
    if there != Data(text.utf8) { faults.append("\(path) is not what scripts/ios-project.sh writes") }
  }
  faults += AppFolder(root: root).faults
} else {
  for (path, text) in files {
    let url = URL(filePath: "\(root)/Clipfeed.xcodeproj/\(path)")
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
  }
}
for fault in faults { print(fault) }
print("\(project.objects.count) objects, \(faults.count) faults")
exit(faults.isEmpty ? 0 : 1)

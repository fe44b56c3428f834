import Foundation

/// A recorded session of `fixtures`, which every host has to answer alike: events with their times, each with
/// the commands that it causes. Rows are as the traces have them: kind and fields.
package struct RecordedTrace: Sendable {
  package struct Step: Sendable {
    package let time: Int64
    package let words: [Int64]
    package var commands: [[Int64]] = []
    /// The row is no event: it changes nothing.
    package var isMalformed = false
  }

  package private(set) var steps: [Step] = []

  private static let fixtures = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../../fixtures").standardizedFileURL

  /// The traces of a folder whose names begin like this.
  package static func names(in folder: String, startingWith start: String = "") -> [String] {
    let all = try? FileManager.default.contentsOfDirectory(atPath: fixtures.appending(path: folder).path)
    return (all ?? []).filter { $0.hasPrefix(start) && $0.hasSuffix(".trace") }.sorted()
  }

  package init(_ name: String, in folder: String) throws {
    let file = Self.fixtures.appending(path: folder).appending(path: name)
    for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
      if line == "malformed" {
        steps[steps.count - 1].isMalformed = true
      } else if line.hasPrefix("  ") {
        steps[steps.count - 1].commands.append(Self.numbers(line))
      } else {
        let words = Self.numbers(line)
        steps.append(Step(time: words[0], words: Array(words.dropFirst())))
      }
    }
  }

  /// "kind(7) field=8" → 7, 8.
  private static func numbers(_ line: Substring) -> [Int64] {
    line.split(separator: " ").compactMap { word in
      if word.hasSuffix(")") { return word.split(separator: "(").last.flatMap { Int64($0.dropLast()) } }
      return word.split(separator: "=").last.flatMap { Int64($0) }
    }
  }

  /// A command's words as a host writes them, without their number.
  package static func row(_ words: [Int64]) -> [Int64] { [words[0]] + words.dropFirst(2) }
}

public import CoreTypes
import Foundation

/// Recorded sessions as lines: `event <ms> <words>` followed by the `command <words>` it caused, or by
/// `malformed`. In their files kinds and fields have names, for whoever reads a diff (`RowNames`). The same
/// files are replayed through WebAssembly by web/tests.
public enum Trace {
  /// Handles one event of words: its commands as rows one behind the other; `nil` if it is malformed.
  public typealias Door = (_ event: UnsafeBufferPointer<Int64>, _ now: Instant) -> [Int64]?

  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../fixtures").standardizedFileURL

  /// Set CLIPFEED_RECORD=1 to write the goldens anew; review their diff.
  public static let records = ProcessInfo.processInfo.environment["CLIPFEED_RECORD"] == "1"

  public static func line(_ kind: String, _ time: Int64?, _ words: some Sequence<Int64>) -> String {
    ([kind] + (time.map { [String($0)] } ?? []) + words.map { String($0) }).joined(separator: " ")
  }

  /// `name` is a path in fixtures/ without its extension.
  private static func url(_ name: String) -> URL { folder.appending(path: "\(name).trace") }

  /// The lines of the file, as they stand there.
  public static func text(_ name: String) throws -> [String] {
    try String(contentsOf: url(name), encoding: .utf8).split(separator: "\n").map(String.init)
  }

  public static func read(_ name: String) throws -> [String] { try text(name).map(RowNames.removed(from:)) }

  public static func write(_ name: String, _ lines: [String], _ names: RowNames = RowNames()) throws {
    try (lines.map(names.added(to:)).joined(separator: "\n") + "\n").write(
      to: url(name), atomically: true, encoding: .utf8)
  }

  /// Sends the events of a trace through a door; the trace as it comes out.
  public static func replay(_ lines: [String], through door: Door) -> [String] {
    var output: [String] = []
    for line in lines where line.hasPrefix("event ") {
      output.append(line)
      let numbers = line.split(separator: " ").dropFirst().compactMap { Int64($0) }
      guard let time = numbers.first else { continue }
      let commands = Array(numbers.dropFirst()).withUnsafeBufferPointer { door($0, Instant(time)) }
      output += commands.map(commandLines) ?? ["malformed"]
    }
    return output
  }

  private static func commandLines(_ words: [Int64]) -> [String] {
    var lines: [String] = []
    var at = 0
    while at + 1 < words.count {
      let end = at + 2 + Int(words[at + 1])
      lines.append(line("command", nil, words[at..<end]))
      at = end
    }
    return lines
  }
}

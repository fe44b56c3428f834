import CoreTypes
import Foundation
import Session
import SessionWire

/// Recorded sessions as text: `event <ms> <words>` followed by the `command <words>` it caused.
/// The same files are replayed through core.wasm by web/tests.
enum Trace {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../fixtures/traces").standardizedFileURL

  /// Set CLIPFEED_RECORD=1 to write the goldens anew; review their diff.
  static let records = ProcessInfo.processInfo.environment["CLIPFEED_RECORD"] == "1"

  static func line(_ kind: String, _ time: Int64?, _ words: [Int64]) -> String {
    ([kind] + (time.map { [String($0)] } ?? []) + words.map(String.init)).joined(separator: " ")
  }

  static func url(_ name: String) -> URL { folder.appending(path: "\(name).trace") }

  static func read(_ name: String) throws -> [String] {
    try String(contentsOf: url(name), encoding: .utf8).split(separator: "\n").map(String.init)
  }

  static func write(_ name: String, _ lines: [String]) throws {
    try (lines.joined(separator: "\n") + "\n").write(to: url(name), atomically: true, encoding: .utf8)
  }

  /// Sends the events of a trace through a fresh session; the trace as it comes out.
  static func replay(_ lines: [String]) -> [String] {
    var session = Session()
    var output: [String] = []
    for line in lines where line.hasPrefix("event ") {
      output.append(line)
      let numbers = line.split(separator: " ").dropFirst().compactMap { Int64($0) }
      guard let time = numbers.first else { continue }
      let event = Array(numbers.dropFirst()).withUnsafeBufferPointer { Session.Event(words: $0) }
      guard let event else {
        output.append("malformed")
        continue
      }
      session.handle(event, at: Instant(time)) { command in
        var row: [Int64] = []
        command.append(to: &row)
        output.append(self.line("command", nil, row))
      }
    }
    return output
  }
}

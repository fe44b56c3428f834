internal import Composition
internal import Foundation
internal import Options
internal import Platform

/// Lines for a person: at once, also when the output is a pipe; a progress line is rewritten only on a
/// terminal.
enum Console {
  static let isTerminal = isatty(STDOUT_FILENO) == 1

  static func say(_ line: String) {
    write(line + "\n")
  }

  static func complain(_ line: String) {
    FileHandle.standardError.write(Data((line + "\n").utf8))
  }

  /// Replaces the line that was shown by the last call.
  static func update(_ line: String) {
    write("\r\u{1B}[2K" + line)
  }

  /// A file name as text that cannot move the cursor or reorder the line.
  static func printable(_ name: String, scalars most: Int = 120) -> String {
    String(
      String.UnicodeScalarView(
        name.unicodeScalars.map { scalar in
          switch scalar.properties.generalCategory {
          case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: "\u{FFFD}"
          default: scalar
          }
        }
      ).prefix(most))
  }

  private static func write(_ text: String) {
    // NB: not `print`, which keeps lines back when the output is not a terminal.
    try? FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
  }
}

/// The progress of one of several things: a line that moves on a terminal; elsewhere one per quarter, and one
/// more when a part is ready.
struct ProgressLine {
  let prefix: String
  private var last = ""
  private var lastMark = ""

  init(_ prefix: String) {
    self.prefix = prefix
  }

  mutating func show(_ step: String) {
    show(step, mark: step)
  }

  mutating func show(_ report: ProcessingReport) {
    let ready = report.parts.count { $0.state == .ready }
    show(report.line, mark: "\(report.step) \(report.permille / 250) \(ready)")
  }

  private mutating func show(_ text: String, mark: String) {
    guard !text.isEmpty, text != last else { return }
    if Console.isTerminal {
      Console.update("\(prefix)  \(text)")
    } else if mark != lastMark {
      Console.say("\(prefix)  \(text)")
    }
    (last, lastMark) = (text, mark)
  }

  func end(_ result: String) {
    Console.isTerminal ? Console.update("\(prefix)  \(result)\n") : Console.say("\(prefix)  \(result)")
  }
}

extension ObservingOptions {
  static let announce: @Sendable (String, Int) -> Void = { host, port in
    Console.say("Metrics: \(WebServer.address(host, port))/metrics")
  }
}

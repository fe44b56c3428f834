internal import Foundation
public import Logging
internal import Synchronization

/// Writes each log entry as one line to standard error, as text or as a JSON object, without secrets
/// (`Redaction`).
public struct LogLines: LogHandler {
  public enum Format: String, Sendable { case text, json }

  public var metadata: Logger.Metadata = [:]
  public var metadataProvider: Logger.MetadataProvider?
  public var logLevel: Logger.Level

  private let label: String
  private let format: Format
  private let write: @Sendable (String) -> Void

  public init(_ label: String, format: Format, level: Logger.Level) {
    self.init(label, format: format, level: level) { line in Self.standardError(line) }
  }

  init(_ label: String, format: Format, level: Logger.Level, write: @escaping @Sendable (String) -> Void) {
    self.label = label
    self.format = format
    logLevel = level
    self.write = write
  }

  public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  public func log(event: LogEvent) {
    var all = metadata
    if let provided = metadataProvider?.get() { all.merge(provided) { $1 } }
    if let own = event.metadata { all.merge(own) { $1 } }
    let fields = all.mapValues { Redaction.clean("\($0)") }.sorted { $0.key < $1.key }
    let message = Redaction.clean("\(event.message)")
    let now = Date().formatted(.iso8601.time(includingFractionalSeconds: true))
    write(
      format == .json
        ? Self.json(now, event.level, label, message, fields)
        : Self.text(now, event.level, label, message, fields))
  }

  private static func text(
    _ time: String, _ level: Logger.Level, _ label: String, _ message: String,
    _ fields: [(key: String, value: String)]
  ) -> String {
    // A line is one line, whatever is in it, and tells a terminal nothing.
    let parts = fields.map { "\($0.key)=\($0.value)" } + [message]
    return "\(time) \(level) \(label): " + withoutControls(parts.joined(separator: " "))
  }

  /// Fields stand beside what every entry has; one that has such a name gets an underscore.
  private static func json(
    _ time: String, _ level: Logger.Level, _ label: String, _ message: String,
    _ fields: [(key: String, value: String)]
  ) -> String {
    let own = [("time", time), ("level", "\(level)"), ("label", label), ("message", message)]
    let taken = Set(own.map(\.0))
    let all = own + fields.map { (taken.contains($0.key) ? "\($0.key)_" : $0.key, $0.value) }
    return "{" + all.map { "\(quoted($0.0)):\(quoted($0.1))" }.joined(separator: ",") + "}"
  }

  private static func quoted(_ text: String) -> String {
    var out = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if scalar == "\"" || scalar == "\\" { out.append("\\") }
      out.append(scalar)
    }
    return "\"" + withoutControls(String(out)) + "\""
  }

  /// Every control and every end of a line as JSON writes it (RFC 8259, section 7), of both sets of controls.
  private static func withoutControls(_ text: String) -> String {
    var out = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\n": out += "\\n"
      case "\r": out += "\\r"
      case "\t": out += "\\t"
      case "\u{0}"..<"\u{20}", "\u{7F}"..<"\u{A0}", "\u{2028}", "\u{2029}":
        let digits = String(scalar.value, radix: 16)
        out += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: out.unicodeScalars.append(scalar)
      }
    }
    return out
  }

  /// Lines of several threads do not mix.
  private static let lock = Mutex(())

  private static func standardError(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    lock.withLock { _ in
      var sent = 0
      while sent < bytes.count {
        let count = bytes[sent...].withUnsafeBytes {
          Foundation.write(STDERR_FILENO, $0.baseAddress, $0.count)
        }
        guard count > 0 else { return }
        sent += count
      }
    }
  }
}

import Logging
import Synchronization

/// What was logged, a line each: the level and the message.
final class Notebook: Sendable {
  private let held = Mutex<[String]>([])

  var lines: [String] { held.withLock { $0 } }
  func count(_ prefix: String) -> Int { lines.filter { $0.hasPrefix(prefix) }.count }

  var logger: Logger { Logger(label: "test") { _ in Handler(notebook: self) } }

  private struct Handler: LogHandler {
    let notebook: Notebook
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.trace

    init(notebook: Notebook) { self.notebook = notebook }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
      notebook.held.withLock { $0.append("\(event.level): \(event.message) \(event.metadata ?? [:])") }
    }
  }
}

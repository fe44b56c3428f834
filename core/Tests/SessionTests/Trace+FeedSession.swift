public import ComposerWire
public import CoreTesting
import CoreTypes
import Session
public import SessionWire

extension Trace {
  /// Through a fresh session.
  static func replay(_ lines: [String]) -> [String] {
    var session = FeedSession()
    return replay(lines) { words, now in
      guard let event = FeedSession.Event(words: words) else { return nil }
      var commands: [Int64] = []
      session.handle(event, at: now) { $0.append(to: &commands) }
      return commands
    }
  }
}

extension EventKind: NamedRow {}
extension CommandKind: NamedRow {}
extension ComposerEventKind: NamedRow {}
extension ComposerCommandKind: NamedRow {}

extension RowNames {
  static let session = RowNames().adding(ComposerEventKind.self, ComposerCommandKind.self)
    .adding(EventKind.self, CommandKind.self)
}

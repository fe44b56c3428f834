import CoreTesting
import CoreTypes
import Session
import SessionWire

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

import CoreTypes
import Session
import SessionWire

// The functions that a WebAssembly host calls: docs/design/session.md. One instance of the module
// is one session. WebAssembly runs on one thread, so plain globals are safe here.

/// More words than the longest event can have: 8 renditions of 2,048 segments.
private let largestEvent: Int32 = 1 << 20

nonisolated(unsafe) private var session = FeedSession()
nonisolated(unsafe) private var eventWords: [Int64] = []
nonisolated(unsafe) private var commandWords: [Int64] = []

@_expose(wasm, "session_reserve")
@_cdecl("session_reserve")
public func reserve(words: Int32) -> UnsafeMutablePointer<Int64>? {
  guard words >= 0, words <= largestEvent else { return nil }
  if eventWords.count < Int(words) { eventWords = Array(repeating: 0, count: Int(words)) }
  // NB: the array is not touched until `session_handle`, so its storage stays where it is.
  return eventWords.withUnsafeMutableBufferPointer { $0.baseAddress }
}

@_expose(wasm, "session_handle")
@_cdecl("session_handle")
public func handle(words: Int32, now: Int64) -> Int32 {
  commandWords.removeAll(keepingCapacity: true)
  guard words > 0, Int(words) <= eventWords.count else { return -1 }
  let event = eventWords.withUnsafeBufferPointer {
    FeedSession.Event(words: UnsafeBufferPointer(rebasing: $0[0..<Int(words)]))
  }
  guard let event else { return -1 }
  session.handle(event, at: Instant(now)) { $0.append(to: &commandWords) }
  return Int32(commandWords.count)
}

@_expose(wasm, "session_commands")
@_cdecl("session_commands")
public func commands() -> UnsafePointer<Int64>? {
  commandWords.withUnsafeBufferPointer { $0.baseAddress }
}

@_expose(wasm, "session_reset")
@_cdecl("session_reset")
public func reset() {
  session = FeedSession()
  eventWords = []
  commandWords = []
}

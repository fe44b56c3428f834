import Activity
import ActivityWire
import CoreTypes
import MachineHost
import SignInSession
import SignInWire

// The functions that a WebAssembly host calls: docs/design/activity.md, docs/design/sign-in.md. The module is
// loaded after the first clip moves, or with the first request of the API, so that no viewer pays for it
// before the first frame.
// WebAssembly runs on one thread, so plain globals are safe here.

/// More words than the longest event has.
private let largestEvent: Int32 = 1 << 4

nonisolated(unsafe) private var activity = MachineHost<Activity>()
nonisolated(unsafe) private var signIn = MachineHost<SignInSession>()
nonisolated(unsafe) private var eventWords: [Int64] = []
nonisolated(unsafe) private var commandWords: [Int64] = []

@_expose(wasm, "activity_reserve")
@_cdecl("activity_reserve")
public func reserve(words: Int32) -> UnsafeMutablePointer<Int64>? {
  guard words >= 0, words <= largestEvent else { return nil }
  if eventWords.count < Int(words) { eventWords = Array(repeating: 0, count: Int(words)) }
  // NB: the array is not touched until an event is handled, so its storage stays where it is.
  return eventWords.withUnsafeMutableBufferPointer { $0.baseAddress }
}

@_expose(wasm, "activity_commands")
@_cdecl("activity_commands")
public func commands() -> UnsafePointer<Int64>? {
  commandWords.withUnsafeBufferPointer { $0.baseAddress }
}

@_expose(wasm, "activity_handle")
@_cdecl("activity_handle")
public func handleActivity(words: Int32, now: Int64) -> Int32 { handle(&activity, words, now) }

@_expose(wasm, "sign_in_handle")
@_cdecl("sign_in_handle")
public func handleSignIn(words: Int32, now: Int64) -> Int32 { handle(&signIn, words, now) }

private func handle<Machine: HostedMachine>(_ room: inout MachineHost<Machine>, _ words: Int32, _ now: Int64)
  -> Int32
{
  commandWords.removeAll(keepingCapacity: true)
  guard words > 0, Int(words) <= eventWords.count else { return -1 }
  let isSound = eventWords.withUnsafeBufferPointer {
    room.handle(
      UnsafeBufferPointer(rebasing: $0[0..<Int(words)]), at: Instant(now), into: &commandWords)
  }
  return isSound ? Int32(commandWords.count) : -1
}

@_expose(wasm, "activity_reset")
@_cdecl("activity_reset")
public func reset() {
  activity = MachineHost()
  signIn = MachineHost()
  eventWords = []
  commandWords = []
}

import Composer
import CoreTypes
import Looks
import MachineHost
import Recording
import StudioWire

// The functions that a WebAssembly host calls: docs/design/studio.md. The module is loaded when
// somebody records or picks a look, so that no viewer pays for it before the first frame.
// WebAssembly runs on one thread, so plain globals are safe here.

/// More words than the longest event can have: a list of 102 clips.
private let largestEvent: Int32 = 1 << 10

nonisolated(unsafe) private var composer = MachineHost<Composer>()
nonisolated(unsafe) private var recording = MachineHost<Recording>()
nonisolated(unsafe) private var eventWords: [Int64] = []
nonisolated(unsafe) private var commandWords: [Int64] = []
nonisolated(unsafe) private var lookWords: [UInt16] = []
nonisolated(unsafe) private var lookBytes: [UInt8] = []

@_expose(wasm, "studio_reserve")
@_cdecl("studio_reserve")
public func reserve(words: Int32) -> UnsafeMutablePointer<Int64>? {
  guard words >= 0, words <= largestEvent else { return nil }
  if eventWords.count < Int(words) { eventWords = Array(repeating: 0, count: Int(words)) }
  // NB: the array is not touched until an event is handled, so its storage stays where it is.
  return eventWords.withUnsafeMutableBufferPointer { $0.baseAddress }
}

@_expose(wasm, "studio_commands")
@_cdecl("studio_commands")
public func commands() -> UnsafePointer<Int64>? {
  commandWords.withUnsafeBufferPointer { $0.baseAddress }
}

@_expose(wasm, "composer_handle")
@_cdecl("composer_handle")
public func handleComposer(words: Int32, now: Int64) -> Int32 { handle(&composer, words, now) }

@_expose(wasm, "recording_handle")
@_cdecl("recording_handle")
public func handleRecording(words: Int32, now: Int64) -> Int32 { handle(&recording, words, now) }

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

/// 33 × 33 × 33 × 4 numbers of 16 bits, valid until the next call; 0 for a look that does not exist.
@_expose(wasm, "look_words")
@_cdecl("look_words")
public func lookWords(look: Int32, strength: Int32) -> UnsafePointer<UInt16>? {
  guard let look = Look(rawValue: look) else { return nil }
  lookWords = LookTable(look, strength: strength).words
  return lookWords.withUnsafeBufferPointer { $0.baseAddress }
}

/// The same in 8 bits.
@_expose(wasm, "look_bytes")
@_cdecl("look_bytes")
public func lookBytes(look: Int32, strength: Int32) -> UnsafePointer<UInt8>? {
  guard let look = Look(rawValue: look) else { return nil }
  lookBytes = LookTable(look, strength: strength).bytes
  return lookBytes.withUnsafeBufferPointer { $0.baseAddress }
}

@_expose(wasm, "studio_reset")
@_cdecl("studio_reset")
public func reset() {
  composer = MachineHost()
  recording = MachineHost()
  eventWords = []
  commandWords = []
  lookWords = []
  lookBytes = []
}

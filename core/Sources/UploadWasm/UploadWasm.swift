import CoreTypes
import MachineHost
import Marks
import Upload
import UploadWire

// The functions that a WebAssembly host calls: docs/design/upload.md. The module is loaded when somebody
// uploads, so that no viewer pays for it before the first frame. An instance carries one upload.
// WebAssembly runs on one thread, so plain globals are safe here.

/// More words than the longest event can have: a list of 1,024 parts.
private let largestEvent: Int32 = 1 << 11

nonisolated(unsafe) private var upload = MachineHost<Upload>()
nonisolated(unsafe) private var eventWords: [Int64] = []
nonisolated(unsafe) private var commandWords: [Int64] = []

@_expose(wasm, "upload_reserve")
@_cdecl("upload_reserve")
public func reserve(words: Int32) -> UnsafeMutablePointer<Int64>? {
  guard words >= 0, words <= largestEvent else { return nil }
  if eventWords.count < Int(words) { eventWords = Array(repeating: 0, count: Int(words)) }
  // NB: the array is not touched until an event is handled, so its storage stays where it is.
  return eventWords.withUnsafeMutableBufferPointer { $0.baseAddress }
}

@_expose(wasm, "upload_commands")
@_cdecl("upload_commands")
public func commands() -> UnsafePointer<Int64>? {
  commandWords.withUnsafeBufferPointer { $0.baseAddress }
}

@_expose(wasm, "upload_handle")
@_cdecl("upload_handle")
public func handle(words: Int32, now: Int64) -> Int32 {
  commandWords.removeAll(keepingCapacity: true)
  guard words > 0, Int(words) <= eventWords.count else { return -1 }
  let isSound = eventWords.withUnsafeBufferPointer {
    upload.handle(
      UnsafeBufferPointer(rebasing: $0[0..<Int(words)]), at: Instant(now), into: &commandWords)
  }
  return isSound ? Int32(commandWords.count) : -1
}

@_expose(wasm, "upload_reset")
@_cdecl("upload_reset")
public func reset() {
  upload = MachineHost()
  eventWords = []
  commandWords = []
  marks = MarkReader(size: 0)
  markBytes = []
}

// MARK: What a source says of AI

nonisolated(unsafe) private var marks = MarkReader(size: 0)
nonisolated(unsafe) private var markBytes: [UInt8] = []

/// Begins with another file of so many bytes.
@_expose(wasm, "marks_begin")
@_cdecl("marks_begin")
public func beginMarks(size: Int64) {
  marks = MarkReader(size: size)
  markBytes = []
}

/// Where in the file the bytes begin that are wanted; -1: none are.
@_expose(wasm, "marks_place")
@_cdecl("marks_place")
public func placeOfMarks() -> Int64 { marks.wanted?.lowerBound ?? -1 }

/// How many are wanted.
@_expose(wasm, "marks_count")
@_cdecl("marks_count")
public func countOfMarks() -> Int32 {
  marks.wanted.map { Int32(clamping: $0.upperBound - $0.lowerBound) } ?? 0
}

/// A buffer for as many as are wanted.
@_expose(wasm, "marks_buffer")
@_cdecl("marks_buffer")
public func bufferOfMarks() -> UnsafeMutablePointer<UInt8>? {
  markBytes = Array(repeating: 0, count: Int(countOfMarks()))
  // NB: the array is not touched until its bytes are taken, so its storage stays where it is.
  return markBytes.withUnsafeMutableBufferPointer { $0.baseAddress }
}

/// So many of them are in the buffer; fewer: the file ends sooner than it said.
@_expose(wasm, "marks_take")
@_cdecl("marks_take")
public func takeMarks(count: Int32) {
  let bytes = markBytes
  markBytes = []
  marks.take(count == bytes.count ? bytes : [])
}

/// 0: nothing so far; else the mark.
@_expose(wasm, "marks_found")
@_cdecl("marks_found")
public func foundMarks() -> Int32 { marks.mark?.rawValue ?? 0 }

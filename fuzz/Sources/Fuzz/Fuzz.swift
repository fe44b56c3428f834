internal import Foundation

/// Reads bytes of strangers by one way into the product. A trap, a failed `precondition`, too much time or
/// too much memory is a finding.
typealias FuzzTarget = @Sendable ([UInt8]) -> Void

private let targets: [String: FuzzTarget] = [
  "archives": readArchive, "boxes": readBoxes, "captions": readCaptions, "doors": readDoors,
  "headers": readHeaders, "identity": readIdentity, "json": readJSON, "passkeys": readPasskey,
  "pictures": readPicture, "playlists": readPlaylists, "probe": readProbe,
  "ranges": readRange, "texts": readTexts, "tokens": readTokens,
]

private let target: FuzzTarget = {
  let name = ProcessInfo.processInfo.environment["FUZZ_TARGET"] ?? ""
  guard let target = targets[name] else {
    print("FUZZ_TARGET must be one of \(targets.keys.sorted().joined(separator: ", ")).")
    exit(2)
  }
  return target
}()

/// What libFuzzer calls (llvm.org/docs/LibFuzzer.html).
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  target(Array(UnsafeBufferPointer(start: start, count: count)))
  return 0
}

/// NB: not `precondition`, which says nothing in an optimised build.
func require(_ holds: Bool, _ what: @autoclosure () -> String = "", line: Int = #line) {
  if !holds { fatalError("the rule in line \(line) does not hold \(what())") }
}

func text(_ bytes: some Sequence<UInt8>) -> String { String(decoding: Array(bytes), as: UTF8.self) }

/// The bytes before and behind the first zero.
func halves(_ bytes: [UInt8]) -> ([UInt8], [UInt8]) {
  let parts = bytes.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false).map(Array.init)
  return (parts[0], parts.count > 1 ? parts[1] : [])
}

/// The first byte chooses among so many, and what follows is what is read.
func choice(of count: Int, from bytes: [UInt8]) -> (Int, ArraySlice<UInt8>) {
  (bytes.first.map { Int($0) % count } ?? 0, bytes.dropFirst())
}

import CoreTypes
import Foundation
import Transfer

/// SHA-256 by the program that every system has.
struct ProgramHash: ContentHash {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()

  init() throws {
    process.executableURL = URL(filePath: "/usr/bin/sha256sum")
    process.standardInput = input
    process.standardOutput = output
    try process.run()
  }

  func update(_ bytes: Data) throws { try input.fileHandleForWriting.write(contentsOf: bytes) }

  func finish() throws -> [UInt8] {
    try input.fileHandleForWriting.close()
    let text = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    let digits = [UInt8](text.prefix(64))
    guard digits.count == 64 else { throw CocoaError(.fileReadUnknown) }
    return stride(from: 0, to: 64, by: 2).map { at in
      UInt8(String(decoding: digits[at..<at + 2], as: UTF8.self), radix: 16) ?? 0
    }
  }
}

/// Encodes nothing, in the time and with the reports of an encoder.
struct SlowCopy: Compressor {
  let small: URL

  func compress(
    _ source: URL, of size: Bytes, to target: URL, wanted: Bytes,
    progress: @escaping @Sendable (Double) -> Void
  ) async throws {
    let bytes = try Data(contentsOf: small)
    _ = FileManager.default.createFile(atPath: target.path, contents: nil)
    let file = try FileHandle(forWritingTo: target)
    defer { try? file.close() }
    let piece = max(1, bytes.count / 10)
    for (number, start) in stride(from: 0, to: bytes.count, by: piece).enumerated() {
      try await Task.sleep(for: .milliseconds(20))
      try file.write(contentsOf: bytes[start..<min(start + piece, bytes.count)])
      progress(Double(number + 1) / 10)
    }
  }
}

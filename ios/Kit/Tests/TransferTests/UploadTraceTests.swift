import Contract
import CoreTypes
import Foundation
import Testing
import Upload
import UploadWire

@testable import Transfer

/// The recorded uploads of fixtures/upload, which the core's own tests and the web client play too.
@MainActor @Suite struct UploadTraceTests {
  nonisolated static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../../fixtures/upload").standardizedFileURL

  nonisolated static let names: [String] =
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
    .filter { $0.hasSuffix(".trace") }.sorted()

  private static func numbers(_ text: Substring) -> [Int64] {
    text.split(separator: " ").compactMap { word in
      if word.hasSuffix(")") { return word.split(separator: "(").last.flatMap { Int64($0.dropLast()) } }
      return word.split(separator: "=").last.flatMap { Int64($0) }
    }
  }

  @Test func thereAreTraces() { #expect(Self.names.count >= 6) }

  @Test(arguments: names) func givesTheCommandsOfTheWebsHost(name: String) async throws {
    let bench = UploadBench()
    let record = UploadRecord(
      id: "trace", order: 0, name: name, source: "source.mp4", form: UploadForm(), isPublishRequested: false)
    let clock = BedsideClock()
    let host = UploadHost(
      record, in: bench.folder,
      UploadHost.Ports(
        api: bench.server, base: URL(string: "https://example.invalid")!, bytes: bench.server, clock: clock,
        tools: FileTools(hash: { FoldHash() }, duration: { _ in nil })))
    var seen: [[Int64]] = []
    host.observer = { _, _, commands in
      for command in commands {
        var words: [Int64] = []
        command.append(to: &words)
        seen.append([words[0]] + words.dropFirst(2))
      }
    }
    // NB: no turn is given to anything else, so that only the recording speaks.
    var expected: [[Int64]] = []
    for line in try String(contentsOf: Self.folder.appending(path: name), encoding: .utf8)
      .split(separator: "\n")
    {
      let words = Self.numbers(line)
      // A native host is told its next wake by the machine.
      if line.hasPrefix("  ") {
        if words[0] != 34 { expected.append(words) }
        continue
      }
      guard let time = words.first,
        let event = Array(words.dropFirst()).withUnsafeBufferPointer({ Upload.Event(words: $0) })
      else { continue }
      clock.advance(max(.zero, Instant(time) - clock.now))
      host.tell(event)
    }
    let different = zip(expected, seen).enumerated().first { $1.0 != $1.1 }
    #expect(different == nil, "\(String(describing: different))")
    #expect(seen.count == expected.count)
    host.free()
  }
}

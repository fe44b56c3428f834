import Contract
import CoreTypes
import Foundation
import PlaybackTesting
import Testing
import Upload
import UploadWire

@testable import Transfer

/// The recorded uploads of fixtures/upload, which the core's own tests and the web client play too.
@MainActor @Suite struct UploadTraceTests {
  nonisolated static let names = RecordedTrace.names(in: "upload")

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
        seen.append(RecordedTrace.row(words))
      }
    }
    // NB: no turn is given to anything else, so that only the recording speaks.
    var expected: [[Int64]] = []
    for step in try RecordedTrace(name, in: "upload").steps {
      // A native host is told its next wake by the machine.
      expected += step.commands.filter { $0[0] != 34 }
      guard let event = step.words.withUnsafeBufferPointer({ Upload.Event(words: $0) }) else { continue }
      clock.advance(max(.zero, Instant(step.time) - clock.now))
      host.tell(event)
    }
    let different = zip(expected, seen).enumerated().first { $1.0 != $1.1 }
    #expect(different == nil, "\(String(describing: different))")
    #expect(seen.count == expected.count)
    host.free()
  }
}

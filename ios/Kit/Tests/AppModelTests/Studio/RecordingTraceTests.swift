import CoreTypes
import Foundation
import Playback
import Recording
import StudioWire
import Testing

@testable import AppModel

/// The recorded sessions of fixtures/studio, which the web's host and the core's own tests play too.
@MainActor @Suite struct RecordingTraceTests {
  nonisolated static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../../../fixtures/studio").standardizedFileURL
  nonisolated static let names = ["recording-takes", "recording-trouble", "recording-hostile"]

  private struct Step {
    let time: Int64
    let words: [Int64]
    var commands: [[Int64]] = []
    var isMalformed = false
  }

  private static func numbers(_ text: Substring) -> [Int64] {
    text.split(separator: " ").compactMap { word in
      if word.hasSuffix(")") { return word.split(separator: "(").last.flatMap { Int64($0.dropLast()) } }
      return word.split(separator: "=").last.flatMap { Int64($0) }
    }
  }

  private static func steps(_ name: String) throws -> [Step] {
    var steps: [Step] = []
    let file = folder.appending(path: name + ".trace")
    for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
      if line == "malformed" {
        steps[steps.count - 1].isMalformed = true
      } else if line.hasPrefix("  ") {
        steps[steps.count - 1].commands.append(numbers(line))
      } else {
        let words = numbers(line)
        steps.append(Step(time: words[0], words: Array(words.dropFirst())))
      }
    }
    return steps
  }

  /// As the traces have it: kind and fields.
  private static func row(_ command: Recording.Command) -> [Int64] {
    var words: [Int64] = []
    command.append(to: &words)
    return [words[0]] + words.dropFirst(2)
  }

  @Test(arguments: names) func givesTheCommandsOfTheWebsHost(name: String) throws {
    let steps = try Self.steps(name).filter { !$0.isMalformed }
    #expect(steps.count > 15)
    let clock = TraceClock()
    let host = RecordingHost(clock: clock)
    var seen: [[[Int64]]] = []
    host.observer = { _, commands, wake in
      seen.append(commands.map(Self.row) + (wake.map { [[34, $0.rawValue]] } ?? []))
    }
    for step in steps {
      let event = step.words.withUnsafeBufferPointer { Recording.Event(words: $0) }
      guard let event else {
        Issue.record("malformed: \(step.words)")
        continue
      }
      clock.now = Instant(step.time)
      host.report(event)
    }
    let different = zip(steps.map(\.commands), seen).enumerated().first { $1.0 != $1.1 }
    #expect(different == nil, "\(String(describing: different))")
    #expect(seen.count == steps.count)
  }

  @Test func whatIsReportedWhileCommandsRunWaitsForThem() {
    let host = RecordingHost(clock: TraceClock())
    var order: [String] = []
    host.observer = { event, _, _ in order.append("\(event)".prefix(while: { $0 != "(" }).description) }
    host.carryOut = { command in
      order.append("\(command)".prefix(while: { $0 != "(" }).description)
      if case .useCamera(let camera) = command { host.report(.cameraReady(camera, hasTorch: false)) }
    }
    host.report(.opened)
    #expect(order == ["opened", "useCamera", "showControls", "cameraReady", "showControls"])
  }
}

/// Says the time that the trace says, and never rings: the trace has its own `woke`.
@MainActor private final class TraceClock: HostClock {
  var now = Instant(0)
  func wake(at instant: Instant, _ ring: @escaping @MainActor () -> Void) {}
}

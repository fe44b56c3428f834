import CoreTypes
import Foundation
import PlaybackTesting
import Recording
import StudioWire
import Testing

@testable import AppModel

/// The recorded sessions of fixtures/studio, which the web's host and the core's own tests play too.
@MainActor @Suite struct RecordingTraceTests {
  nonisolated static let names = RecordedTrace.names(in: "studio", startingWith: "recording-")

  private static func row(_ command: Recording.Command) -> [Int64] {
    var words: [Int64] = []
    command.append(to: &words)
    return RecordedTrace.row(words)
  }

  @Test func thereAreTraces() { #expect(Self.names.count >= 3) }

  @Test(arguments: names) func givesTheCommandsOfTheWebsHost(name: String) throws {
    let steps = try RecordedTrace(name, in: "studio").steps.filter { !$0.isMalformed }
    #expect(steps.count > 15)
    let clock = SteppedClock(.min)
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
      clock.set(step.time)
      host.report(event)
    }
    let different = zip(steps.map(\.commands), seen).enumerated().first { $1.0 != $1.1 }
    #expect(different == nil, "\(String(describing: different))")
    #expect(seen.count == steps.count)
  }

  @Test func whatIsReportedWhileCommandsRunWaitsForThem() {
    let host = RecordingHost(clock: SteppedClock(.min))
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

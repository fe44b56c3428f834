import CoreTypes
import PlaybackTesting
import SignInSession
import SignInWire
import Testing

@testable import AppModel

/// The recorded sessions of fixtures/sign-in, which the web client's host and the core's own tests play too.
@MainActor @Suite struct SignInTraceTests {
  nonisolated static let names = RecordedTrace.names(in: "sign-in")
  private static let wakeKind: Int64 = 34

  @Test func thereAreTraces() { #expect(Self.names.count >= 3) }

  @Test(arguments: names) func givesTheCommandsOfTheWebsHost(name: String) throws {
    let clock = SteppedClock(.min)
    let core = SignInCore(clock: clock)
    var seen: [[Int64]] = []
    core.observer = { _, commands, wake in
      for command in commands {
        var words: [Int64] = []
        command.append(to: &words)
        seen.append(RecordedTrace.row(words))
      }
      if let wake { seen.append([Self.wakeKind, wake.rawValue]) }
    }
    var expected: [[Int64]] = []
    for step in try RecordedTrace(name, in: "sign-in").steps {
      expected += step.commands
      let event = step.words.withUnsafeBufferPointer { SignInSession.Event(words: $0) }
      #expect((event == nil) == step.isMalformed, "\(step.words)")
      guard let event else { continue }
      clock.set(step.time)
      core.report(event)
    }
    let different = zip(expected, seen).enumerated().first { $1.0 != $1.1 }
    #expect(different == nil, "\(String(describing: different))")
    #expect(seen.count == expected.count)
  }
}

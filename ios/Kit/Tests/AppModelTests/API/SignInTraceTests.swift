import CoreTypes
import Foundation
import SignInSession
import SignInWire
import Testing

@testable import AppModel

/// The recorded sessions of fixtures/sign-in, which the web client's host and the core's own tests play too.
@MainActor @Suite struct SignInTraceTests {
  nonisolated static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../../../fixtures/sign-in").standardizedFileURL
  nonisolated static let names: [String] =
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
    .filter { $0.hasSuffix(".trace") }.sorted()
  private static let wakeKind: Int64 = 34

  private static func numbers(_ line: Substring) -> [Int64] {
    line.split(separator: " ").compactMap { word in
      if word.hasSuffix(")") { return word.split(separator: "(").last.flatMap { Int64($0.dropLast()) } }
      return word.split(separator: "=").last.flatMap { Int64($0) }
    }
  }

  @Test func thereAreTraces() { #expect(Self.names.count >= 3) }

  @Test(arguments: names) func givesTheCommandsOfTheWebsHost(name: String) throws {
    let clock = SteppedClock(.min)
    let core = SignInCore(clock: clock)
    var seen: [[Int64]] = []
    core.observer = { _, commands, wake in
      for command in commands {
        var words: [Int64] = []
        command.append(to: &words)
        seen.append([words[0]] + words.dropFirst(2))
      }
      if let wake { seen.append([Self.wakeKind, wake.rawValue]) }
    }
    var expected: [[Int64]] = []
    let lines = try String(contentsOf: Self.folder.appending(path: name), encoding: .utf8)
      .split(separator: "\n")
    for (index, line) in lines.enumerated() where line != "malformed" {
      if line.hasPrefix("  ") {
        expected.append(Self.numbers(line))
        continue
      }
      let words = Self.numbers(line)
      let event = words.dropFirst().withContiguousStorageIfAvailable { SignInSession.Event(words: $0) } ?? nil
      let isMalformed = index + 1 < lines.count && lines[index + 1] == "malformed"
      #expect((event == nil) == isMalformed, "\(line)")
      guard let event else { continue }
      clock.set(words[0])
      core.report(event)
    }
    let different = zip(expected, seen).enumerated().first { $1.0 != $1.1 }
    #expect(different == nil, "\(String(describing: different))")
    #expect(seen.count == expected.count)
  }
}

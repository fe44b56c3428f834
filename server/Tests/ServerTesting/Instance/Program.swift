import Contract
import Foundation
import Platform

@testable import PlatformTesting

/// The built program as a person runs it.
final class Program {
  let process: ChildProgram
  private let pipe = Pipe()

  init(_ arguments: [String], environment: [String: String] = [:]) throws {
    let tests = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    process = try ChildProgram(
      tests.deletingLastPathComponent().appendingPathComponent("clipfeed").path, arguments,
      environment: ProcessInfo.processInfo.environment.merging(environment) { $1 }, output: pipe, error: pipe)
  }

  /// One that a test has given up would go on in the test's folder.
  deinit { process.end() }

  /// Everything it printed, once it has ended.
  func end() -> (status: Int32, output: String) {
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: output, as: UTF8.self))
  }

  /// Its output up to a line that contains the text.
  func wait(for text: String) throws -> String {
    var output = ""
    while !output.contains(text) {
      let data = pipe.fileHandleForReading.availableData
      guard !data.isEmpty else { throw AppError(.internalError, "the program ended: \(output)") }
      output += String(decoding: data, as: UTF8.self)
    }
    return output
  }
}

import Foundation
import Testing

@testable import Composition
@testable import PlatformTesting
@testable import ServerTesting

@Suite struct CommandEndTests {
  /// The loader says whose end it calls. Connections may still be closing by then, in threads of their own,
  /// and go on using what these libraries hold.
  @Test(arguments: [
    (["accounts", "list"], Int32(0), "There are no accounts."),
    (["accounts", "show", "nobody"], Int32(1), "There is no account @nobody."),
    (["accounts", "--help"], Int32(0), "SUBCOMMANDS"),
    (["accounts", "list", "--never"], Int32(64), "Unknown option '--never'"),
    (["check-config", "--example"], Int32(0), "#data: ./var"),
  ])
  func takesNoLibraryApart(_ words: [String], _ status: Int32, _ said: String) async throws {
    let bench = try await TestInstance()
    let loader = bench.folder.appendingPathComponent("loader").path
    let program = try Program(
      words,
      environment: [
        "CLIPFEED_DATA": bench.instance.folder.path, "LD_DEBUG": "files", "LD_DEBUG_OUTPUT": loader,
      ])
    let (code, output) = program.end()
    #expect(code == status && output.contains(said), "\(output)")
    let log = try String(contentsOfFile: "\(loader).\(program.process.processIdentifier)", encoding: .utf8)
    #expect(log.contains("calling init:") && !log.contains("calling fini:"))
  }
}

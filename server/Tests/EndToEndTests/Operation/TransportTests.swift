import Foundation
import Testing

@testable import Composition
@testable import PlatformTesting
@testable import ServerTesting

/// What goes over a network without protection is said.
@Suite struct TransportTests {
  @Test func theLogOfAStartHasIt() async throws {
    let bench = try await TestInstance()
    for (host, isSaid) in [("0.0.0.0", true), ("127.0.0.1", false)] {
      let program = try bench.program([
        "serve", "--host", host, "--port", "0", "--workers", "0", "--web", bench.folder.path,
      ])
      let output = try program.wait(for: "Clipfeed is running")
      kill(program.process.processIdentifier, SIGTERM)
      let all = output + program.end().output
      #expect(all.contains("passwords and cookies can be read") == isSaid, "\(all)")
    }
  }
}

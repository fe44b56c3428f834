import Testing

@testable import Composition
@testable import Platform
@testable import ServerTesting

@Suite struct JobsCommandTests {
  @Test func ofVeryManyThatWaitTheFirstAreNamedAndTheRestCounted() async throws {
    let bench = try await TestInstance()
    let queue = bench.instance.queue
    try await bench.instance.database.write {
      for number in 1...103 { try queue.enqueue(kind: "many", key: "m\(number)", payload: "", in: $0) }
      try queue.enqueue(kind: "one", key: "alone", payload: "", in: $0)
    }
    let (status, output) = try bench.program(["jobs"]).end()
    let lines = output.split(separator: "\n")
    #expect(status == 0 && lines.filter { $0.hasPrefix("queued  many  m") }.count == 100, "\(output)")
    #expect(lines.contains("queued  many  and 3 more"), "\(output)")
    #expect(lines.filter { $0.hasPrefix("queued  one  ") }.count == 1, "\(output)")
  }
}

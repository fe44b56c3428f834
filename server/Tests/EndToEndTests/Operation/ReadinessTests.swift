import Contract
import Foundation
import Measuring
import Platform
import Testing

@testable import Composition
@testable import Gateway
@testable import PlatformTesting
@testable import ServerTesting

/// Who is told how an instance is, and what it costs to ask.
@Suite struct ReadinessTests {
  private let bench: TestInstance
  private let clock = TestTime()

  init() async throws { bench = try await TestInstance() }

  /// Removing it is what a look at the storage stumbles over.
  private var incoming: URL { bench.instance.folder.appendingPathComponent("media/incoming") }

  @Test func thePartsAreLookedAtOnceASecondHoweverManyAsk() async throws {
    let readiness = bench.instance.readiness(cache: nil, patience: .seconds(120), time: clock)
    #expect(await readiness.check().status == "ok")
    try FileManager.default.removeItem(at: incoming)
    clock.advance(ms: Readiness.keptMs - 1)
    for _ in 0..<100 { #expect(await readiness.check().status == "ok") }
    clock.advance(ms: 1)
    #expect(await readiness.check().checks["storage"] == "failed")
  }

  @Test func aServerThatStopsSaysSoAtOnce() async throws {
    let readiness = bench.instance.readiness(cache: nil, patience: .seconds(120), time: clock)
    #expect(await readiness.check().status == "ok")
    readiness.stop()
    #expect(await readiness.check().status == "stopping")
  }

  /// From this machine all of it, from anywhere else whether it is ready.
  @Test(
    arguments: [
      (1, "203.0.113.9", false), (1, "127.0.0.1, 203.0.113.9", false), (1, "127.0.0.1", true), (0, nil, true),
      // A proxy of which the operator has not said that it is there.
      (0, "203.0.113.9", false), (0, "127.0.0.1", false), (1, nil, true), (1, "::1", true), (1, "::2", false),
      (1, "nonsense", false), (2, "127.0.0.1", false),
    ] as [(Int, String?, Bool)])
  func strangersAreToldNoParts(_ proxies: Int, _ forwarded: String?, _ isOperator: Bool) async throws {
    try FileManager.default.removeItem(at: incoming)
    try await bench.serving(proxies: proxies) { socket async throws in
      var headers: [String: String] = [:]
      headers["x-forwarded-for"] = forwarded
      let answer = try await socket.send(WireRequest("GET", "/readyz", headers: headers))
      #expect(answer.status == 503)
      let health = try WireCoding.decode(Health.self, from: answer.body)
      #expect(health.status == "unavailable")
      #expect(health.checks["storage"] == (isOperator ? "failed" : nil))
    }
  }

  @Test func thePortOfTheMetricsTellsThePartsToWhoeverReachesIt() async throws {
    let program = try bench.program([
      "serve", "--port", "0", "--metrics-port", "0", "--workers", "0", "--web", bench.folder.path,
    ])
    let output = try program.wait(for: "Clipfeed is running")
    let said = output.contains("Metrics: ") ? output : output + (try program.wait(for: "Metrics: "))
    let place = try #require(said.firstMatch(of: /Metrics: http:\/\/127.0.0.1:([0-9]+)/)?.1)
    let socket = SocketTransport(port: try #require(Int(place)))
    // A look that takes longer than it may is no answer.
    try await eventually("it is not ready") {
      let answer = try await socket.send(WireRequest("GET", "/readyz"))
      let health = try WireCoding.decode(Health.self, from: answer.body)
      return answer.status == 200 && health.checks["database"] == "ok"
    }
    #expect(try await socket.send(WireRequest("POST", "/readyz")).status == 405)
    #expect(try await socket.send(WireRequest("GET", "/healthz")).status == 404)
    kill(program.process.processIdentifier, SIGTERM)
    _ = program.end()
  }
}

import Foundation
import NIOCore
import ServiceLifecycle
import Testing

@testable import Composition
@testable import Gateway
@testable import HTTPServer
@testable import PlatformTesting
@testable import ServerTesting

/// The real server, and sockets that do as they like.
@Suite struct ConnectionTests {
  /// Runs the server with these limits.
  private func serving(
    _ limits: ConnectionLimits = ConnectionLimits(), _ rules: ConnectionPace.Rules = .init(),
    file: (name: String, bytes: Int)? = nil, _ body: @escaping @Sendable (Int) async throws -> Void
  ) async throws {
    let bench = try await TestInstance()
    if let file {
      try Data(count: file.bytes).write(to: bench.folder.appending(path: file.name))
    }
    let gateway = try await bench.instance.gateway(web: bench.folder.path)
    let (ports, port) = AsyncStream.makeStream(of: Int.self)
    let server = Task {
      try await WebServer.application(
        gateway, host: "127.0.0.1", port: 0,
        // However long a busy machine takes between two questions.
        server: Connection.server(limits, rules, idleTimeout: .seconds(3600))
      ) { port.yield($0) }.run()
    }
    var iterator = ports.makeAsyncIterator()
    do {
      try await body(try #require(await iterator.next()))
    } catch {
      await endServer(server)
      throw error
    }
    await endServer(server)
  }

  /// For what is not about time.
  private static let patient = {
    var rules = ConnectionPace.Rules()
    rules.head = .hours(1)
    return rules
  }()

  private static let question = "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"

  @Test func whoNeverEndsAHeadIsLetGo() async throws {
    var rules = ConnectionPace.Rules()
    rules.head = .milliseconds(100)
    try await serving(ConnectionLimits(), rules) { port in
      let socket = try await PlainSocket.open(port)
      try socket.send("GET /healthz HTTP/1.1\r\nHost:")
      #expect(try await socket.readToEnd().isEmpty)
    }
  }

  @Test func whoNeverEndsABodyIsLetGo() async throws {
    var rules = ConnectionPace.Rules()
    rules.body = .milliseconds(100)
    try await serving(ConnectionLimits(), rules) { port in
      let socket = try await PlainSocket.open(port)
      try socket.send(
        "POST /api/v1/accounts HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n{"
      )
      #expect(try await !socket.readToEnd().contains("HTTP/1.1 2"))
    }
  }

  @Test func whoNeverTakesAnAnswerIsLetGo() async throws {
    var rules = ConnectionPace.Rules()
    rules.answer = .milliseconds(100)
    let limits = ConnectionLimits()
    // More than the buffers of both sides hold.
    let bytes = 15 << 20
    try await serving(limits, rules, file: ("large.js", bytes)) { port in
      let socket = try await PlainSocket.open(port)
      try socket.send("GET /large.js HTTP/1.1\r\nHost: x\r\n\r\n")
      try await socket.waitForBytes()
      try await eventually("it waits for ever") { limits.count == 0 }
      #expect(try await socket.readToEnd().utf8.count < bytes)
    }
  }

  @Test func oneAddressHasSoManyConnectionsAndNoMore() async throws {
    try await serving(ConnectionLimits(most: 100, ofOneAddress: 2), Self.patient) { port in
      let kept = [try await PlainSocket.open(port), try await PlainSocket.open(port)]
      for socket in kept { #expect(try await socket.ask(Self.question).hasPrefix("HTTP/1.1 200")) }
      let third = try await PlainSocket.open(port)
      #expect(try await third.readToEnd().isEmpty)
      for socket in kept { #expect(try await socket.ask(Self.question).hasPrefix("HTTP/1.1 200")) }
    }
  }

  @Test func whereAllPlacesAreTakenTheOneThatIsIdleForLongestMakesRoom() async throws {
    let limits = ConnectionLimits(most: 2, ofOneAddress: nil)
    try await serving(limits, Self.patient) { port in
      let (first, second) = (try await PlainSocket.open(port), try await PlainSocket.open(port))
      for socket in [first, second, first] {
        #expect(try await socket.ask(Self.question).hasPrefix("HTTP/1.1 200"))
      }
      let third = try await PlainSocket.open(port)
      #expect(try await third.ask(Self.question).hasPrefix("HTTP/1.1 200"))
      #expect(try await second.readToEnd().isEmpty)
      #expect(try await first.ask(Self.question).hasPrefix("HTTP/1.1 200"))
    }
  }

  @Test func aHeadOfAHundredKilobytesIsNoRequest() async throws {
    let half = String(repeating: "a", count: 50_000)
    try await serving { port in
      let socket = try await PlainSocket.open(port)
      try socket.send(
        "GET /healthz HTTP/1.1\r\nHost: x\r\nA: \(half)\r\nB: \(half)\r\n\r\n")
      #expect(try await socket.readToEnd().hasPrefix("HTTP/1.1 400"))
    }
  }
}

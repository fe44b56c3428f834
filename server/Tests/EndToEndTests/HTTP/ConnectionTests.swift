import Foundation
import Logging
import NIOCore
import Platform
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
    var rules = rules
    // However long a busy machine takes between two questions.
    rules.idle = .hours(1)
    try await serving(bench, limits, rules) { port, _ in try await body(port) }
  }

  private func serving(
    _ bench: TestInstance, _ limits: ConnectionLimits, _ rules: ConnectionPace.Rules,
    _ body: @escaping @Sendable (Int, ServiceGroup) async throws -> Void
  ) async throws {
    let gateway = try await bench.instance.gateway(web: bench.folder.path)
    let (ports, port) = AsyncStream.makeStream(of: Int.self)
    let group = ServiceGroup(
      configuration: ServiceGroupConfiguration(
        services: [
          WebServer.application(
            gateway, host: "127.0.0.1", port: 0, server: Connection.server(limits, rules)
          ) { port.yield($0) }
        ], logger: Logger(label: "test")))
    let server = Task { try await group.run() }
    var iterator = ports.makeAsyncIterator()
    do {
      try await body(try #require(await iterator.next()), group)
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

  /// More than the buffers of both sides hold.
  private static let long = 15 << 20

  /// Runs the server with a medium that is so long. The body gets a question for it, which is the last on its
  /// connection unless `keepsAlive`.
  private func servingMedium(
    _ limits: ConnectionLimits = ConnectionLimits(), idle: TimeAmount = .hours(1), keepsAlive: Bool = false,
    _ body: @escaping @Sendable (Int, String, ServiceGroup) async throws -> Void
  ) async throws {
    let bench = try await TestInstance()
    let name = try await bench.instance.media.put(Data(count: Self.long), ext: "mp4", in: bench.folder)
    try await bench.instance.publish(name)
    var rules = Self.patient
    (rules.answer, rules.idle) = (.hours(1), idle)
    let end = keepsAlive ? "" : "Connection: close\r\n"
    try await serving(bench, limits, rules) { port, server in
      try await body(port, "GET /media/\(name) HTTP/1.1\r\nHost: x\r\n\(end)\r\n", server)
    }
  }

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
    try await serving(limits, rules, file: ("large.js", Self.long)) { port in
      let socket = try await PlainSocket.open(port)
      try socket.send("GET /large.js HTTP/1.1\r\nHost: x\r\n\r\n")
      try await socket.waitForBytes()
      try await eventually("it waits for ever") { limits.count == 0 }
      #expect(try await socket.readToEnd().utf8.count < Self.long)
    }
  }

  @Test func whoTakesAFileForLongerThanAConnectionMayRestGetsAllOfIt() async throws {
    try await servingMedium(idle: .seconds(1), keepsAlive: true) { port, question, _ in
      let socket = try await PlainSocket.open(port)
      try socket.send(question)
      try await socket.waitForBytes()
      // What most of the file waits for.
      try await Task.sleep(for: .seconds(3))
      // Only then it rests, and ends.
      #expect(try await socket.readToEnd().utf8.count > Self.long)
    }
  }

  @Test func whoTakesAFileIsNotIdle() async throws {
    let limits = ConnectionLimits(most: 2, ofOneAddress: nil)
    try await servingMedium(limits) { port, question, _ in
      let taking = try await PlainSocket.open(port)
      try taking.send(question)
      try await taking.waitForBytes()
      let resting = try await PlainSocket.open(port)
      #expect(try await resting.ask(Self.question).hasPrefix("HTTP/1.1 200"))
      try await eventually("it never rests") { limits.idleCount > 0 }
      let third = try await PlainSocket.open(port)
      #expect(try await third.ask(Self.question).hasPrefix("HTTP/1.1 200"))
      try #require(try await taking.readToEnd().utf8.count > Self.long)
      #expect(try await resting.readToEnd().isEmpty)
    }
  }

  @Test func aServerThatStopsSendsTheFilesThatItBegan() async throws {
    try await servingMedium(keepsAlive: true) { port, question, server in
      let (taking, resting) = (try await PlainSocket.open(port), try await PlainSocket.open(port))
      #expect(try await resting.ask(Self.question).hasPrefix("HTTP/1.1 200"))
      try taking.send(question)
      try await taking.waitForBytes()
      await server.triggerGracefulShutdown()
      // Who has nothing to ask is hung up on, and by then all are told.
      #expect(try await resting.readToEnd().isEmpty)
      #expect(try await taking.readToEnd().utf8.count > Self.long)
    }
  }

  @Test(.timeLimit(.minutes(2))) func aServerThatWaitsNoLongerEndsWhoTakesNothing() async throws {
    let limits = ConnectionLimits()
    let taking = Shared<PlainSocket?>(nil)
    try await servingMedium(limits) { port, question, _ in
      let socket = try await PlainSocket.open(port)
      try socket.send(question)
      try await socket.waitForBytes()
      taking.with { $0 = socket }
    }
    #expect(limits.count == 0)
    #expect(try await #require(taking.with { $0 }).readToEnd().utf8.count < Self.long)
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
        // An answer may be here before the server has noted that it has left.
        try await eventually("it never rests") { limits.idleCount == 2 }
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

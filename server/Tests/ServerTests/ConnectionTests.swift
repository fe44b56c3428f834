import Foundation
import NIOCore
import ServiceLifecycle
import Testing

@testable import Composition
@testable import Gateway
@testable import HTTPServer

@Suite struct ConnectionPaceTests {
  private let rules = ConnectionPace.Rules()
  private func at(_ seconds: Int64) -> NIODeadline { .uptimeNanoseconds(1) + .seconds(seconds) }

  @Test func aHeadHasItsTimeHoweverItsBytesCome() {
    var pace = ConnectionPace(rules, at: at(0))
    for second in Int64(1)...19 {
      pace.isReadyToRead(at: at(second))
      pace.read(bytes: 1, at: at(second))
    }
    #expect(pace.deadline == at(20))
    pace.headIsRead(at: at(19))
    pace.requestIsRead()
    #expect(pace.deadline == nil, "while we work the other side owes nothing")
    pace.answerIsWritten()
    #expect(pace.isIdle && pace.deadline == nil)
    // The next request on the same connection.
    pace.isReadyToRead(at: at(50))
    pace.read(bytes: 1, at: at(90))
    #expect(pace.deadline == at(110))
  }

  @Test func aBodyThatDribblesIsTooSlowAndOneOfAWeakLinkIsNot() {
    var pace = ConnectionPace(rules, at: at(0))
    pace.headIsRead(at: at(0))
    for second in Int64(1)...29 {
      pace.isReadyToRead(at: at(second - 1))
      pace.read(bytes: 100, at: at(second))
    }
    pace.isReadyToRead(at: at(29))
    #expect(pace.deadline == at(30))
    pace.read(bytes: rules.bodyBytes, at: at(29))
    pace.isReadyToRead(at: at(29))
    #expect(pace.deadline == at(59), "enough has come, so it begins anew")
  }

  @Test func aSlowDiskOfOursIsNotTheOtherSidesFault() {
    var pace = ConnectionPace(rules, at: at(0))
    pace.headIsRead(at: at(0))
    pace.isReadyToRead(at: at(0))
    pace.read(bytes: 10, at: at(1))
    #expect(pace.deadline == nil)
    pace.isReadyToRead(at: at(1000))
    #expect(pace.deadline == at(1029))
  }

  @Test func anAnswerHasToBeTakenAndAStreamWithoutNewsOwesNothing() {
    var pace = ConnectionPace(rules, at: at(0))
    pace.headIsRead(at: at(0))
    pace.requestIsRead()
    pace.write(bytes: 100)
    pace.look(outstanding: 100, at: at(20))
    #expect(pace.deadline == at(80))
    pace.look(outstanding: 99, at: at(80))
    #expect(pace.deadline == at(140), "something was taken")
    pace.write(bytes: 1000)
    pace.look(outstanding: 1099, at: at(140))
    #expect(pace.deadline == at(140), "what is added to it is not taken")
    pace.look(outstanding: 0, at: at(139))
    #expect(pace.deadline == nil)
  }

  @Test func anAnswerIsTakenFromWhenSomebodyFirstLooks() {
    var pace = ConnectionPace(rules, at: at(0))
    pace.headIsRead(at: at(0))
    pace.requestIsRead()
    // Two answers with a look in each, both taken in time.
    for second: Int64 in [10, 500] {
      pace.write(bytes: 100)
      pace.look(outstanding: 100, at: at(second))
      #expect(pace.deadline == at(second + 60))
      pace.look(outstanding: 0, at: at(second + 1))
    }
    #expect(pace.deadline == nil)
  }
}

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
        gateway, host: "127.0.0.1", port: 0, server: Connection.server(limits, rules)
      ) { port.yield($0) }.run()
    }
    defer { server.cancel() }
    var iterator = ports.makeAsyncIterator()
    try await body(try #require(await iterator.next()))
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
    // More than the buffers of both sides hold.
    let bytes = 15 << 20
    try await serving(limits, rules, file: ("large.js", bytes)) { port in
      let socket = try await PlainSocket.open(port)
      try socket.send("GET /large.js HTTP/1.1\r\nHost: x\r\n\r\n")
      try await eventually("it waits for ever") { limits.count == 1 }
      try await eventually("it waits for ever") { limits.count == 0 }
      #expect(try await socket.readToEnd().utf8.count < bytes)
    }
  }

  @Test func oneAddressHasSoManyConnectionsAndNoMore() async throws {
    try await serving(ConnectionLimits(most: 100, ofOneAddress: 2)) { port in
      let kept = [try await PlainSocket.open(port), try await PlainSocket.open(port)]
      for socket in kept { #expect(try await socket.ask(Self.question).hasPrefix("HTTP/1.1 200")) }
      let third = try await PlainSocket.open(port)
      #expect(try await third.readToEnd().isEmpty)
      for socket in kept { #expect(try await socket.ask(Self.question).hasPrefix("HTTP/1.1 200")) }
    }
  }

  @Test func whereAllPlacesAreTakenTheOneThatIsIdleForLongestMakesRoom() async throws {
    let limits = ConnectionLimits(most: 2, ofOneAddress: nil)
    try await serving(limits) { port in
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

  @Test func aViewerAndAnAddressHaveSoManyStreams() throws {
    let streams = StreamLimits(ofOneAddress: StreamLimits.ofOneViewer + 1)
    var places = try (0..<StreamLimits.ofOneViewer).map { _ in try streams.admit("a", from: "192.0.2.1") }
    #expect(throws: Refusal.self) { try streams.admit("a", from: "192.0.2.2") }
    places.append(try streams.admit("b", from: "192.0.2.1"))
    #expect(throws: Refusal.self) { try streams.admit("c", from: "192.0.2.1") }
    places[0].leave()
    places[0].leave()
    places.append(try streams.admit("a", from: "192.0.2.1"))
    #expect(throws: Refusal.self) { try streams.admit("c", from: "192.0.2.1") }
    #expect(places.count == StreamLimits.ofOneViewer + 2)
  }
}

/// A connection that stays, byte by byte.
final class PlainSocket: @unchecked Sendable {
  private let descriptor: Int32

  private init(_ descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  struct Failure: Error {
    let code: Int32
  }

  static func open(_ port: Int) async throws -> PlainSocket {
    PlainSocket(try SocketTransport.connect(to: port))
  }

  func send(_ text: String) throws {
    let bytes = Array(text.utf8)
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { throw Failure(code: errno) }
      sent += count
    }
  }

  /// What comes first, once something does.
  func ask(_ question: String) async throws -> String {
    try send(question)
    return try await onThread { String(decoding: try self.read(), as: UTF8.self) }
  }

  /// All until the other side closes.
  func readToEnd() async throws -> String {
    try await onThread {
      var all: [UInt8] = []
      while true {
        let piece = try self.read()
        if piece.isEmpty { return String(decoding: all, as: UTF8.self) }
        all += piece
      }
    }
  }

  private func read() throws -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    // Who is let go of in the middle of a request hears it as a reset.
    if count < 0, errno == ECONNRESET { return [] }
    guard count >= 0 else { throw Failure(code: errno) }
    return Array(buffer[..<count])
  }

  private func onThread<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value
  {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread { continuation.resume(with: Result { try work() }) }
    }
  }
}

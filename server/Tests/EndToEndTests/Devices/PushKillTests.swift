import Accounts
import Contract
import Foundation
import Platform
import Testing

@testable import Composition
@testable import Devices
@testable import PlatformTesting
@testable import ServerTesting

/// The program itself, at a server that looks at it as Apple does.
@Suite(.serialized) struct PushKillTests {
  private func serve(_ bench: TestInstance, _ apple: AppleServer) throws -> Program {
    try Program(
      ["serve", "--port", "0", "--workers", "0", "--data", bench.instance.folder.path],
      environment: bench.environment.merging([
        "CLIPFEED_APNS_KEY_FILE": apple.keyFile.path, "CLIPFEED_APNS_KEY_ID": AppleServer.keyID,
        "CLIPFEED_APNS_TEAM": AppleServer.team, "CLIPFEED_APNS_TOPIC": AppleServer.topic,
        "CLIPFEED_APNS_SERVER": apple.address, "CLIPFEED_APNS_CA": apple.certificatesFile.path,
      ]) { $1 })
  }

  private struct Person: Sendable {
    let id: String
    let client: Client
  }

  private func join(_ handle: String, _ socket: SocketTransport) async throws -> Person {
    let session = try await Client(transport: socket).signUp(NewAccount(handle))
    return Person(
      id: session.account.id,
      client: Client(transport: Bearer(inner: socket, token: try #require(session.accessToken))))
  }

  private func register(_ person: Person, _ token: String) async throws {
    _ = try await person.client.register(
      NewPushDevice(token: token, environment: .sandbox, topic: AppleServer.topic))
  }

  /// Leases that a killed process left are over: the clock of a real process cannot be moved.
  private func endLeases(_ bench: TestInstance) async throws {
    try await bench.instance.database.write {
      try $0.execute("UPDATE push_notices SET due_at_ms = 0")
    }
  }

  @Test func whoIsKilledInTheMiddleLosesNothing() async throws {
    let bench = try await TestInstance()
    let isSilent = Shared(true)
    // At first some are taken and the others hang, so that the process is killed in the middle.
    let apple = try await AppleServer { _, number in
      isSilent.with { $0 } && number >= 5 ? .silence : .taken
    }
    let first = try serve(bench, apple)
    let socket = SocketTransport(port: try first.port())
    let (ada, bob) = (try await join("ada", socket), try await join("bob", socket))
    try await register(ada, String(repeating: "a", count: 64))
    for number in 0..<20 {
      _ = try await bob.client.send(
        "message \(number)", to: ada.id, idempotencyKey: "key-number-\(number)")
    }
    try await eventually("nothing was sent") { apple.pushes.count >= 20 }
    kill(first.process.processIdentifier, SIGKILL)
    _ = first.end()
    isSilent.with { $0 = false }
    let left = try await bench.count("push_notices")
    #expect(left >= 15, "what hung was not taken")
    try await endLeases(bench)

    let second = try serve(bench, apple)
    _ = try second.port()
    try await eventually("something was lost") { try await bench.count("push_notices") == 0 }
    kill(second.process.processIdentifier, SIGTERM)
    #expect(second.end().status == 0)
    #expect(apple.refusals == [])
    let bodies = apple.pushes.map { ($0.id, $0.alert["body"] as? String ?? "") }
    #expect(Set(bodies.map(\.1)) == Set((0..<20).map { "message \($0)" }))
    // A second delivery takes the place of the first.
    let names = Dictionary(grouping: bodies) { $0.1 }.mapValues { Set($0.map(\.0)).count }
    #expect(names.values.allSatisfy { $0 == 1 } && Set(bodies.map(\.0)).count == 20)
    try await apple.end()
  }

  @Test func whatIsWrongWithTheKeyIsSaidBeforeAnythingStarts() async throws {
    let bench = try await TestInstance()
    let apple = try await AppleServer()
    try Data("-----BEGIN PRIVATE KEY-----\n".utf8).write(to: apple.keyFile)
    let (status, output) = try serve(bench, apple).end()
    #expect(status != 0)
    #expect(output.contains("no key as Apple gives it out"))
    #expect(!output.contains("BEGIN PRIVATE KEY"))
    try await apple.end()
  }
}

import Foundation
import Platform
import Synchronization
import Testing

@testable import Composition
@testable import PlatformTesting
@testable import PostgreSQL

/// The real PostgreSQL server that `scripts/lib/postgres-server.sh` runs beside the tests. Each test has a
/// database of its own, made from one with all migrations.
enum PostgresServer {
  struct Missing: Error, CustomStringConvertible {
    let description =
      "No PostgreSQL: run these tests with bash scripts/lib/postgres-server.sh swift test … (make test does)."
  }

  static let isThere = ProcessInfo.processInfo.environment["CLIPFEED_TEST_POSTGRES"] != nil

  static func setting(_ name: String = "") throws -> String {
    let variable = "CLIPFEED_TEST_POSTGRES" + name
    guard let value = ProcessInfo.processInfo.environment[variable] else { throw Missing() }
    return value
  }

  /// The address of another database of the same server, with these parameters.
  static func url(
    _ name: String, _ parameters: String = "", of server: String? = nil, host: String? = nil
  ) throws -> String {
    let base = try server ?? setting()
    var url = try #require(URLComponents(string: base))
    url.path = "/" + name
    if let host { url.host = host }
    return try #require(url.string) + (parameters.isEmpty ? "" : "?" + parameters)
  }

  /// A new database with the newest schema.
  static func makeDatabase() async throws -> String {
    let name = "t_" + UUID().uuidString.replacing("-", with: "").lowercased()
    try await admin.run("CREATE DATABASE \(name) TEMPLATE \(try await template.value)")
    return try url(name)
  }

  static func makeEmptyDatabase() async throws -> String {
    let name = "e_" + UUID().uuidString.replacing("-", with: "").lowercased()
    try await admin.run("CREATE DATABASE \(name)")
    return name
  }

  /// Later, and not waited for: the server is gone after the tests anyway, but its folder may be in memory.
  static func drop(_ url: String) {
    guard let name = (try? PostgreSQLAddress(url))?.parameters["dbname"] else { return }
    admin.later("DROP DATABASE IF EXISTS \(name) WITH (FORCE)")
  }

  private static let admin = Admin()
  private static let template = Task {
    let name = "template_\(getpid())"
    try await admin.run("CREATE DATABASE \(name)")
    let address = try PostgreSQLAddress(try url(name))
    let folder = TestFolders.path()
    defer { FileManager.default.removeTestFolder(folder) }
    _ = try await Instance.open(folder.path, database: .postgreSQL(address, .patient))
    return name
  }

  /// A database cannot be made inside of a transaction, so this goes past the port.
  private final class Admin: @unchecked Sendable {
    private let queue = DispatchQueue(label: "postgres-admin")
    private var connection: Connection?

    func run(_ sql: String) async throws {
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
        queue.async { continuation.resume(with: Result { try self.now(sql) }) }
      }
    }

    func later(_ sql: String) { queue.async { try? self.now(sql) } }

    private func now(_ sql: String) throws {
      let connection =
        try connection
        ?? Connection(try PostgreSQLAddress(try PostgresServer.setting()), .patient)
      self.connection = connection
      try connection.control(sql)
    }
  }
}

/// A server of one test alone, which that test may stop and start.
final class OwnPostgresServer: Sendable {
  let url: String
  private let control: String
  private let command: pid_t
  private let input: FileHandle

  init() throws {
    let (input, output) = (Pipe(), Pipe())
    // It lives as long as its command, which lives until it is told to end, or we are gone.
    _ = try ChildProgram(
      "/bin/bash",
      [
        Repository.file("scripts/lib/postgres-server.sh").path, "bash", "-c",
        "echo \"$CLIPFEED_TEST_POSTGRES $CLIPFEED_TEST_POSTGRES_CONTROL $$\"; read -r _ || true",
      ], input: input, output: output)
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    let words = line.split(whereSeparator: \.isWhitespace).map(String.init)
    guard words.count == 3, let command = pid_t(words[2]) else { throw PostgresServer.Missing() }
    (url, control, self.command) = (words[0], words[1], command)
    self.input = input.fileHandleForWriting
  }

  // NB: not waited for. Other children of this process may hold the other end of its input.
  deinit { kill(command, SIGTERM) }

  /// As a crash does: nobody is told, nothing is put in order.
  func stop() async throws { try await run("stop") }
  func start() async throws { try await run("start") }

  private func run(_ word: String) async throws {
    let program = try ChildProgram(control, [word])
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        program.waitUntilExit()
        continuation.resume()
      }
    }
    guard program.terminationStatus == 0 else { throw PostgresServer.Missing() }
  }
}

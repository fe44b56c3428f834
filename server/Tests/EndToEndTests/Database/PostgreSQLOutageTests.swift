import Contract
import Foundation
import Logging
import Platform
import Synchronization
import Testing

@testable import Composition
@testable import PostgreSQL
@testable import ServerTesting

/// A PostgreSQL that crashes and comes back while people use the service.
@Suite(.enabled(if: PostgresServer.isThere)) struct PostgreSQLOutageTests {
  private final class Tally: Sendable {
    private struct Counts {
      var kept: Set<String> = []
      var told = 0
      var wrong: [String] = []
      var isOver = false
    }
    private let counts = Mutex(Counts())

    func keep(_ key: String) { counts.withLock { _ = $0.kept.insert(key) } }
    func told() { counts.withLock { $0.told += 1 } }
    func wrong(_ what: String) { counts.withLock { $0.wrong.append(what) } }
    func end() { counts.withLock { $0.isOver = true } }
    var isOver: Bool { counts.withLock { $0.isOver } }
    var kept: Set<String> { counts.withLock { $0.kept } }
    var wasTold: Int { counts.withLock { $0.told } }
    var wrongs: [String] { counts.withLock { $0.wrong } }
  }

  private func reach(_ what: Comment, _ isThere: () async throws -> Bool) async throws {
    for _ in 0..<2400 {
      // Whoever asks during an outage is told so, and asks again.
      if (try? await isThere()) == true { return }
      try await Task.sleep(for: .milliseconds(50))
    }
    Issue.record(what)
  }

  /// Each from an address of its own, since one may not write as much as this.
  private func comment(
    _ key: String, from address: String, on clip: String, _ transport: SocketTransport, _ tally: Tally
  ) async {
    do {
      let answer = try await transport.send(
        WireRequest(
          "POST", Route.comments.path(clip),
          headers: [
            "content-type": "application/json", "idempotency-key": "outage-\(key)",
            "x-forwarded-for": address,
          ],
          body: Data(#"{"text":"\#(key)"}"#.utf8)))
      switch answer.status {
      case 201: tally.keep(key)
      case 503 where answer.headers["retry-after"] != nil: tally.told()
      default: tally.wrong("\(answer.status) \(String(decoding: answer.body, as: UTF8.self))")
      }
    } catch {
      tally.wrong("\(error)")
    }
  }

  @Test func noCommentThatWasConfirmedIsLostAndAllIsWellWithoutARestart() async throws {
    let server = try OwnPostgresServer()
    let folder = TestFolders.path()
    defer { FileManager.default.removeTestFolder(folder) }
    let address = try PostgreSQLAddress(server.url)
    let instance = try await Instance.open(folder.path, database: .postgreSQL(address))
    let clip = try await instance.publishBare("clip")
    let tally = Tally()

    try await instance.serving(proxies: 1) { transport async throws in
      let client = Client(transport: transport)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for writer in 0..<6 {
          group.addTask {
            var number = 0
            while !tally.isOver {
              await comment(
                "\(writer)-\(number)", from: "10.\(writer).\(number >> 8).\(number & 255)", on: clip,
                transport, tally)
              number += 1
            }
          }
        }
        for round in 1...2 {
          let kept = tally.kept.count
          try await reach("nothing is written before stop \(round)") { tally.kept.count > kept + 20 }
          try await server.stop()
          let told = tally.wasTold
          try await reach("nobody is told that the database is down") { tally.wasTold > told + 20 }
          let ready = try await transport.send(WireRequest("GET", "/readyz"))
          #expect(ready.status == 503)
          try await server.start()
          let before = tally.kept.count
          try await reach("nothing is written after start \(round)") { tally.kept.count > before + 20 }
        }
        tally.end()
        try await group.waitForAll()
      }
      #expect(tally.wrongs == [])
      #expect(try await transport.send(WireRequest("GET", "/readyz")).status == 200)

      var texts: [String] = []
      var cursor: String?
      repeat {
        let page = try await client.comments(on: clip, cursor: cursor, limit: 50)
        texts += page.items.map(\.text)
        cursor = page.nextCursor
      } while cursor != nil
      #expect(Set(texts).count == texts.count, "a comment is there twice")
      #expect(tally.kept.subtracting(texts) == [], "a confirmed comment is lost")
      #expect(try await client.clip(clip).counts.comments == texts.count)
    }
  }

  @Test func aWorkerOutlivesAnOutageInTheMiddleOfItsJob() async throws {
    let server = try OwnPostgresServer()
    let database = PostgreSQLDatabase(try PostgreSQLAddress(server.url))
    try await Migrator(database: database, migrations: Settings.migrations + JobQueue.migrations).migrate()
    let queue = JobQueue(database: database, time: SystemTime())
    try await database.write { try queue.enqueue(kind: "outage", key: "a", payload: "", in: $0) }
    let worker = Worker(
      queue: queue, handlers: [StoppingHandler(server: server)],
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    let running = Task { await worker.run() }
    try await reach("the job is not done") { try await queue.job(kind: "outage", key: "a")?.state == .done }
    running.cancel()
    await running.value
    #expect(try await Settings(database: database).value("effect") == "1", "its effect came not exactly once")
    #expect(try await queue.job(kind: "outage", key: "a")?.attempts == 1, "what was done was thrown away")
  }

  /// Takes the database away while it runs the first time.
  private struct StoppingHandler: JobHandler {
    let kind = "outage"
    let server: OwnPostgresServer

    func run(_ job: Job, under lease: JobLease) async throws -> @Sendable (any Transaction) throws -> Void {
      if job.attempts == 1 {
        try await server.stop()
        try await server.start()
      }
      return {
        try $0.execute(
          """
          INSERT INTO settings (name, value) VALUES ('effect', '1')
          ON CONFLICT (name) DO UPDATE SET value = settings.value || '1'
          """)
      }
    }

    func gaveUp(_ job: Job, because error: AppError, in transaction: any Transaction) throws {}
    func ended(_ job: Job, failure: AppError?) async {}
  }
}

import Accounts
import Contract
import CoreMetrics
import Devices
import FFmpeg
import Foundation
import Live
import LocalBlobs
import Platform
import ServiceLifecycle
import Testing
import Uploads
import Videos

@testable import Composition
@testable import PlatformTesting
@testable import PostgreSQL

/// A data folder of its own with everything real: files, ffmpeg, and SQLite or a database of PostgreSQL, as
/// `OnEveryDatabase` says. Gone with the test.
final class TestInstance: Sendable {
  let folder: URL
  let instance: Instance
  let tools: FFmpegTools
  /// As the program is told it; nil: SQLite in the folder.
  private let database: String?

  init(storage: Storage = .folders) async throws {
    folder = TestFolders.path()
    database = OnEveryDatabase.current == .postgreSQL ? try await PostgresServer.makeDatabase() : nil
    instance = try await Instance.open(
      folder.appendingPathComponent("var").path, storage: storage, database: Self.place(database))
    // The quickest preset: tests look at what is made, not at how small it is.
    tools = try FFmpegTools(preset: "ultrafast")
  }

  deinit {
    FileManager.default.removeTestFolder(folder)
    if let database { PostgresServer.drop(database) }
  }

  private static func place(_ database: String?) throws -> DatabasePlace {
    try database.map { .postgreSQL(try PostgreSQLAddress($0), .patient) } ?? .folder
  }

  /// Another process on the same data, as far as that can be told.
  func another(captioner: OperatorCaptioner? = nil) async throws -> Instance {
    try await Instance.open(instance.folder.path, database: try Self.place(database), captioner: captioner)
  }

  /// What the program is told of the database.
  var environment: [String: String] {
    guard let database, var url = URLComponents(string: database) else { return [:] }
    let password = url.password ?? ""
    url.password = nil
    return ["CLIPFEED_DATABASE": url.string ?? "", "CLIPFEED_DATABASE_PASSWORD": password]
  }

  /// The built program, on the same data.
  func program(_ arguments: [String]) throws -> Program {
    try Program(arguments + ["--data", instance.folder.path], environment: environment)
  }

  /// A source of our own: a moving test picture, and a tone unless `sound` is false.
  func makeClip(
    _ name: String, seconds: Double = 1.5, size: String = "180x320", rate: Int = 30, sound: Bool = true,
    seed: Int = 0
  ) async throws -> URL {
    let url = folder.appendingPathComponent(name)
    let tone = ["-f", "lavfi", "-i", "sine=\(300 + seed * 20):duration=\(seconds)"]
    try await tools.run(
      ["-f", "lavfi", "-i", "testsrc2=size=\(size):rate=\(rate):duration=\(seconds),hue=h=\(seed * 40)"]
        + (sound ? tone : []) + ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p"]
        + (sound ? ["-c:a", "aac"] : []) + ["-f", "mp4", "file:" + url.path],
      in: folder)
    return url
  }

  /// Takes the file through the pipeline; throws the refusal.
  @discardableResult
  func take(_ file: URL, caption: String? = nil) async throws -> String {
    let outcome = try await instance.intake.take(
      fileAt: file, caption: caption, authorHandle: "me", authorName: "Me")
    guard case .accepted(let id) = outcome else { throw AppError(.invalidParameter, "already there") }
    while try await instance.worker(tools: tools).runNext() {}
    let job = try #require(try await instance.queue.job(kind: "transcode", key: id))
    guard job.state == .done else {
      throw AppError(try #require(job.failureCode.flatMap(ErrorCode.init)), job.failureDetail)
    }
    return id
  }

  /// Whether a program works in its folder for jobs: any, or one that has this among its arguments.
  func programWorks(with argument: String = "") -> Bool {
    let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return processes.contains { pid in
      guard Int(pid) != nil, let line = FileManager.default.contents(atPath: "/proc/\(pid)/cmdline") else {
        return false
      }
      let text = String(decoding: line, as: UTF8.self)
      return text.contains(instance.workFolder.path) && text.contains(argument)
    }
  }

  /// What a killed process began ends a moment after it.
  func untilNoProgramWorks() async throws {
    try await eventually("a program outlives who began it") { !programWorks() }
  }

  /// Rows of a table.
  func count(_ table: String) async throws -> Int64 {
    try await instance.database.read {
      try $0.query("SELECT COUNT(*) AS n FROM \(table)")[0].integer("n")
    }
  }

  @discardableResult
  func publishBare(_ caption: String, by author: String? = nil) async throws -> String {
    try await instance.publishBare(caption, by: author)
  }

  /// Runs the real server on a free port while the body talks to it.
  func serving<Value: Sendable>(
    web: String? = nil, comments: Commenting = .open, uploads: UploadRules = UploadRules(), proxies: Int = 0,
    origin: String? = nil, allowedOrigins: [String] = [], accounts: Accounts? = nil,
    time: (any TimeSource)? = nil, cache: (any SharedCache)? = nil, security: SecurityLog = SecurityLog(),
    metrics: any MetricsFactory = NOOPMetricsHandler.instance,
    _ body: @escaping @Sendable (SocketTransport) async throws -> Value
  ) async throws -> Value {
    try await instance.serving(
      web: web ?? folder.path, comments: comments, uploads: uploads, proxies: proxies, origin: origin,
      allowedOrigins: allowedOrigins, accounts: accounts, time: time, cache: cache, security: security,
      metrics: metrics, body)
  }

  /// The same with accounts whose passwords cost nothing, by a clock of the test.
  func servingAccounts(
    _ clock: TestTime, origin: String? = nil, proxies: Int = 0,
    _ body: @escaping @Sendable (SocketTransport) async throws -> Void
  ) async throws {
    let accounts = try await instance.accounts(hashing: CountingPasswords(), time: clock)
    try await serving(proxies: proxies, origin: origin, accounts: accounts, time: clock, body)
  }
}

extension Instance {
  /// A visible clip without any media, for tests of the feed alone. `author`: an account's id; nil: one of an
  /// import.
  @discardableResult
  func publishBare(
    _ caption: String, visibility: Visibility = .public, by author: String? = nil
  ) async throws -> String {
    let hash = ContentHash.of(Array(caption.utf8))
    var draft = ClipStore.Draft(sourceHash: hash, caption: caption, authorHandle: "me", authorName: "Me")
    draft.visibility = visibility
    draft.authorID = author
    let clip = try await clips.register(draft).clip
    let rendition = Rendition(
      name: "360", url: "/media/x.mp4", width: 360, height: 640, frameRate: 30, codecs: "avc1.64001e",
      peakBps: 1, averageBps: 1, initialization: ByteRange(offset: 0, size: 1), segments: [])
    try await database.write { [clips] in
      try clips.publish(
        clip.clipID, poster: Poster(url: "/media/x.jpg", width: 1, height: 1, placeholder: ""),
        playback: Playback(durationMs: 1000, hlsUrl: "/media/x.m3u8", renditions: [rendition]), in: $0)
    }
    return clip.clipID
  }

  /// Writes down that a public clip needs the blob: what no clip needs is nobody's.
  func publish(_ blob: BlobName) async throws {
    try await put(blob, into: try await publishBare("\(blob)"))
  }

  func put(_ blob: BlobName, into clip: String) async throws {
    try await database.write {
      try $0.execute(
        "INSERT INTO clip_blobs (clip_id, name) VALUES (?, ?)", [.text(clip), .text("\(blob)")])
    }
  }

  func serving<Value: Sendable>(
    web: String = "/nowhere", comments: Commenting = .open, uploads: UploadRules = UploadRules(),
    proxies: Int = 0, origin: String? = nil, allowedOrigins: [String] = [], accounts: Accounts? = nil,
    time: (any TimeSource)? = nil, cache: (any SharedCache)? = nil, live: LiveHub? = nil,
    security: SecurityLog = SecurityLog(), apps: [String] = [], pushTopic: String? = nil,
    webPush: (any WebReaching)? = nil,
    metrics: any MetricsFactory = NOOPMetricsHandler.instance,
    _ body: @escaping @Sendable (SocketTransport) async throws -> Value
  ) async throws -> Value {
    let gateway = try await gateway(
      web: web, comments: comments, uploads: uploads, proxies: proxies, origin: origin,
      allowedOrigins: allowedOrigins, accounts: accounts, time: time, cache: cache, live: live,
      // However busy the tests keep the machine.
      readiness: readiness(cache: cache, patience: .seconds(120), keptMs: 0), security: security,
      apps: apps, pushTopic: pushTopic, webPush: webPush, metrics: metrics)
    let (ports, port) = AsyncStream.makeStream(of: Int.self)
    let server = Task {
      try await WebServer.application(DescribedAnswers(gateway: gateway), host: "127.0.0.1", port: 0) {
        port.yield($0)
      }.run()
    }
    var iterator = ports.makeAsyncIterator()
    let outcome: Result<Value, any Error>
    do {
      outcome = .success(try await body(SocketTransport(port: try #require(await iterator.next()))))
    } catch {
      outcome = .failure(error)
    }
    await endServer(server)
    return try outcome.get()
  }
}

/// What a server is still doing, it would do in the folder of a test that is over. Ten seconds are waited at
/// most: who was connected may hold it up.
func endServer(_ server: Task<Void, any Error>) async {
  server.cancel()
  let isOver = Shared(false)
  Task {
    _ = await server.result
    isOver.with { $0 = true }
  }
  for _ in 0..<1000 where !isOver.with({ $0 }) { try? await Task.sleep(for: .milliseconds(10)) }
}

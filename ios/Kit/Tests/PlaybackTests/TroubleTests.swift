import Contract
import CoreTypes
import Foundation
import MediaStore
import PlaybackTesting
import Prefetch
import Session
import Testing

@testable import Playback

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What becomes of a session when server, network or clock are not as they should be: it goes on with what is
/// there, nothing wrong is kept, and what went wrong is there for whoever tells people.
@MainActor @Suite struct TroubleTests {
  private let memory = SegmentMemory()

  /// Everything real but players and screen: the feed from a server, and its media.
  private func host(_ base: URL, left: [Clip] = [], patience: TimeInterval = 15) -> SessionHost {
    let transport = HTTPTransport(base: base, patience: patience)
    var ports = samplePorts(memory: memory, left: left)
    ports.transport = transport
    ports.source = Client(transport: transport)
    ports.base = base
    return SessionHost(ports)
  }

  private nonisolated static func page(_ clips: [Clip]) -> StubServer.Answer {
    let body = (try? WireCoding.encode(FeedPage(items: clips, nextCursor: nil))) ?? Data()
    return StubServer.Answer("200 OK", ["Content-Type: application/json"], body)
  }

  /// The session's trouble once its first page has failed; what the last visit left still stands there.
  private func trouble(at base: URL, patience: TimeInterval = 15) async -> (any Error)? {
    let host = host(base, left: [sampleClip("left")], patience: patience)
    var told = 0
    host.onTrouble = { _ in told += 1 }
    var failures = 0
    host.observer = { event, _, _ in if case .pageFailed = event { failures += 1 } }
    host.start(FeedSession.Configuration())
    #expect(await eventually { failures > 0 })
    #expect(host.feed.size == 1)
    #expect(told == 1)
    await host.stop()
    return host.trouble
  }

  @Test func aServerThatIsGone() async {
    let server = StubServer { _ in StubServer.Answer(Data()) }
    server.stop()
    #expect((await trouble(at: server.url) as? URLError)?.code == .cannotConnectToHost)
  }

  @Test func aServerThatHangsUp() async {
    let server = StubServer { _ in StubServer.Answer(Data()) }
    #expect(await trouble(at: server.url) is URLError)
    server.stop()
  }

  @Test func aServerThatSaysNothing() async {
    let server = StubServer { _ in StubServer.Answer(Data(), isLast: false) }
    #expect((await trouble(at: server.url, patience: 1) as? URLError)?.code == .timedOut)
    server.stop()
  }

  /// The app's transport tells by the answer's kind (`APIError.intercepted`); here it is no feed.
  @Test(arguments: ["200 OK", "302 Found"])
  func aNetworkThatWantsPeopleToSignIn(status: String) async {
    let html = Data("<!DOCTYPE html><title>Hotel</title>".utf8)
    let server = StubServer { head in
      head.hasPrefix("GET /welcome ")
        ? StubServer.Answer("200 OK", ["Content-Type: text/html"], html)
        : StubServer.Answer(status, ["Content-Type: text/html", "Location: /welcome"], html)
    }
    #expect(await trouble(at: server.url) is DecodingError)
    server.stop()
  }

  @Test(arguments: [503, 502, 429]) func aServerThatIsBusy(status: Int) async {
    let server = StubServer { _ in StubServer.Answer("\(status) No", [], Data("<html>".utf8)) }
    #expect((await trouble(at: server.url) as? Problem)?.status == status)
    server.stop()
  }

  @Test func aCertificateThatNobodyTrusts() async throws {
    // NB: off the main actor, where waiting for a process hears nothing.
    let tls = try await Task.detached { try TLSServer() }.value
    let error = try #require(await trouble(at: tls.url) as? URLError)
    // Linux has no code of its own for it; the phone's are tested with their sentences.
    #expect(error.localizedDescription.contains("certificate"))
    tls.stop()
  }

  @Test func troubleIsOverWithTheNextPage() async {
    let host = SessionHost(
      samplePorts(
        source: FakeSource([
          .failure(Problem(.unavailable, requestID: "")),
          .success(FeedPage(items: [sampleClip("a")], nextCursor: nil)),
        ])))
    var told: [Int?] = []
    host.onTrouble = { told.append(($0 as? Problem)?.status) }
    await host.feed.requestPage()
    await host.feed.requestPage()
    #expect(told == [503, nil])
    await host.stop()
  }

  /// Answers of the media server that are not what was asked for, and what the core hears of each.
  nonisolated static let media:
    [(String, Prefetch.FailureReason, @Sendable (Range<Int>) -> StubServer.Answer)] =
      [
        ("gone", .gone, { _ in StubServer.Answer("404 Not Found", [], Data()) }),
        ("a page of a network", .server, { _ in StubServer.Answer("200 OK", [], Data("<html>".utf8)) }),
        ("a shorter file", .server, { range in body(range, says: range.lowerBound..<range.upperBound - 60) }),
        (
          "another place", .server,
          { range in body(range, says: range.lowerBound + 1..<range.upperBound + 1) }
        ),
        ("cut off", .network, { range in body(range, says: range, bytes: range.count - 60) }),
        ("more than said", .network, { range in body(range, says: range, bytes: range.count + 90) }),
        ("the file is shorter than it was", .gone, { _ in StubServer.Answer("416 No", [], Data()) }),
      ]

  private nonisolated static func body(
    _ range: Range<Int>, says: Range<Int>, bytes: Int? = nil
  ) -> StubServer.Answer {
    StubServer.Answer(
      "206 Partial Content",
      ["Content-Range: bytes \(says.lowerBound)-\(says.upperBound - 1)/99999"],
      Data(repeating: 1, count: bytes ?? says.count), length: range.count)
  }

  @Test(arguments: media.indices) func mediaThatIsNotWhatWasAskedFor(number: Int) async throws {
    let (name, reason, answer) = Self.media[number]
    let server = StubServer { head in
      guard let range = askedRange(head) else { return Self.page([sampleClip("a")]) }
      return answer(range)
    }
    let host = host(server.url)
    var failures: [Prefetch.FailureReason] = []
    host.observer = { event, _, _ in
      if case .fetchFailed(_, let reason) = event { failures.append(reason) }
    }
    host.start(FeedSession.Configuration())
    host.report(.viewportResized(height: 844, shortEdge: 1170))
    // A body that is longer than its head says is cut there: then all is well.
    #expect(await eventually { memory.best(0, 0) != nil || !failures.isEmpty })
    if name == "more than said", failures.isEmpty {
      #expect(memory.size == 250)
    } else {
      #expect(failures.first == reason, "\(name)")
      // Only segments that came whole are kept.
      #expect(memory.bytes(of: SegmentKey(item: 0, rendition: 1, segment: 0)) == nil, "\(name)")
    }
    await host.stop()
    server.stop()
  }

  @Test func aClipThatIsGoneIsLeftOutAndTheNextOnePlays() async throws {
    let server = StubServer { head in
      guard let range = askedRange(head) else { return Self.page([sampleClip("gone"), sampleClip("there")]) }
      if head.contains("gone") { return StubServer.Answer("404 Not Found", [], Data()) }
      return Self.body(range, says: range)
    }
    let host = host(server.url)
    var skipped: [Int32] = []
    host.observer = { _, _, commands in
      for case .noticeSkipped(let item) in commands { skipped.append(item.rawValue) }
    }
    host.start(FeedSession.Configuration())
    host.report(.viewportResized(height: 844, shortEdge: 1170))
    #expect(await eventually { skipped == [0] })
    #expect(await eventually { memory.best(1, 0) != nil })
    await host.stop()
    server.stop()
  }

  /// Of a file whose size nobody knows: it comes whole, or not at all.
  @Test(arguments: [
    ("200 OK", [], 9, 9, nil), ("206 Partial Content", ["Content-Range: bytes 0-8/9"], 9, 9, nil),
    ("206 Partial Content", ["Content-Range: bytes 0-8/12"], 9, 9, TransferFailure.server),
    ("206 Partial Content", ["Content-Range: bytes 1-9/10"], 9, 9, .server),
    ("206 Partial Content", ["Content-Range: bytes 0-x/x"], 9, 9, .server),
    ("200 OK", [], 9, 12, .network), ("200 OK", [], 21, 21, .server), ("404 Not Found", [], 9, 9, .gone),
  ])
  func aWholeFile(
    _ status: String, _ headers: [String], _ bytes: Int, _ length: Int, _ failure: TransferFailure?
  ) async throws {
    let body = Data(repeating: 7, count: bytes)
    let server = StubServer { _ in StubServer.Answer(status, headers, body, length: length) }
    let transport = HTTPTransport(base: server.url)
    var got = Data()
    var thrown: TransferFailure?
    do {
      for try await chunk in transport.bytes(of: .file(server.url, most: 20)) { got += chunk }
    } catch let failure as TransferFailure {
      thrown = failure
    }
    #expect(thrown == failure)
    if failure == nil { #expect(got == body) }
    transport.invalidate()
    server.stop()
  }
}

/// A server with a certificate that nobody has signed but itself.
private final class TLSServer: @unchecked Sendable {
  let url: URL
  private let process: Process
  private let folder = TemporaryFolder.path()

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let make = Process()
    make.executableURL = URL(filePath: "/usr/bin/env")
    make.currentDirectoryURL = folder
    make.arguments =
      "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost -keyout key -out crt"
      .split(separator: " ").map(String.init)
    make.standardError = FileHandle.nullDevice
    try make.run()
    make.waitUntilExit()
    var server = Process()
    var port: UInt16 = 0
    for _ in 0..<10 {
      // A port that nobody has: the system chose it a moment ago. Another test may be faster.
      let probe = StubServer { _ in StubServer.Answer(Data()) }
      probe.stop()
      (server, port) = (Process(), probe.port)
      if try TLSServer.listens(server, at: port, in: folder) { break }
    }
    process = server
    url = URL(string: "https://localhost:\(port)/")!
  }

  /// Runs it. It ends at once where the port is taken.
  private static func listens(_ process: Process, at port: UInt16, in folder: URL) throws -> Bool {
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.currentDirectoryURL = folder
    process.arguments = [
      "openssl", "s_server", "-accept", "\(port)", "-cert", "crt", "-key", "key", "-www",
    ]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    try process.run()
    // It says ACCEPT when it listens.
    var said = ""
    while !said.contains("ACCEPT"), let more = try output.fileHandleForReading.read(upToCount: 1),
      !more.isEmpty
    {
      said += String(decoding: more, as: UTF8.self)
    }
    return said.contains("ACCEPT")
  }

  func stop() {
    process.terminate()
    try? FileManager.default.removeItem(at: folder)
  }
}

import Foundation
import Testing

@testable import FFmpeg
@testable import Generation
@testable import PlatformTesting

/// A program of the operator's that makes videos.
@Suite struct CommandVideoTests {
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("command-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  /// `script`: of the shell.
  private func provider(
    _ script: String, _ change: (inout CommandVideoProvider.Settings) -> Void = { _ in }
  ) throws -> CommandVideoProvider {
    var settings = CommandVideoProvider.Settings(command: ["/bin/sh", "-c", script])
    change(&settings)
    return try CommandVideoProvider(name: "own", settings, folder: folder.appendingPathComponent("runs"))
  }

  private func request(_ prompt: String = "a boat") -> VideoRequest {
    VideoRequest(prompt: prompt, seconds: 5, aspect: .portrait)
  }

  private func failure(_ status: VideoStatus) -> ProviderFailure.Code? {
    guard case .failed(let failure) = status else { return nil }
    return failure.code
  }

  private func code(_ work: () async throws -> some Any) async -> ProviderFailure.Code? {
    do {
      _ = try await work()
      return nil
    } catch { return (error as? ProviderFailure)?.code }
  }

  /// How it ends.
  private func end(_ provider: CommandVideoProvider, _ id: String) async throws -> VideoStatus {
    var status = try await provider.status(of: id)
    try await eventually("it ends") {
      status = try await provider.status(of: id)
      if case .inProgress = status { return false }
      return true
    }
    return status
  }

  private func room(_ id: String) -> URL {
    folder.appendingPathComponent("runs").appendingPathComponent(id).appendingPathComponent("room")
  }

  private func clean() { try? FileManager.default.removeItem(at: folder) }

  @Test func itReadsWhatIsWantedAndWritesAVideo() async throws {
    defer { clean() }
    let provider = try provider("cat > seen; echo progress 0.25; cat picture seen > video.mp4") {
      $0.takesPictures = true
    }
    let picture = folder.appendingPathComponent("start.png")
    try Data("picture:".utf8).write(to: picture)
    var request = request("a \"boat\"\n$(touch hacked) `touch hacked` 🛶")
    request.picture = picture
    let id = try await provider.create(request, key: "job/1")
    #expect(try await end(provider, id) == .completed)
    let made = folder.appendingPathComponent("made.mp4")
    try await provider.content(of: id, into: made, atMost: 10_000)
    let text = try String(contentsOf: made, encoding: .utf8)
    #expect(text.hasPrefix("picture:"))
    let wanted = try #require(
      JSONSerialization.jsonObject(with: Data(text.dropFirst(8).utf8)) as? [String: Any])
    #expect(wanted["prompt"] as? String == request.prompt)
    #expect(wanted["seconds"] as? Int == 5)
    #expect(wanted["aspect"] as? String == "9:16")
    #expect(wanted["width"] as? Int == 720)
    #expect(wanted["height"] as? Int == 1280)
    #expect(wanted["picture"] as? String == "picture")
    #expect(wanted["output"] as? String == "video.mp4")
    #expect(!FileManager.default.fileExists(atPath: room(id).appendingPathComponent("hacked").path))
  }

  @Test func whoeverSharesTheFolderSeesHowFarItIs() async throws {
    defer { clean() }
    let script = "echo progress 0.25; while [ ! -e go ]; do sleep 0.1; done; echo x > video.mp4"
    let (one, other) = (try provider(script), try provider("false"))
    let id = try await one.create(request(), key: "k")
    try await eventually("it is a quarter") {
      try await other.status(of: id) == .inProgress(permille: 250, pollAfter: nil)
    }
    // Begun already, whoever asks for it.
    #expect(try await other.create(request(), key: "k") == id)
    #expect(await code { try await one.create(request(), key: "another") } == .capacity)
    try Data().write(to: room(id).appendingPathComponent("go"))
    #expect(try await end(other, id) == .completed)
  }

  @Test(arguments: [
    ("exit 3", ProviderFailure.Code.contentPolicy), ("exit 4", .invalid), ("exit 1", .providerError),
    ("kill -9 $$", .providerError), ("exit 0", .providerError), (": > video.mp4", .providerError),
    ("ln -s /etc/passwd video.mp4", .providerError), ("mkdir video.mp4", .providerError),
    ("echo x > video.mp4; exit 3", .contentPolicy),
  ])
  func howItEndsIsOneOfOurCodes(_ script: String, _ expected: ProviderFailure.Code) async throws {
    defer { clean() }
    let provider = try provider(script)
    let id = try await provider.create(request(), key: "k")
    #expect(try failure(await end(provider, id)) == expected)
    let made = folder.appendingPathComponent("made.mp4")
    #expect(await code { try await provider.content(of: id, into: made, atMost: 10_000) } == .expired)
    #expect(!FileManager.default.fileExists(atPath: made.path))
  }

  @Test func whatTakesTooLongIsEnded() async throws {
    defer { clean() }
    let provider = try provider("sleep 600") { $0.wallSeconds = 1 }
    let id = try await provider.create(request(), key: "k")
    #expect(try failure(await end(provider, id)) == .timeout)
  }

  /// By somebody else, even.
  @Test func whatIsCancelledEnds() async throws {
    defer { clean() }
    let (one, other) = (try provider("sleep 600"), try provider("false"))
    let id = try await one.create(request(), key: "k")
    try await other.cancel(id)
    try await eventually("it is gone") { try await failure(one.status(of: id)) == .expired }
    try await eventually("there is room again") {
      await code { try await one.create(request(), key: "another") } == nil
    }
    // Nothing runs on behind the test.
    let runs = folder.appendingPathComponent("runs").path
    for id in try FileManager.default.contentsOfDirectory(atPath: runs) { try await one.cancel(id) }
    try await eventually("all are gone") {
      try FileManager.default.contentsOfDirectory(atPath: runs).isEmpty
    }
  }

  @Test func whatAnotherProcessLeftBehindHasExpired() async throws {
    defer { clean() }
    let provider = try provider("true")
    let id = "run-" + String(repeating: "0a", count: 16)
    try FileManager.default.createDirectory(at: room(id), withIntermediateDirectories: true)
    try Data().write(to: room(id).deletingLastPathComponent().appendingPathComponent("lock"))
    #expect(try await failure(provider.status(of: id)) == .expired)
    try await provider.cancel(id)
    #expect(!FileManager.default.fileExists(atPath: room(id).path))
  }

  @Test(arguments: [
    "", "..", "../runs", "run-", "run-" + String(repeating: "A", count: 32), "/etc", "run-../../x",
  ])
  func anIdLeadsNowhereElse(_ id: String) async throws {
    defer { clean() }
    let provider = try provider("true")
    let runs = folder.appendingPathComponent("runs")
    try FileManager.default.createDirectory(at: runs, withIntermediateDirectories: true)
    #expect(try await failure(provider.status(of: id)) == .expired)
    try await provider.cancel(id)
    #expect(FileManager.default.fileExists(atPath: runs.path))
  }

  @Test func whatIsTooLargeOrThereAlreadyIsNotCopied() async throws {
    defer { clean() }
    let provider = try provider("printf 12345 > video.mp4")
    let id = try await provider.create(request(), key: "k")
    #expect(try await end(provider, id) == .completed)
    let made = folder.appendingPathComponent("made.mp4")
    #expect(await code { try await provider.content(of: id, into: made, atMost: 4) } == .invalid)
    #expect(!FileManager.default.fileExists(atPath: made.path))
    try Data("mine".utf8).write(to: made)
    #expect(await code { try await provider.content(of: id, into: made, atMost: 5) } == .providerError)
    #expect(try String(contentsOf: made, encoding: .utf8) == "mine")
  }

  @Test func nothingOfOursIsInItsEnvironment() async throws {
    defer { clean() }
    setenv("CLIPFEED_TRIED_SECRET", "s3cret", 1)
    defer { unsetenv("CLIPFEED_TRIED_SECRET") }
    for isConfined in [true, false] {
      let provider = try provider("env > video.mp4") { $0.isConfined = isConfined }
      let id = try await provider.create(request(), key: "\(isConfined)")
      #expect(try await end(provider, id) == .completed)
      let made = folder.appendingPathComponent("made-\(isConfined)")
      try await provider.content(of: id, into: made, atMost: 1 << 20)
      #expect(try !String(contentsOf: made, encoding: .utf8).contains("s3cret"))
    }
  }

  @Test func whatItDoesNotTakeIsNotBegun() async throws {
    defer { clean() }
    let provider = try provider("true")
    var (long, changed, started) = (request(), request(), request())
    long.seconds = 7
    changed.refined = "run-x"
    started.picture = folder.appendingPathComponent("start.png")
    for wrong in [long, changed, started] {
      #expect(await code { try await provider.create(wrong, key: "k") } == .invalid)
    }
  }

  @Test(arguments: [[], [""], ["/no/such/program"], ["no-such-program-anywhere"], ["/etc/passwd"]])
  func aProgramThatIsNotThereIsSaidAtOnce(_ command: [String]) {
    defer { clean() }
    #expect(throws: (any Error).self) {
      try CommandVideoProvider(name: "x", .init(command: command), folder: folder)
    }
  }

  @Test func progressIsALineOfItsOwn() {
    defer { clean() }
    #expect(CommandVideoProvider.permille(in: "progress 0.25") == 250)
    #expect(CommandVideoProvider.permille(in: "progress 7") == 1000)
    #expect(CommandVideoProvider.permille(in: "progress -1") == 0)
    for line in ["progress", "progress nan", "progress much", "25%", "progress 1e999"] {
      #expect(CommandVideoProvider.permille(in: Substring(line)) == nil)
    }
  }
}

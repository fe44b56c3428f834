import Contract
import FFmpeg
import Foundation
import LocalBlobs
import Platform
import SQLite
import ServiceLifecycle
import Testing
import Videos

@testable import Composition
@testable import PlatformTesting
@testable import ServerTesting

// One after the other: each keeps a whole core busy with ffmpeg.
@Suite(.serialized) struct ProcessTests {
  /// In steps of 50 ms, ten minutes: whoever converts gives way to all that runs beside it, and where hundreds of
  /// tests do, one that waits for it may wait for two minutes.
  private static let patience = 12_000

  /// Waits for a state of the outside world, with an end.
  private func eventually(_ what: Comment, _ condition: () async throws -> Bool) async throws {
    for _ in 0..<Self.patience {
      if try await condition() { return }
      try await Task.sleep(for: .milliseconds(50))
    }
    Issue.record(what)
  }

  /// Waits for the end of the only job for as long as it gets on: ffmpeg gives way to everything else on a
  /// busy machine.
  private func untilDone(on bench: TestInstance) async throws {
    var (last, rounds) = ("", 0)
    while rounds < Self.patience {
      guard let job = try await bench.instance.queue.open().first else { return }
      let progress = "\(job.step) \(job.progressPermille)"
      rounds = progress == last ? rounds + 1 : 0
      last = progress
      try await Task.sleep(for: .milliseconds(50))
    }
    Issue.record("the job stands still at \(last)")
  }

  /// A source that keeps the default preset busy for some seconds, and makes no job but its own.
  private func slowClip(_ bench: TestInstance) async throws -> URL {
    try await bench.makeClip("slow.mp4", seconds: 12, size: "720x1280", sound: false)
  }

  private func isTranscoding(_ bench: TestInstance) async throws -> Bool {
    try await bench.instance.queue.open().contains {
      $0.state == .running && $0.step == "transcoding" && $0.progressPermille > 50
    }
  }

  @Test func aProcessKilledInTheMiddleOfATranscodeLeavesNothingVisibleAndTheNextOneFinishes() async throws {
    let bench = try await TestInstance()
    let data = bench.instance.folder.path
    let file = try await slowClip(bench)
    let first = try Program(["import", file.path, "--data", data])
    // NB: seen by its process, since progress is written down twice a second, and by the second time the
    // first rendition may be there for all to see.
    try await eventually("the transcode never started") { bench.programWorks(with: "/360.mp4") }
    kill(first.process.processIdentifier, SIGKILL)
    _ = first.end()
    try await eventually("ffmpeg outlived its parent") { !bench.programWorks() }
    try await bench.serving { transport async throws in
      #expect(try await Client(transport: transport).feed().items.isEmpty)
    }
    #expect(try await bench.instance.queue.open().map(\.state) == [.running])
    // A dead owner's job must not wait for the end of its lease, which is out of reach here.
    try await bench.instance.database.write {
      try $0.execute("UPDATE jobs SET lease_until_ms = lease_until_ms + 86400000")
    }
    let second = try Program(["work", "--data", data])
    try await eventually("nobody took the job over") {
      let job = try await bench.instance.queue.open().first
      return job == nil || job?.fencing == 2
    }
    try await untilDone(on: bench)
    kill(second.process.processIdentifier, SIGTERM)
    #expect(second.end().status == 0)
    try await bench.serving { transport async throws in
      #expect(try await Client(transport: transport).feed().items.map(\.playback.durationMs) == [12000])
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: bench.instance.workFolder.path).isEmpty)

    let again = try Program(["import", file.path, "--data", data]).end()
    #expect(again.status == 0)
    #expect(again.output.contains("imported 0, already there 1, refused 0"))
  }

  @Test func aServerThatIsToldToStopEndsCleanlyAndGivesItsJobBack() async throws {
    let bench = try await TestInstance()
    let file = try await slowClip(bench)
    _ = try await bench.instance.intake.take(fileAt: file, caption: nil, authorHandle: "me", authorName: "Me")
    let server = try Program(["serve", "--port", "0", "--data", bench.instance.folder.path])
    _ = try server.wait(for: "Clipfeed is running: http://127.0.0.1:")
    try await eventually("the transcode never started") { try await isTranscoding(bench) }
    kill(server.process.processIdentifier, SIGTERM)
    let (status, output) = server.end()
    #expect(status == 0)
    #expect(output.contains("Clipfeed has stopped."))
    #expect(!bench.programWorks())
    let jobs = try await bench.instance.queue.open()
    #expect(jobs.map(\.state) == [.queued])
    #expect(jobs.map(\.attempts) == [0])
    #expect(try FileManager.default.contentsOfDirectory(atPath: bench.instance.workFolder.path).isEmpty)
  }

  @Test func aTakenPortIsExplained() async throws {
    let bench = try await TestInstance()
    try await bench.serving { transport async throws in
      let other = try Program(["serve", "--port", "\(transport.port)", "--data", bench.instance.folder.path])
        .end()
      #expect(other.status == 1)
      #expect(other.output.contains("is taken by another program"))
      #expect(other.output.contains("--port"))
    }
  }

  @Test func anImportOfAFolderGoesOnAfterBadFilesAndSaysSo() async throws {
    let bench = try await TestInstance()
    let folder = bench.folder.appendingPathComponent("in")
    let names = ["-i.mp4", "$(touch x).mp4", "http:x.mp4", "%d.mp4", "\u{202E}gpj.mp4", "it's|a;b&c.mp4"]
    try FileManager.default.createDirectory(
      at: folder.appendingPathComponent("sub"), withIntermediateDirectories: true)
    for (seed, name) in names.enumerated() {
      let clip = try await bench.makeClip(
        "seed\(seed).mp4", seconds: 0.5, size: "64x96", sound: false, seed: seed)
      try FileManager.default.moveItem(at: clip, to: folder.appendingPathComponent("sub/\(name)"))
    }
    try Data("no".utf8).write(to: folder.appendingPathComponent("notes.mp4"))
    try Data("hidden".utf8).write(to: folder.appendingPathComponent(".hidden.mp4"))
    try FileManager.default.createSymbolicLink(
      atPath: folder.appendingPathComponent("sub/loop").path, withDestinationPath: "..")
    let (status, output) = try Program([
      "import", folder.path, "--data", bench.instance.folder.path, "--author", "ann",
    ]).end()
    #expect(status == 1)
    #expect(output.contains("imported 6, already there 0, refused 1"), "\(output)")
    #expect(output.contains("notes.mp4: not_a_video: "))
    #expect(!output.contains("\u{202E}"))
    #expect(!output.contains("hidden"))
    try await bench.serving { transport async throws in
      let items = try await Client(transport: transport).feed().items
      #expect(Set(items.map(\.author.handle)) == ["ann"])
      #expect(items.map(\.caption).contains("it's|a;b&c"))
    }
  }
}

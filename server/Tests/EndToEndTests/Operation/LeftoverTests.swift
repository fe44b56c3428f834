import Contract
import Foundation
import LocalBlobs
import Platform
import SQLite
import Testing
import Videos

@testable import Composition
@testable import PlatformTesting
@testable import ServerTesting

/// What the last run left, or somebody else did.
@Suite(.serialized) struct LeftoverTests {
  private func fill(_ folder: URL, _ bench: TestInstance) throws {
    let files = FileManager.default
    try files.createDirectory(
      at: folder.appendingPathComponent("018f-job.3/inner/deep"), withIntermediateDirectories: true)
    for name in [
      "intake-1.bin", "018f-job.3/source.bin", "018f-job.3/inner/deep/360.mp4", ".hidden", "a b\n.tmp",
    ] {
      try Data("half of it".utf8).write(to: folder.appendingPathComponent(name))
    }
    try files.setAttributes(
      [.posixPermissions: 0], ofItemAtPath: folder.appendingPathComponent("018f-job.3/inner").path)
    symlink("/nowhere", folder.appendingPathComponent("dangling").path)
    symlink(".", folder.appendingPathComponent("loop").path)
    mkfifo(folder.appendingPathComponent("fifo").path, 0o600)
    // A name that is no UTF-8.
    let bytes: [UInt8] = Array(folder.path.utf8) + [0x2F, 0xFF, 0xFE, 0x61, 0]
    let file = bytes.map { CChar(bitPattern: $0) }.withUnsafeBufferPointer { creat($0.baseAddress!, 0o600) }
    if file >= 0 { close(file) }
    // Long ago, so that whoever removes leftovers has them before him.
    for name in ["intake-1.bin", "fifo", "loop", "dangling", "018f-job.3"] {
      var past = [timeval(tv_sec: 1_000_000_000, tv_usec: 0), timeval(tv_sec: 1_000_000_000, tv_usec: 0)]
      lutimes(folder.appendingPathComponent(name).path, &past)
    }
  }

  /// Jobs of every state, and of some that no version ever wrote.
  private func leaveJobs(_ instance: Instance) async throws {
    let far: Int64 = 9_000_000_000_000_000
    let rows: [(state: String, owner: String?, attempts: Int64, lease: Int64?, kind: String)] = [
      ("running", "gone:1/2147483647/1", 1, 1, "transcode"), ("running", "gibberish", 3, 5, "transcode"),
      ("running", nil, 0, 1, "cover"),
      ("running", ProcessIdentity.current.description + "0", 2, far, "storyboard"),
      ("queued", "x/y/z", 99, 1, "transcode"), ("queued", nil, -5, nil, "unheard-of"),
      ("failed", nil, 3, nil, "transcode"), ("done", nil, 1, nil, "cover"),
      ("gone wrong", nil, 1, nil, "cover"),
    ]
    try await instance.database.write { transaction in
      for (number, row) in rows.enumerated() {
        try transaction.execute(
          """
          INSERT INTO jobs (id, kind, job_key, payload, account, priority, state, attempts, run_at_ms, owner,
              lease_until_ms, fencing, step, progress_permille, parts, failure_code, failure_detail, created_at_ms,
              updated_at_ms)
          VALUES (?, ?, ?, 'no hash', '', -7, ?, ?, 0, ?, ?, 0, 'x', 70000, 'a:b c :: 360:ready', 'no_such_code', 'x',
              0, 0)
          """,
          [
            .text("left-\(number)"), .text(row.kind), .text("left-\(number)"), .text(row.state),
            .integer(row.attempts), row.owner.map { .text($0) } ?? .null, SQLValue(row.lease),
          ])
      }
      try transaction.execute("INSERT INTO settings (name, value) VALUES ('swept_at_ms', 'never')")
    }
  }

  @Test func aServerStartsAndConvertsWhateverTheLastRunLeft() async throws {
    let bench = try await TestInstance()
    let data = bench.folder.appendingPathComponent("left")
    do {
      let instance = try await Instance.open(data.path)
      try await leaveJobs(instance)
    }
    for name in ["work", "uploads", "media", "media/incoming", "sources/incoming"] {
      try fill(data.appendingPathComponent(name), bench)
    }
    for name in ["clipfeed.sqlite-wal", "clipfeed.sqlite-shm", "clipfeed.sqlite-journal", "clipfeed.lock"] {
      try Data(repeating: 0x5A, count: 40_000).write(to: data.appendingPathComponent(name))
    }
    let server = try Program(["serve", "--port", "0", "--data", data.path])
    let transport = SocketTransport(port: try server.port())
    try await eventually("it never is ready") {
      try await transport.send(WireRequest("GET", "/readyz")).status == 200
    }
    let clip = try await bench.makeClip("new.mp4", seconds: 0.5)
    let imported = try Program(["import", clip.path, "--workers", "0", "--data", data.path]).end()
    #expect(imported.status == 0 && imported.output.contains("imported 1"), "\(imported.output)")
    // Nothing that could ever be done is left undone, and nothing is done for ever.
    let instance = try await Instance.open(data.path)
    try await eventually("leftover jobs never end", minutes: 10) {
      try await instance.queue.open().allSatisfy { $0.state == .failed || $0.kind == "unheard-of" }
    }
    #expect(try await transport.send(WireRequest("GET", "/api/v1/feed")).status == 200)
    kill(server.process.processIdentifier, SIGTERM)
    #expect(server.end().status == 0)
  }
}

import Contract
import FFmpeg
import Foundation
import Platform
import Testing

@testable import Composition
@testable import PlatformTesting
@testable import ServerTesting

/// Who on the machine can read a data folder.
@Suite(.serialized) struct PrivateFolderTests {
  @Test func whatAServerMakesIsReadableByNobodyElse() async throws {
    let bench = try await TestInstance()
    let data = bench.folder.appendingPathComponent("new")
    let server = try Program(["serve", "--port", "0", "--data", data.path])
    let transport = SocketTransport(port: try server.port())
    let clip = try await bench.makeClip("a.mp4", seconds: 0.5)
    try FolderPermissions.set(0o644, of: clip)
    // Through the server, of which a half stays, and by a command beside it.
    let file = UploadRequests.file(70_000)
    let made = try await transport.send(try UploadRequests.creation(file))
    let upload = try WireCoding.decode(UploadStatus.self, from: made.body)
    _ = try await transport.send(UploadRequests.piece(upload.id, file.prefix(1000), at: 0))
    let imported = try Program(["import", clip.path, "--data", data.path]).end()
    #expect(imported.status == 0, "\(imported.output)")
    let names = FileManager.default.enumerator(atPath: data.path)?.compactMap { $0 as? String } ?? []
    for part in ["clipfeed.sqlite-wal", "clipfeed.sqlite-shm", "uploads/\(upload.id)"] {
      #expect(names.contains(part))
    }
    #expect(names.contains { $0.hasPrefix("media/") && $0.hasSuffix(".mp4") })
    #expect(FolderPermissions.open(in: data).isEmpty)
    kill(server.process.processIdentifier, SIGTERM)
    _ = server.end()
  }

  @Test func whatAnOlderVersionLeftOpenIsClosedAndTheOperatorHearsOfIt() async throws {
    let bench = try await TestInstance()
    let data = bench.instance.folder
    for name in [".", "clipfeed.sqlite", "clipfeed.sqlite-wal", "clipfeed.sqlite-shm"] {
      try FolderPermissions.set(name == "." ? 0o755 : 0o644, of: data.appendingPathComponent(name))
    }
    for name in ["media", "sources", "uploads", "work"] {
      try FolderPermissions.set(0o755, of: data.appendingPathComponent(name))
    }
    let (status, output) = try bench.program(["jobs"]).end()
    #expect(
      status == 0 && output.contains("other users of this machine could read the data folder"), "\(output)")
    #expect(FolderPermissions.open(in: data).filter { !$0.contains("/") }.isEmpty)
    #expect(try bench.program(["jobs"]).end().output.contains("other users") == false)
  }
}

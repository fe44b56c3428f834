import Contract
import Foundation
import Testing

@testable import Platform

/// Where a run of a job works, and what is said of it where the disk has no room.
@Suite struct JobFolderTests {
  private struct Broken: Error {}

  private static func job() throws -> Job {
    let texts = [
      "id": "one", "kind": "k", "job_key": "", "payload": "", "state": "running", "step": "", "parts": "",
    ]
    let numbers: [String: Int64] = [
      "attempts": 1, "priority": 0, "fencing": 7, "progress_permille": 0, "created_at_ms": 0,
    ]
    let columns = texts.mapValues { SQLValue.text($0) }.merging(numbers.mapValues { .integer($0) }) { $1 }
    let names = columns.keys.sorted()
    return try Job(
      Row(Dictionary(uniqueKeysWithValues: zip(names, names.indices)), names.map { columns[$0] ?? .null }))
  }

  private func inFolder(_ work: (URL) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "job-folder-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try await work(folder)
  }

  private func failure(in folder: URL, _ work: (URL) async throws -> Void) async throws -> (any Error)? {
    do {
      try await JobFolder.use(for: Self.job(), in: folder, work)
      return nil
    } catch { return error }
  }

  @Test func nothingOfARunOutlivesIt() async throws {
    try await inFolder { folder in
      let left = folder.appendingPathComponent("one.6")
      try FileManager.default.createDirectory(at: left, withIntermediateDirectories: false)
      let failure = try await failure(in: folder) { own in
        #expect(own.lastPathComponent == "one.7")
        #expect(!FileManager.default.fileExists(atPath: left.path))
        try Data("x".utf8).write(to: own.appendingPathComponent("file"))
      }
      #expect(failure == nil)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
    }
  }

  @Test func whatGoesWrongWhereThereIsRoomIsWhatItWas() async throws {
    try await inFolder { folder in
      // NB: no closure inside of `#expect`: two of them got one name, and the second ran the first's code.
      let unforeseen = try await failure(in: folder) { _ in throw Broken() }
      #expect(unforeseen is Broken)
      let refusal = try await failure(in: folder) { _ in throw AppError(.damaged) }
      #expect((refusal as? AppError)?.code == .damaged)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
    }
  }

  @Test(.enabled(if: geteuid() == 0, "only root can mount a small disk"))
  func whatGoesWrongOnAFullDiskIsTheDisks() async throws {
    try await inFolder { folder in
      try run("mount", ["-t", "tmpfs", "-o", "size=256k", "tmpfs", folder.path])
      defer { try? run("umount", [folder.path]) }
      for error in [AppError(.damaged), AppError(.transcodingFailed), Broken()] as [any Error] {
        let failure = try await failure(in: folder) { own in
          // To its last page, as a program does that cannot go on then.
          let file = own.appendingPathComponent("file")
          _ = FileManager.default.createFile(atPath: file.path, contents: nil)
          let handle = try FileHandle(forWritingTo: file)
          defer { try? handle.close() }
          while (try? handle.write(contentsOf: Data(repeating: 1, count: 4096))) != nil {}
          throw error
        }
        #expect((failure as? AppError)?.code == .storageFull, "\(error)")
      }
      // What says nothing of the job stays what it is.
      let lost = try await failure(in: folder) { own in
        try Data(repeating: 1, count: 200_000).write(to: own.appendingPathComponent("file"))
        throw JobQueue.LostLease()
      }
      #expect(lost is JobQueue.LostLease)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
    }
  }

  private func run(_ program: String, _ arguments: [String]) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [program] + arguments
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
  }
}

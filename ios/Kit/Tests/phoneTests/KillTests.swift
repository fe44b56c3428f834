import CoreTypes
import Foundation
import MediaStore
import Testing

@testable import phone

#if canImport(Glibc)
  import Glibc
#endif

/// Kills a process that writes into a store, at random moments.
@Suite struct KillTests {
  /// Beside the tests' own program.
  private static let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent().appending(path: "phone")

  /// When something was begun in the store, or finished.
  private static func changed(_ root: URL) -> Date? {
    let scratch = root.appending(path: ".scratch").path
    return (try? FileManager.default.attributesOfItem(atPath: scratch))?[.modificationDate] as? Date
  }

  @Test func aKilledWriterNeverLeavesWrongBytes() async throws {
    let root = FileManager.default.temporaryDirectory.appending(path: "killed-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: root) }
    var generator = SeededGenerator(seed: 7)
    var parts = 0
    for kill in 0..<100 {
      let process = Process()
      process.executableURL = Self.program
      process.arguments = ["write-store", root.path]
      process.standardError = FileHandle.nullDevice
      let before = Self.changed(root)
      try process.run()
      // However long the program takes to begin with it.
      for _ in 0..<60_000 {
        if Self.changed(root) != before { break }
        try await Task.sleep(for: .milliseconds(1))
      }
      try await Task.sleep(for: .milliseconds(generator.next(below: 60)))
      Glibc.kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      let store = try DiskStore(root: root)
      for clip in await store.clips {
        for part in await store.holds(clip)?.parts ?? [] {
          parts += 1
          #expect(await store.read(part, of: clip) == StoreWriter.bytes(of: part), "kill \(kill): \(part)")
        }
      }
    }
    #expect(parts > 100)
    // What was begun and not finished is gone.
    let scratch = root.appending(path: ".scratch").path
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch).isEmpty)
  }
}

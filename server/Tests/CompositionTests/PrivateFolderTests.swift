import Foundation
import Testing

@testable import Composition
@testable import PlatformTesting

/// Who on the machine can read a data folder.
@Suite struct PrivateFolderTests {
  @Test func aFolderWithOtherThingsInItStaysAsItIsAndOursInItAreClosed() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("mixed-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data().write(to: folder.appendingPathComponent("letter.txt"))
    try Data().write(to: folder.appendingPathComponent("clipfeed.sqlite"))
    try FileManager.default.createDirectory(
      at: folder.appendingPathComponent("media"), withIntermediateDirectories: true)
    symlink("/etc", folder.appendingPathComponent("sources").path)
    for name in [".", "letter.txt", "clipfeed.sqlite", "media"] {
      try FolderPermissions.set(0o755, of: folder.appendingPathComponent(name))
    }
    let outcome = PrivateFolder.close(
      folder, holding: ["clipfeed.sqlite", "media", "sources", "uploads", "work"])
    #expect(Set(outcome.closed) == ["clipfeed.sqlite", "media"] && outcome.open.isEmpty)
    #expect(FolderPermissions.open(in: folder) == [".", "letter.txt", "sources"])
    #expect(try FileManager.default.attributesOfItem(atPath: "/etc")[.posixPermissions] as? Int == 0o755)
  }
}

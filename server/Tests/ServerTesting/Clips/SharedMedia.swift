import Foundation
import Testing

@testable import PlatformTesting

/// The folder of other people's videos, where there is one; the project itself commits none.
enum SharedMedia {
  static let folder: URL? = {
    let given = ProcessInfo.processInfo.environment["CLIPFEED_MEDIA"]
    let url = given.map { URL(fileURLWithPath: $0) } ?? Repository.file("../shared/media")
    return FileManager.default.fileExists(atPath: url.appendingPathComponent("good").path)
      ? url.standardizedFileURL : nil
  }()

  static let comment: Comment = "needs the shared videos: set CLIPFEED_MEDIA to their folder"

  static func files(_ name: String) -> [String] {
    let names = folder.flatMap {
      try? FileManager.default.contentsOfDirectory(atPath: $0.appendingPathComponent(name).path)
    }
    return (names ?? []).sorted()
  }

  static func file(_ path: String) throws -> URL { try #require(folder).appendingPathComponent(path) }
}

package import Foundation

/// A folder of a test's own, which goes with it.
///
/// All of one run lie in one folder that goes with the process: what is written behind a test's back may come
/// after its folder went, and make it anew.
package final class TemporaryFolder: Sendable {
  private static let all: URL = {
    let url = FileManager.default.temporaryDirectory.appending(path: "kit-tests-\(UUID().uuidString)")
    try? FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    atexit { try? FileManager.default.removeItem(at: TemporaryFolder.all) }
    return url
  }()

  package let url = TemporaryFolder.path()

  package init() { try? FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// Where nothing is yet; it goes with the process.
  package static func path() -> URL { all.appending(path: UUID().uuidString) }
}

import Foundation

extension FileManager {
  /// Removes the folder of a test, into which what ends with the test may write for a moment yet: a removal
  /// that meets a new file, or one that has just gone, fails.
  func removeTestFolder(_ folder: URL) {
    for _ in 0..<40 {
      try? removeItem(at: folder)
      guard fileExists(atPath: folder.path) else { return }
      Thread.sleep(forTimeInterval: 0.05)
    }
  }
}

/// Where the folders of tests are.
///
/// All of one run lie in one that goes with the process: a task that outlives its test may hold on to what
/// would remove its folder, and what is written behind a test's back may make its folder anew.
enum TestFolders {
  private static let all: URL = {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("clipfeed-\(UUID().uuidString)")
    try? FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    atexit { FileManager.default.removeTestFolder(TestFolders.all) }
    return url
  }()

  /// Where nothing is yet.
  static func path() -> URL { all.appendingPathComponent(UUID().uuidString) }
}

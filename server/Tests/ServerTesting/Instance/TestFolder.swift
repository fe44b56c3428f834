import Foundation

extension FileManager {
  /// Removes the folder of a test, into which what ends with the test may write for a moment yet: a removal
  /// that meets a new file fails.
  func removeTestFolder(_ folder: URL) {
    for _ in 0..<40 {
      try? removeItem(at: folder)
      guard fileExists(atPath: folder.path) else { return }
      Thread.sleep(forTimeInterval: 0.05)
    }
  }
}

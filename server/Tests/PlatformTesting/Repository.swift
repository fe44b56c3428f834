import Foundation

/// The files of the checkout that the tests were built in.
enum Repository {
  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// By its path from the root.
  static func file(_ path: String) -> URL { root.appendingPathComponent(path) }
}

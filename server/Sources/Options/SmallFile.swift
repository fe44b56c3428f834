internal import Foundation

/// Keys and certificates of the operator's.
enum SmallFile {
  private static let mostBytes = 65_536

  /// Nil: it cannot be read, or is none of those.
  static func text(at path: String) -> String? {
    guard let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int, size <= mostBytes
    else { return nil }
    return try? String(contentsOfFile: path, encoding: .utf8)
  }
}

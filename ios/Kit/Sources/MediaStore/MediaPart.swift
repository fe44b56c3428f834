internal import Foundation

/// A stretch of a rendition's file: an initialisation section or a segment. What lies there never changes,
/// since the file's address names its content.
public struct MediaPart: Hashable, Sendable {
  /// The rendition's address, as the feed gives it.
  public let blob: String
  public let offset: Int
  public let size: Int

  public init(blob: String, offset: Int, size: Int) {
    self.blob = blob
    self.offset = offset
    self.size = size
  }

  /// `nil`: no name that a file system takes, or numbers of no part.
  var fileName: String? {
    guard offset >= 0, size > 0, let name = FileName.of(blob) else { return nil }
    return "\(name)@\(offset)-\(size)"
  }

  init?(fileName: String) {
    guard let at = fileName.lastIndex(of: "@") else { return nil }
    let numbers = fileName[fileName.index(after: at)...].split(separator: "-").map { Int($0) }
    guard numbers.count == 2, let offset = numbers[0], let size = numbers[1],
      let blob = FileName.text(of: String(fileName[..<at]))
    else { return nil }
    self.init(blob: blob, offset: offset, size: size)
    guard self.fileName == fileName else { return nil }
  }
}

/// Any text as the name of a file, and back.
enum FileName {
  /// With offset and size behind it a name stays within the 255 bytes that file systems take.
  private static let longest = 200
  // No dot: "." and ".." are folders.
  private static let plain = CharacterSet(
    charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-")

  static func of(_ text: String) -> String? {
    guard !text.isEmpty, let name = text.addingPercentEncoding(withAllowedCharacters: plain),
      name.utf8.count <= longest
    else { return nil }
    return name
  }

  static func text(of name: String) -> String? {
    guard let text = name.removingPercentEncoding, of(text) == name else { return nil }
    return text
  }
}

/// The name of a blob: what is in it (SHA-256) and what kind it is. A value of this type is always well
/// formed, so that no path can be smuggled in by a name.
public struct BlobName: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// The kinds of blobs, by the ending of their names, and what a reader is told of each.
  public static let contentTypes = [
    "mp4": "video/mp4", "m3u8": "application/vnd.apple.mpegurl", "jpg": "image/jpeg",
    "vtt": "text/vtt; charset=utf-8",
    "bin": "application/octet-stream", "tar": "application/x-tar",
  ]

  public let hash: String
  public let ext: String

  public init?(hash: String, ext: String) {
    let digits = Set("0123456789abcdef".utf8)
    guard hash.utf8.count == 64, hash.utf8.allSatisfy(digits.contains), Self.contentTypes[ext] != nil else {
      return nil
    }
    self.hash = hash
    self.ext = ext
  }

  public init?(_ text: String) {
    let parts = text.split(atByte: UInt8(ascii: "."), omittingEmpty: false)
    guard parts.count == 2 else { return nil }
    self.init(hash: String(parts[0]), ext: String(parts[1]))
  }

  public var contentType: String { Self.contentTypes[ext] ?? "application/octet-stream" }
  /// Two digits of the hash: the folder that keeps directories small, on a disk and in a bucket's listing.
  public var shard: String { String(hash.prefix(2)) }
  public var description: String { "\(hash).\(ext)" }

  /// Text, in which other blobs may be named: playlists, storyboards.
  public var holdsText: Bool { !["mp4", "jpg", "bin", "tar"].contains(ext) }

  /// All names of blobs that stand somewhere in a text, such as a playlist or a descriptor.
  public static func mentioned(in text: String) -> Set<BlobName> {
    let words = text.utf8.split { byte in
      !(UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) && byte != UInt8(ascii: ".")
        && !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
    return Set(words.compactMap { BlobName(String(decoding: $0, as: UTF8.self)) })
  }

  /// By bytes, as object stores sort.
  public static func < (left: BlobName, right: BlobName) -> Bool {
    left.description.utf8.lexicographicallyPrecedes(right.description.utf8)
  }
}

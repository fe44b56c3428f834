public import Foundation

/// The name of a blob: what is in it (SHA-256) and what kind it is. A value of this type is always well formed,
/// so that no path can be smuggled in by a name.
public struct BlobName: Sendable, Hashable, CustomStringConvertible {
  public static let extensions: Set<String> = ["mp4", "m3u8", "jpg", "bin"]

  public let hash: String
  public let ext: String

  public init?(hash: String, ext: String) {
    let digits = Set("0123456789abcdef".utf8)
    guard hash.utf8.count == 64, hash.utf8.allSatisfy(digits.contains), Self.extensions.contains(ext) else {
      return nil
    }
    self.hash = hash
    self.ext = ext
  }

  public init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    self.init(hash: String(parts[0]), ext: String(parts[1]))
  }

  public var description: String { "\(hash).\(ext)" }

  /// Text, in which other blobs may be named: playlists.
  public var holdsText: Bool { !["mp4", "jpg", "bin"].contains(ext) }

  /// All names of blobs that stand somewhere in a text, such as a playlist or a descriptor.
  public static func mentioned(in text: String) -> Set<BlobName> {
    let words = text.utf8.split { byte in
      !(UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) && byte != UInt8(ascii: ".")
        && !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
    return Set(words.compactMap { BlobName(String(decoding: $0, as: UTF8.self)) })
  }
}

/// Immutable, content-addressed bytes.
///
/// Obligations of an implementation:
/// - `put` is atomic: a reader sees the whole blob or none, also after a crash; putting the same content twice is
///   fine, and the blob is as young as the last time;
/// - `size` is nil and `read` throws `media_not_found` for a blob that is not there;
/// - `read` delivers exactly the range, in order, in pieces of bounded size;
/// - `remove` of a blob that is not there is no error; with `ifOlderThan` it looks at the age again, right before;
/// - `list` names every blob that was put before that time, in any order, with bounded memory; one that comes or goes
///   meanwhile may be named or not;
/// - `clearLeftovers` removes what a crash left half-stored before that time, of whatever process.
public protocol BlobStore: Sendable {
  /// Takes the file over: it is gone from its place afterwards.
  func put(fileAt url: URL, ext: String) async throws -> BlobName
  func size(_ name: BlobName) async throws -> Int?
  func read(
    _ name: BlobName, range: Range<Int>, _ piece: (ArraySlice<UInt8>) async throws -> Void
  ) async throws
  func remove(_ name: BlobName) async throws
  /// Whether the blob is gone; false if it was put again since.
  func remove(_ name: BlobName, ifOlderThan time: Date) async throws -> Bool
  func list(olderThan time: Date, _ each: (BlobName) async throws -> Void) async throws
  func clearLeftovers(olderThan time: Date) async throws
  /// Throws if nothing can be stored now.
  func checkWritable() async throws
}

extension BlobStore {
  public func put(_ data: Data, ext: String, in folder: URL) async throws -> BlobName {
    let url = folder.appendingPathComponent("put-\(UInt64.random(in: 0...UInt64.max)).tmp")
    try data.write(to: url)
    return try await put(fileAt: url, ext: ext)
  }
}

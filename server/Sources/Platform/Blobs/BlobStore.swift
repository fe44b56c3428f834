public import Foundation

/// Immutable, content-addressed bytes.
///
/// Obligations of an implementation, each of them a case of `BlobStoreContract`:
/// - `put` is atomic: a reader sees the whole blob or none, also after a crash. Once it has returned, the
///   blob outlives a crash, and the file is gone from its place. If it throws, the file is still where it
///   was;
/// - putting the same content again is fine and makes the blob new: its `changedMs` is the time of the last
///   `put`, so that a sweep, which removes what is old and not mentioned, never removes what is about to be
///   mentioned;
/// - `size` is nil and `read` throws `media_not_found` for a blob that is not there;
/// - `read` delivers exactly the range, in order, in pieces of at most `BlobPiece.maximumBytes`, and asks for
///   the next one when the last was taken: memory does not grow with the blob, nor with how slow the taker
///   is. The range must lie in the blob. What the taker throws comes out unchanged and ends the reading;
/// - `remove` of a blob that is not there is no error; with `ifOlderThan` it looks at the age again, right
///   before;
/// - `clearLeftovers` removes what a crash left half-stored before that time, of whatever process;
/// - `list` gives the blobs behind a name, in the order of names: going on behind the last one until a page
///   is empty meets every blob that was there all the time exactly once, and never anything that is no blob;
/// - `checkWritable` throws if nothing can be stored now, and leaves nothing behind;
/// - a store that cannot be reached, or has no room, throws `unavailable` or `storage_full`, which may be
///   tried again.
public protocol BlobStore: Sendable {
  func put(fileAt url: URL, ext: String) async throws -> BlobName
  func size(_ name: BlobName) async throws -> Int?
  func read(
    _ name: BlobName, range: Range<Int>, _ piece: (ArraySlice<UInt8>) async throws -> Void
  ) async throws
  func remove(_ name: BlobName) async throws
  /// Whether the blob is gone; false if it was put again since.
  func remove(_ name: BlobName, ifOlderThan time: Date) async throws -> Bool
  func clearLeftovers(olderThan time: Date) async throws
  /// At most `limit` blobs (1 to 1000) behind the name; nil: from the start.
  func list(after: BlobName?, limit: Int) async throws -> [StoredBlob]
  func checkWritable() async throws
}

/// What a sweep needs to know of a blob.
public struct StoredBlob: Sendable, Equatable {
  public let name: BlobName
  public let sizeBytes: Int
  /// When it was last put, in milliseconds since 1970, to the second at least, by the clock of the store.
  public let changedMs: Int64

  public init(name: BlobName, sizeBytes: Int, changedMs: Int64) {
    self.name = name
    self.sizeBytes = sizeBytes
    self.changedMs = changedMs
  }
}

public enum BlobPiece {
  /// Large enough for few hops between threads, small enough for many readers at once.
  public static let maximumBytes = 256 * 1024
}

extension BlobStore {
  public func put(_ data: Data, ext: String, in folder: URL) async throws -> BlobName {
    let url = folder.appendingPathComponent("put-\(UInt64.random(in: 0...UInt64.max)).tmp")
    defer { try? FileManager.default.removeItem(at: url) }
    try data.write(to: url)
    return try await put(fileAt: url, ext: ext)
  }

  /// All of one that memory has room for. Nil: it is gone.
  public func bytes(_ name: BlobName) async throws -> [UInt8]? {
    guard let size = try await size(name) else { return nil }
    var bytes: [UInt8] = []
    guard size > 0 else { return bytes }
    bytes.reserveCapacity(size)
    try await read(name, range: 0..<size) { bytes += $0 }
    return bytes
  }
}

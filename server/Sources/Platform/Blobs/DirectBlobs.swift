/// A store that clients can read from without the server in between.
public protocol DirectReads: Sendable {
  /// What the addresses start with (`https://bucket.example`), for a page's content security policy.
  var readOrigin: String { get }
  /// An address at which the blob, if it is there, can be fetched (GET, also ranges) for `seconds` at least
  /// and for twice as long at most, without any other right. Asked again soon, it is the same address, so
  /// that caches know it again.
  func readAddress(_ name: BlobName, seconds: Int) -> String
}

/// A store that clients can send to without the server in between: an upload in parts, each to an address of
/// its own.
///
/// The order of things, for whoever runs uploads:
/// 1. `begin`, and keep the `DirectUpload` with the upload's row: nothing else finds the parts again after a
///    crash;
/// 2. hand out `partAddress` for the parts that `storedParts` does not list. The client sends `PUT` with
///    exactly the bytes of that part; the same part may be sent again, the last one counts. A browser needs
///    leave of the bucket (CORS, docs/operate.md). The address is a secret of its client: it is neither
///    logged nor kept;
/// 3. `complete` with the hash and size that the client declared. It may be called again after a crash at any
///    point.
/// 4. Or `abort`. `abortStale` is for what nobody remembers.
///
/// Obligations, each a case of `DirectUploadTests`:
/// - nothing of an upload is a blob before `complete` has read it whole and found hash and size to be those
///   of the name: a client that lies can neither make a blob nor change one;
/// - `complete` may run twice at once, in two processes: both find the blob stored;
/// - after `.differs` and `abort` no byte of the upload is left; aborting twice is fine;
/// - `partAddress` takes exactly the declared number of bytes, and nothing after `seconds`.
public protocol DirectUploads: Sendable {
  /// What the addresses start with, for a page's content security policy.
  var sendOrigin: String { get }
  /// How large each part but the last must be at least, in bytes; the last may be smaller.
  var minimumPartBytes: Int { get }
  /// Parts are numbered from 1 to this.
  var maximumParts: Int { get }

  func begin() async throws -> DirectUpload
  func partAddress(_ number: Int, sizeBytes: Int, of upload: DirectUpload, seconds: Int) -> String
  /// What has arrived, by number; nil if the upload is not known (any more): aborted, or complete.
  func storedParts(_ upload: DirectUpload) async throws -> [StoredPart]?
  func complete(_ upload: DirectUpload, as name: BlobName, sizeBytes: Int) async throws -> DirectOutcome
  func abort(_ upload: DirectUpload) async throws
  /// Removes uploads that began before a time (milliseconds since 1970) and were not ended, their parts, and
  /// what a crash in `complete` left; also the unfinished parts of the store's own large blobs. Returns how
  /// many there were.
  func abortStale(before timeMs: Int64) async throws -> Int
}

/// An upload that is under way, as it is kept in a database: both texts are the store's, and say nothing to
/// others.
public struct DirectUpload: Sendable, Hashable, Codable {
  public let place: String
  public let id: String

  public init(place: String, id: String) {
    self.place = place
    self.id = id
  }
}

public struct StoredPart: Sendable, Equatable {
  public let number: Int
  public let sizeBytes: Int
  /// As the store sent it, quotes included.
  public let tag: String

  public init(number: Int, sizeBytes: Int, tag: String) {
    self.number = number
    self.sizeBytes = sizeBytes
    self.tag = tag
  }
}

public enum DirectOutcome: Sendable, Equatable {
  /// The blob is there.
  case stored
  /// What arrived is something else, and has been removed. No hash: parts are missing, so nothing was read.
  case differs(sizeBytes: Int, hash: String?)
  /// The upload is not known, and the blob is not there either.
  case gone
}

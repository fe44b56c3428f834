public import Platform

/// Where the bytes of an upload lie until they are proven.
///
/// Obligations of an implementation:
/// - `count` is what a client may rely on after the process was killed: the bytes from the first one on,
///   without a gap;
/// - one tail of an upload is open at a time, over all processes; a second `open` throws `upload_busy`;
/// - `handOver` leaves the bytes where they are, so that it can be repeated until `remove`;
/// - an upload that was never written to has 0 bytes; to remove it is no error.
public protocol UploadBytes: Sendable {
  func count(_ id: String) async throws -> Int
  func open(_ id: String) async throws -> any UploadTail
  /// At most so many bytes from the first one on.
  func head(_ id: String, _ count: Int) async throws -> [UInt8]
  /// SHA-256 as 64 lower-case hex digits.
  func hash(_ id: String) async throws -> String
  func handOver(_ id: String, to sources: any BlobStore) async throws
  func remove(_ id: String) async throws
  /// Uploads of which bytes are there that have not changed since.
  func untouched(sinceMs: Int64) async throws -> [String]
  /// Bytes for which there is room now.
  func room() async throws -> Int
}

/// The end of an upload's bytes, at which more are added.
///
/// Obligations: what `append` returned from is counted even if the process is killed right after; it throws
/// `storage_full` where there is no room, having kept what fitted.
public protocol UploadTail: Sendable {
  func count() async -> Int
  func append(_ bytes: some Collection<UInt8> & Sendable) async throws
  /// Forgets what lies behind `count`.
  func cut(to count: Int) async throws
  func close() async
}

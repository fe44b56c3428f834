/// The cache cannot be reached now. Whoever asks has a way of going on without it.
public struct CacheUnavailable: Error, CustomStringConvertible {
  public let description: String
  public init(_ description: String) { self.description = description }
}

/// Values with a lifetime that the processes of an instance share. A help, never a truth: nothing is kept
/// here alone.
///
/// Obligations of an implementation:
/// - a value is there until it expires, is deleted, or makes room for others; after its expiry it never is.
///   Times are milliseconds above 0;
/// - `increment` is one operation, however many processes are at it. It counts from 0 and says the new
///   number; the expiry is set by the first of a series and not moved by the others. Its key belongs to
///   numbers alone;
/// - while the cache cannot be reached calls throw `CacheUnavailable`: the first ones soon, all others at
///   once. It is found again without anybody's help.
public protocol Cache: Sendable {
  func get(_ key: String) async throws -> [UInt8]?
  func set(_ key: String, to value: [UInt8], forMs: Int64) async throws
  func delete(_ key: String) async throws
  func increment(_ key: String, by change: Int64, forMs: Int64) async throws -> Int64
}

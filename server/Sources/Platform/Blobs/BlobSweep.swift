internal import Foundation

/// Removes blobs that nothing refers to: masters that were replaced, what was stored by a run that was killed
/// before it could publish.
///
/// What is younger than `graceMs` is left alone, since whoever stores a blob refers to it only afterwards.
/// Any number of processes may sweep at the same time; a blob that somebody puts again meanwhile is young and
/// stays.
public struct BlobSweep: Sendable {
  public static let graceMs: Int64 = 3_600_000
  /// Blobs per page of the store, and per question to the database.
  private static let batch = 200

  private let blobs: any BlobStore
  private let time: any TimeSource
  private let inUse: @Sendable (_ names: [BlobName], _ sinceMs: Int64) async throws -> Set<BlobName>

  /// `inUse` says which of these blobs are referred to, or were at that time or later.
  public init(
    _ blobs: any BlobStore, time: any TimeSource,
    inUse: @escaping @Sendable (_ names: [BlobName], _ sinceMs: Int64) async throws -> Set<BlobName>
  ) {
    self.blobs = blobs
    self.time = time
    self.inUse = inUse
  }

  /// How many blobs were removed.
  public func run() async throws -> Int {
    let sinceMs = time.nowMs - Self.graceMs
    let since = Date(timeIntervalSince1970: Double(sinceMs) / 1000)
    try await blobs.clearLeftovers(olderThan: since)
    var removed = 0
    var last: BlobName?
    while true {
      let page = try await blobs.list(after: last, limit: Self.batch)
      guard let end = page.last else { return removed }
      removed += try await remove(page.filter { $0.changedMs < sinceMs }.map(\.name), sinceMs, since)
      last = end.name
    }
  }

  private func remove(_ names: [BlobName], _ sinceMs: Int64, _ since: Date) async throws -> Int {
    guard !names.isEmpty else { return 0 }
    let used = try await inUse(names, sinceMs)
    var removed = 0
    for name in names where !used.contains(name) {
      removed += try await blobs.remove(name, ifOlderThan: since) ? 1 : 0
    }
    return removed
  }
}

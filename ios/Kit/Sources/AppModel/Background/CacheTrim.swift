public import Foundation
public import MediaStore
public import Persistence

/// Tidies the disk while nobody uses the app: what nobody has used for weeks, what is beyond its room, and
/// what is not as it was written.
public struct CacheTrim: Sendable {
  static let unusedAfter: TimeInterval = 30 * 86_400

  private let store: DiskStore
  private let diskBudget: Int
  private let last: StoredFile<Date>
  private let now: @Sendable () -> Date

  public init(
    store: DiskStore, diskBudget: Int, last: StoredFile<Date>,
    now: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.store = store
    self.diskBudget = diskBudget
    self.last = last
    self.now = now
  }

  /// Answers whether all was looked at.
  public func run() async -> Bool {
    await store.evictUnused(since: now().addingTimeInterval(-Self.unusedAfter))
    let excess = await store.used - diskBudget
    if excess > 0 { await store.evictUnnamed(excess) }
    for clip in await store.clips {
      guard !Task.isCancelled else { return false }
      _ = await store.verify(clip)
    }
    return last.save(now())
  }
}

public import Contract
public import Device
public import Foundation
public import MediaStore
public import Persistence
public import Playback

/// Fetches the next page of the tab that was left, and the first segment of each of its clips onto the disk,
/// so that the next start shows them at once.
///
/// It refuses to know when that is done. What was fetched stays when it is broken off.
public struct FeedRefresh: Sendable {
  /// What one run may bring, for a person who may never look at it.
  public static let budget = 8 * 1_048_576

  private let source: any FeedSource
  private let tab: FeedTab
  private let fetcher: ClipFetcher
  private let store: DiskStore
  private let diskBudget: Int
  private let lastFeed: StoredFile<LastFeed>
  private let now: @Sendable () -> Date

  public init(
    source: any FeedSource, tab: FeedTab, fetcher: ClipFetcher, store: DiskStore, diskBudget: Int,
    lastFeed: StoredFile<LastFeed>, now: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.source = source
    self.tab = tab
    self.fetcher = fetcher
    self.store = store
    self.diskBudget = diskBudget
    self.lastFeed = lastFeed
    self.now = now
  }

  /// Whether it may run at all on this link: nothing is fetched ahead where bytes cost.
  public static func isAllowed(_ path: DeviceState.Path, saves: Bool, unlimited: Bool) -> Bool {
    guard path.isOnline, !path.isConstrained, !saves else { return false }
    return !path.isExpensive || (path.isCellular && unlimited)
  }

  /// Answers whether all was done that was to do.
  public func run(shortEdge: Int) async -> Bool {
    guard let page = try? await source.page(of: tab, after: nil, limit: LastFeed.most) else { return false }
    let clips = page.items.filter { $0.visibility == nil || $0.visibility == .public }
    var there: [Clip] = []
    let before = await store.size
    for clip in clips.prefix(LastFeed.most) {
      let size = await store.size
      guard !Task.isCancelled, size - before < Self.budget else { break }
      if await store.used >= diskBudget { await store.evictUnnamed(Self.budget) }
      do {
        try await fetcher.fetch(clip, segments: 1, shortEdge: shortEdge, saves: false)
        there.append(clip)
      } catch ClipFetcher.Failure.notPlayable, TransferFailure.gone {
        continue
      } catch {
        break
      }
    }
    // A page of which nothing came is no better than the last one.
    guard let left = LastFeed(fresh: there, of: tab, at: now()) else { return clips.isEmpty }
    return lastFeed.save(left) && there.count == clips.prefix(LastFeed.most).count
  }
}

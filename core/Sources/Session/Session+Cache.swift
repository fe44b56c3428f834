internal import CoreTypes
internal import MediaCache
internal import Prefetch

/// What is stored: the cache decides what goes, the prefetch hears of it.
extension Session {
  mutating func store(
    _ item: ItemID, rendition: Int32, segment: Int32, _ emit: (Command) -> Void
  ) {
    // What nobody has asked for, or no descriptor names, has no size: it does not count.
    let size = prefetch.size(of: item, rendition: rendition, segment: segment)
    if size > .zero {
      tell(cache: .segmentStored(item, rendition: rendition, segment: segment, size), emit)
    }
    tell(prefetch: .segmentStored(item, rendition: rendition, segment: segment), emit)
  }

  mutating func tell(cache event: MediaCache.Event, _ emit: (Command) -> Void) {
    let before = cache.room
    var dropped: [(item: ItemID, keeping: Int32)] = []
    var restored: [ItemID] = []
    cache.handle(event, at: clock.now) { command in
      switch command {
      case .discard(let item, let keeping):
        dropped.append((item, keeping))
        emit(keeping == 0 ? .discard(item) : .trim(item, keeping: keeping))
      case .restoringEnded(let item): restored.append(item)
      // Only with a disk level, which no host has opened.
      case .restore, .persist, .evict, .evictUnknown: break
      }
    }
    for drop in dropped {
      tell(prefetch: .discarded(drop.item, keeping: drop.keeping), emit)
    }
    for item in restored { tell(prefetch: .restoring(item, false), emit) }
    if cache.room != before { tell(prefetch: .roomChanged(cache.room), emit) }
  }
}

internal import CoreTypes
internal import FeedPager
internal import MediaCache
internal import Prefetch

/// Which clips' descriptors are held: those around the current one. A clip far away is a handle, no
/// more, so that a feed of any length takes the same memory; its descriptor is asked for again when
/// the person comes back.
extension FeedSession {
  enum Description: Equatable, Sendable {
    case asked
    case held
  }

  /// Descriptors are held for so many clips on each side…
  static let heldReach = 24
  /// …and asked for within so many; the difference keeps swipes to and fro from asking at each.
  static let askedReach = 8

  mutating func take(
    _ item: ItemID, _ descriptor: PlaybackDescriptor, _ emit: (Command) -> Void
  ) {
    guard around(Self.heldReach).contains(item), descriptions[item] != .held else { return }
    descriptions.set(.held, for: item)
    send(prefetch: .itemAppended(item, descriptor), emit)
    // The cache may have kept bytes of a clip whose descriptor was dropped.
    var kept: [(rendition: Int32, segment: Int32)] = []
    cache.forEachStored(of: item) { kept.append(($0, $1)) }
    for part in kept {
      send(prefetch: .segmentStored(item, rendition: part.rendition, segment: part.segment), emit)
    }
  }

  /// What came for this clip describes nothing. One that is in the feed for its place alone cannot
  /// stay there.
  mutating func refuse(_ item: ItemID, _ emit: (Command) -> Void) {
    if descriptions[item] != .held, pager.items.contains(item) {
      failedItems.append(item)
    } else {
      emit(.noticeSkipped(item))
    }
  }

  /// Drops what has fallen out of reach and asks for what has come into it, nearest first.
  @inline(never) mutating func reviewDescriptions(_ emit: (Command) -> Void) {
    let kept = around(Self.heldReach)
    // A jump far away looks there first; what is on the screen meanwhile must not lose its bytes.
    let shown = pager.items.indices.contains(pager.current) ? pager.items[pager.current] : nil
    while let item = descriptions.firstItem(where: { item, _ in
      item != shown && item != pinned && !kept.contains(item)
    }) {
      let wasHeld = descriptions[item] == .held
      descriptions.remove(item)
      if wasHeld { send(prefetch: .itemRemoved(item), emit) }
    }
    guard usesByteRanges else { return }
    let page = pager.focus
    for distance in 0...Self.askedReach {
      ask(page + distance, emit)
      if distance > 0 { ask(page - distance, emit) }
    }
  }

  private mutating func ask(_ page: Int, _ emit: (Command) -> Void) {
    guard pager.items.indices.contains(page), descriptions[pager.items[page]] == nil else { return }
    descriptions.set(.asked, for: pager.items[page])
    emit(.describe(pager.items[page]))
  }

  private func around(_ reach: Int) -> ArraySlice<ItemID> {
    let items = pager.items
    let first = min(max(0, pager.focus - reach), items.count)
    return items[first..<min(items.count, pager.focus + reach + 1)]
  }
}

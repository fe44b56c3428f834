public import CoreTypes
internal import Session

/// Another list of clips takes the place of the one that is shown, by events that the core has anyway: clips
/// go, come and change their place, so that afterwards the core's one feed is the other list.
extension Feed {
  /// Shows `next` at `item`, or at its first clip where that is gone; `shown` is on the screen now. `order`
  /// is what the list has from now on. Answers the clip that is on the screen then.
  @discardableResult public func show(
    _ next: FeedList, at item: ItemID?, from shown: ItemID?, as order: [ItemID]? = nil
  ) -> ItemID? {
    let left = list.order
    next.order = (order ?? next.order).filter(has)
    let wanted = item.flatMap { next.order.contains($0) ? $0 : nil } ?? next.order.first
    isChanging = true
    list = next
    replace(left, shown.flatMap { left.contains($0) ? $0 : nil }, by: wanted)
    isChanging = false
    report(.pageLoaded(hasMore: next.cursor != nil))
    onPage?()
    return wanted
  }

  /// Gives a list that is not shown another order.
  public func arrange(_ list: FeedList, _ order: [ItemID]) { list.order = order.filter(has) }

  /// What is in both lists is not given up, so its bytes stay.
  private func replace(_ left: [ItemID], _ shown: ItemID?, by wanted: ItemID?) {
    let order = list.order
    let remains = Set(order.map(\.rawValue))
    let from = shown.flatMap { left.firstIndex(of: $0) } ?? -1
    // The farthest first, so that what gets ready for the screen changes once.
    let going = left.indices.filter { left[$0] != shown && !remains.contains(left[$0].rawValue) }
    for place in going.sorted(by: { (abs($0 - from), $0) > (abs($1 - from), $1) }) {
      report(.itemRemoved(left[place]))
    }
    if wanted != shown {
      // Right behind what is on the screen, whose place it gets.
      let next = left.dropFirst(from + 1).first { remains.contains($0.rawValue) && $0 != wanted }
      if let wanted { put(wanted, before: next) }
      if let shown { report(.itemRemoved(shown)) }
    }
    guard let wanted, let place = order.firstIndex(of: wanted) else { return }
    // NB: inserted, not appended: what is in the feed already changes its place only so.
    for item in order[(place + 1)...] { put(item, before: Self.nowhere) }
    for at in (0..<place).reversed() { put(order[at], before: order[at + 1]) }
  }

  /// No clip has this number: before it is at the end.
  private static var nowhere: ItemID { ItemID(.max) }
}

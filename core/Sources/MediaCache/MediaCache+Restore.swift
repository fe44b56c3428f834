internal import CoreTypes

/// What is read back from disk.
extension MediaCache {
  /// A mean stay at a clip, to count the age of earlier visits in moves of the focus.
  private static let meanStay: Int64 = 15_000
  private static let oldest: Int64 = 1_000_000

  mutating func learn(
    _ item: ItemID, segments: Int32, _ bytes: Bytes, age: Milliseconds, isSaved: Bool,
    _ emit: (Command) -> Void
  ) {
    guard diskBudget > .zero, segments > 0, bytes > .zero else { return }
    let old = copyPlace(of: item).map { entries[$0] }
    let bytes = min(bytes, Self.largestDiskBudget)
    var entry = DiskEntry(item: item)
    entry.segments = min(segments, Int32(PlaybackDescriptor.maxSegments))
    entry.bytes = bytes
    entry.headBytes = Bytes((bytes.rawValue - 1) / Int64(entry.segments) + 1)
    entry.kind = old?.kind ?? .ahead
    entry.turn = turn - min(max(age.rawValue, 0) / Self.meanStay, Self.oldest)
    entry.isSaved = isSaved || old?.isSaved ?? false
    if old == nil, !isSaved { unknownBytes = max(.zero, unknownBytes - bytes) }
    guard put(entry, emit) else {
      if !entry.isSaved { emit(.evict(item, keeping: 0)) }
      return
    }
    shrinkDisk(emit)
    restore(item, emit)
  }

  /// Reads what the disk has and memory lacks of a clip of the window: all of the current one, enough of the
  /// next to start, the first segment of the others if there is room.
  mutating func restore(_ item: ItemID, _ emit: (Command) -> Void) {
    guard readFailures < Self.maxFailures, let distance = distance(of: item), let index = copyPlace(of: item),
      !entries[index].isUnreadable, !restores.contains(where: { $0.item == item })
    else { return }
    let held = place(of: item).map { clips[$0].prefix } ?? 0
    let wanted =
      distance == 0
      ? entries[index].segments : distance == 1 ? Self.restoredAhead.next : Self.restoredAhead.beyond
    let end = min(wanted, entries[index].segments)
    guard held < end else { return }
    if !isPinned(item), entries[index].estimate(held..<end) > room { return }
    restores.append(Restore(item: item, end: end, until: now + Self.restorePatience))
    emit(.restore(item, first: held, count: end - held))
  }

  /// About what is still to come.
  func missingBytes(of restore: Restore) -> Bytes {
    guard let index = copyPlace(of: restore.item) else { return .zero }
    let held = place(of: restore.item).map { clips[$0].prefix } ?? 0
    return held < restore.end ? entries[index].estimate(held..<restore.end) : .zero
  }

  /// A segment of the clip has come.
  mutating func noteProgress(of item: ItemID, _ emit: (Command) -> Void) {
    guard let index = restores.firstIndex(where: { $0.item == item }) else { return }
    restores[index].until = now + Self.restorePatience
    let held = place(of: item).map { clips[$0].prefix } ?? 0
    if held >= restores[index].end { endRestore(of: item, emit) }
  }

  mutating func restoreFailed(_ item: ItemID, _ emit: (Command) -> Void) {
    endRestore(of: item, emit)
    guard let index = copyPlace(of: item), entries[index].segments > 0 else { return }
    readFailures += 1
    if entries[index].isSaved {
      // Written anew from what memory holds and from what still comes.
      keepOnDisk(index, segments: 0, .zero)
      persist(item, as: .watched, emit)
    } else {
      evict(index, keeping: 0, emit)
    }
  }

  mutating func endOverdueRestores(_ emit: (Command) -> Void) {
    while let overdue = restores.first(where: { now >= $0.until }) {
      readFailures += 1
      if let index = copyPlace(of: overdue.item) { entries[index].isUnreadable = true }
      endRestore(of: overdue.item, emit)
    }
  }

  mutating func endRestoresOutside(_ emit: (Command) -> Void) {
    while let outside = restores.first(where: { distance(of: $0.item) == nil }) {
      endRestore(of: outside.item, emit)
    }
  }

  mutating func endRestore(of item: ItemID, _ emit: (Command) -> Void) {
    guard let index = restores.firstIndex(where: { $0.item == item }) else { return }
    restores.remove(at: index)
    emit(.restoringEnded(item))
  }
}

internal import CoreTypes

/// What is written to disk and what goes from there.
extension MediaCache {
  func copyPlace(of item: ItemID) -> Int? { entries.firstIndex { $0.item == item } }

  func diskBytes(saved: Bool) -> Bytes {
    var sum = Bytes.zero
    for entry in entries where entry.isSaved == saved { sum += entry.bytes }
    return sum
  }

  /// By how much what is not saved exceeds its share.
  private func excess(with more: Bytes = .zero) -> Bytes {
    let share = max(.zero, diskBudget - savedDiskBytes)
    return clearableDiskBytes + more - share
  }

  // MARK: Writing

  /// Once for each clip that memory has more of than the disk.
  mutating func persist(_ item: ItemID, as kind: DiskEntry.Kind, _ emit: (Command) -> Void) {
    guard hasDisk, let index = place(of: item) else { return }
    let segments = clips[index].prefix
    let old = copyPlace(of: item).map { entries[$0] }
    guard segments > old?.segments ?? 0 else { return }
    var entry = old ?? DiskEntry(item: item)
    entry.segments = segments
    entry.bytes = clips[index].bytes(ofFirst: segments)
    entry.headBytes = clips[index].bytes(ofFirst: 1)
    entry.kind = kind
    entry.turn = turn
    entry.isUnreadable = false
    if entry.isSaved {
      put(entry, emit)
      shrinkDisk(emit)
    } else {
      guard limits.storesAhead, makeDiskRoom(for: entry, replacing: old?.bytes ?? .zero, emit),
        put(entry, emit)
      else { return }
    }
    emit(.persist(item, segments: segments))
  }

  /// The current clip and those ahead, for a start without network. A quarter of the disk at most, so that
  /// these never crowd out what was watched.
  mutating func persistAhead(_ emit: (Command) -> Void) {
    var left = diskBudget.rawValue / 4
    for item in window {
      guard let distance = distance(of: item), distance >= 0, let index = place(of: item) else { continue }
      left -= clips[index].bytes(ofFirst: clips[index].prefix).rawValue
      guard left >= 0 else { return }
      let wasWatched = copyPlace(of: item).map { entries[$0].kind == .watched } ?? false
      persist(item, as: clips[index].isWatched || wasWatched ? .watched : .ahead, emit)
    }
  }

  mutating func save(_ item: ItemID, _ isSaved: Bool, _ emit: (Command) -> Void) {
    guard isSaved ? hasDisk : diskBudget > .zero else { return }
    if isSaved {
      if let index = copyPlace(of: item) {
        entries[index].isSaved = true
      } else {
        var entry = DiskEntry(item: item)
        entry.isSaved = true
        put(entry, emit)
      }
      persist(item, as: .watched, emit)
    } else if let index = copyPlace(of: item) {
      entries[index].isSaved = false
      entries[index].turn = turn
      if entries[index].segments == 0 { entries.remove(at: index) }
    } else if entries.count >= Self.maxEntries {
      // More clips were saved than the table holds: the host knows this one.
      emit(.evict(item, keeping: 0))
    }
    shrinkDisk(emit)
  }

  mutating func persistFailed(
    _ item: ItemID, segments: Int32, _ bytes: Bytes, isFull: Bool, _ emit: (Command) -> Void
  ) {
    guard let index = copyPlace(of: item), entries[index].segments > 0 else { return }
    let isSaved = entries[index].isSaved
    keepOnDisk(index, segments: segments, bytes)
    guard isFull else {
      writeFailures += 1
      return
    }
    // The disk holds less than was thought. Something must go before anything is written again.
    let before = clearableDiskBytes
    diskBudget = max(Bytes(1), Bytes((before + savedDiskBytes).rawValue / 4 * 3))
    shrinkDisk(emit)
    if isSaved, clearableDiskBytes < before { persist(item, as: .watched, emit) }
  }

  /// The disk has only this of a clip; that it was saved is remembered even without a byte.
  mutating func keepOnDisk(_ index: Int, segments: Int32, _ bytes: Bytes) {
    entries[index].segments = min(max(segments, 0), entries[index].segments)
    if entries[index].segments > 0 {
      entries[index].bytes = min(max(bytes, .zero), entries[index].bytes)
      entries[index].headBytes = min(entries[index].headBytes, entries[index].bytes)
    } else if entries[index].isSaved {
      (entries[index].bytes, entries[index].headBytes) = (.zero, .zero)
    } else {
      entries.remove(at: index)
    }
  }

  mutating func noteShown(_ item: ItemID) {
    guard let index = copyPlace(of: item) else { return }
    entries[index].turn = turn
    if entries[index].kind == .ahead { entries[index].kind = .seen }
  }

  // MARK: MachineHost on disk

  /// Makes room by dropping what is worth less; drops nothing if that would not be enough.
  private mutating func makeDiskRoom(
    for entry: DiskEntry, replacing old: Bytes, _ emit: (Command) -> Void
  ) -> Bool {
    let needed = excess(with: entry.bytes - old)
    guard needed > .zero else { return true }
    var reclaimable = unknownBytes
    for other in entries where other.item != entry.item {
      reclaimable += other.reclaimable(for: entry, at: turn)
    }
    guard reclaimable >= needed else { return false }
    evictUnknown(needed, emit)
    while excess(with: entry.bytes - old) > .zero, let index = leastWorthOnDisk(but: entry.item) {
      evictPart(index, emit)
    }
    return true
  }

  mutating func shrinkDisk(_ emit: (Command) -> Void) {
    evictUnknown(excess(), emit)
    while excess() > .zero, let index = leastWorthOnDisk() { evictPart(index, emit) }
  }

  private func leastWorthOnDisk(but item: ItemID? = nil) -> Int? {
    var least: (index: Int, rank: (Int64, Int64, Int32))?
    for (index, entry) in entries.enumerated() where !entry.isSaved && entry.item != item {
      let rank = (entry.density(at: turn), entry.turn, entry.item.rawValue)
      if let sofar = least, sofar.rank <= rank { continue }
      least = (index, rank)
    }
    return least?.index
  }

  private mutating func evictUnknown(_ bytes: Bytes, _ emit: (Command) -> Void) {
    let bytes = min(bytes, unknownBytes)
    guard bytes > .zero else { return }
    unknownBytes -= bytes
    emit(.evictUnknown(bytes))
  }

  private mutating func evictPart(_ index: Int, _ emit: (Command) -> Void) {
    evict(index, keeping: entries[index].segments > 1 && !entries[index].isUnreadable ? 1 : 0, emit)
  }

  mutating func evict(_ index: Int, keeping: Int32, _ emit: (Command) -> Void) {
    let item = entries[index].item
    if keeping > 0 {
      entries[index].trim()
    } else {
      entries.remove(at: index)
      endRestore(of: item, emit)
    }
    emit(.evict(item, keeping: keeping))
  }

  mutating func clearDisk(_ emit: (Command) -> Void) {
    evictUnknown(unknownBytes, emit)
    for index in entries.indices.reversed() where !entries[index].isSaved { evict(index, keeping: 0, emit) }
  }

  /// Adds or replaces. A full table drops its least; says no if this one would be that.
  @discardableResult
  mutating func put(_ entry: DiskEntry, _ emit: (Command) -> Void) -> Bool {
    if let index = copyPlace(of: entry.item) {
      entries[index] = entry
      return true
    }
    if entries.count >= Self.maxEntries {
      guard let least = leastWorthOnDisk(),
        entry.isSaved || entries[least].reclaimable(for: entry, at: turn) > .zero
      else { return false }
      evict(least, keeping: 0, emit)
    }
    entries.append(entry)
    return true
  }
}

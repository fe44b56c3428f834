internal import CoreTypes

/// What is written to disk and what goes from there.
extension MediaCache {
  func copyPlace(of item: ItemID) -> Int? { copies.firstIndex { $0.item == item } }

  func diskBytes(saved: Bool) -> Bytes {
    var sum = Bytes.zero
    for copy in copies where copy.isSaved == saved { sum += copy.bytes }
    return sum
  }

  /// By how much what is not saved exceeds its share.
  private func excess(with more: Bytes = .zero) -> Bytes {
    let share = max(.zero, diskBudget - savedDiskBytes)
    return clearableDiskBytes + more - share
  }

  // MARK: Writing

  /// Once for each clip that memory has more of than the disk.
  mutating func persist(_ item: ItemID, as kind: DiskCopy.Kind, _ emit: (Command) -> Void) {
    guard hasDisk, let index = place(of: item) else { return }
    let segments = holdings[index].prefix
    let old = copyPlace(of: item).map { copies[$0] }
    guard segments > old?.segments ?? 0 else { return }
    var copy = old ?? DiskCopy(item: item)
    copy.segments = segments
    copy.bytes = holdings[index].bytes(ofFirst: segments)
    copy.headBytes = holdings[index].bytes(ofFirst: 1)
    copy.kind = kind
    copy.turn = turn
    copy.isUnreadable = false
    if copy.isSaved {
      put(copy, emit)
      shrinkDisk(emit)
    } else {
      guard limits.storesAhead, makeDiskRoom(for: copy, replacing: old?.bytes ?? .zero, emit),
        put(copy, emit)
      else { return }
    }
    emit(.persist(item, segments: segments))
  }

  /// The current clip and those ahead, for a start without network. A quarter of the disk at most, so that
  /// the shelf never crowds out what was watched.
  mutating func fillShelf(_ emit: (Command) -> Void) {
    var left = diskBudget.rawValue / 4
    for item in window {
      guard let distance = distance(of: item), distance >= 0, let index = place(of: item) else { continue }
      left -= holdings[index].bytes(ofFirst: holdings[index].prefix).rawValue
      guard left >= 0 else { return }
      let wasWatched = copyPlace(of: item).map { copies[$0].kind == .watched } ?? false
      persist(item, as: holdings[index].isWatched || wasWatched ? .watched : .ahead, emit)
    }
  }

  mutating func save(_ item: ItemID, _ isSaved: Bool, _ emit: (Command) -> Void) {
    guard isSaved ? hasDisk : diskBudget > .zero else { return }
    if isSaved {
      if let index = copyPlace(of: item) {
        copies[index].isSaved = true
      } else {
        var copy = DiskCopy(item: item)
        copy.isSaved = true
        put(copy, emit)
      }
      persist(item, as: .watched, emit)
    } else if let index = copyPlace(of: item) {
      copies[index].isSaved = false
      copies[index].turn = turn
      if copies[index].segments == 0 { copies.remove(at: index) }
    } else if copies.count >= Self.maxCopies {
      // More clips were saved than the table holds: the host knows this one.
      emit(.evict(item, keeping: 0))
    }
    shrinkDisk(emit)
  }

  mutating func persistFailed(
    _ item: ItemID, segments: Int32, _ bytes: Bytes, isFull: Bool, _ emit: (Command) -> Void
  ) {
    guard let index = copyPlace(of: item), copies[index].segments > 0 else { return }
    let isSaved = copies[index].isSaved
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
    copies[index].segments = min(max(segments, 0), copies[index].segments)
    if copies[index].segments > 0 {
      copies[index].bytes = min(max(bytes, .zero), copies[index].bytes)
      copies[index].headBytes = min(copies[index].headBytes, copies[index].bytes)
    } else if copies[index].isSaved {
      (copies[index].bytes, copies[index].headBytes) = (.zero, .zero)
    } else {
      copies.remove(at: index)
    }
  }

  mutating func noteShown(_ item: ItemID) {
    guard let index = copyPlace(of: item) else { return }
    copies[index].turn = turn
    if copies[index].kind == .ahead { copies[index].kind = .seen }
  }

  // MARK: Room on disk

  /// Makes room by dropping what is worth less; drops nothing if that would not be enough.
  private mutating func makeDiskRoom(
    for copy: DiskCopy, replacing old: Bytes, _ emit: (Command) -> Void
  ) -> Bool {
    let needed = excess(with: copy.bytes - old)
    guard needed > .zero else { return true }
    var reclaimable = unknownBytes
    for other in copies where other.item != copy.item {
      reclaimable += other.reclaimable(for: copy, at: turn)
    }
    guard reclaimable >= needed else { return false }
    evictUnknown(needed, emit)
    while excess(with: copy.bytes - old) > .zero, let index = leastWorthOnDisk(but: copy.item) {
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
    for (index, copy) in copies.enumerated() where !copy.isSaved && copy.item != item {
      let rank = (copy.density(at: turn), copy.turn, copy.item.rawValue)
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
    evict(index, keeping: copies[index].segments > 1 && !copies[index].isUnreadable ? 1 : 0, emit)
  }

  mutating func evict(_ index: Int, keeping: Int32, _ emit: (Command) -> Void) {
    let item = copies[index].item
    if keeping > 0 {
      copies[index].trim()
    } else {
      copies.remove(at: index)
      endRestore(of: item, emit)
    }
    emit(.evict(item, keeping: keeping))
  }

  mutating func clearDisk(_ emit: (Command) -> Void) {
    evictUnknown(unknownBytes, emit)
    for index in copies.indices.reversed() where !copies[index].isSaved { evict(index, keeping: 0, emit) }
  }

  /// Adds or replaces. A full table drops its least; says no if this one would be that.
  @discardableResult
  mutating func put(_ copy: DiskCopy, _ emit: (Command) -> Void) -> Bool {
    if let index = copyPlace(of: copy.item) {
      copies[index] = copy
      return true
    }
    if copies.count >= Self.maxCopies {
      guard let least = leastWorthOnDisk(),
        copy.isSaved || copies[least].reclaimable(for: copy, at: turn) > .zero
      else { return false }
      evict(least, keeping: 0, emit)
    }
    copies.append(copy)
    return true
  }
}

public import CoreTypes

/// What stays in memory.
extension MediaCache {
  /// What memory holds of a clip, for a machine that forgot it meanwhile; the initialisation section is −1.
  public func forEachStored(of item: ItemID, _ body: (_ rendition: Int32, _ segment: Int32) -> Void) {
    if let index = place(of: item) { clips[index].forEachPart(body) }
  }

  func place(of item: ItemID) -> Int? { clips.firstIndex { $0.item == item } }

  mutating func store(
    _ item: ItemID, rendition: Int32, segment: Int32, _ bytes: Bytes, _ emit: (Command) -> Void
  ) {
    guard (0..<Int32(PlaybackDescriptor.maxRenditions)).contains(rendition),
      (-1..<Int32(PlaybackDescriptor.maxSegments)).contains(segment)
    else { return }
    let index = place(of: item) ?? freePlace(for: item, emit)
    memoryBytes += clips[index].store(rendition: rendition, segment: segment, bytes: bytes, turn: turn)
    noteProgress(of: item, emit)
    if let entry = copyPlace(of: item), entries[entry].isSaved {
      persist(item, as: entries[entry].kind, emit)
    }
  }

  private mutating func freePlace(for item: ItemID, _ emit: (Command) -> Void) -> Int {
    if clips.count >= Self.maxClips, !clips.contains(where: { $0.item == nil }),
      let least = leastWorth()
    {
      drop(least, emit)
    }
    let index = clips.firstIndex { $0.item == nil } ?? clips.count
    if index == clips.count { clips.append(CachedClip()) }
    clips[index].begin(item, distance: distance(of: item), turn: turn)
    return index
  }

  /// Drops what is worth least until the rest fits or only what is pinned is left.
  mutating func makeRoom(_ emit: (Command) -> Void) {
    while memoryBytes > memoryBudget, let index = leastWorth() {
      noteWant(of: clips[index])
      if clips[index].canBeTrimmed {
        trim(index, emit)
      } else {
        drop(index, emit)
      }
    }
  }

  /// Whether `room` was wrong, or what it let in has to go again already.
  private mutating func noteWant(of clip: CachedClip) {
    guard clip.distance != nil else { return }
    if !givesWay(clip) || clip.tailTurn == turn { isFull = true }
  }

  /// What would go first of this clip lies outside the window, or behind its head in a clip left behind.
  private func givesWay(_ clip: CachedClip) -> Bool {
    guard let distance = clip.distance else { return true }
    return distance < 0 && clip.canBeTrimmed
  }

  /// Of the clips that may go, those that give way first; at equal worth the one that left it first.
  private func leastWorth() -> Int? {
    var least: (index: Int, rank: (Int, Int64, Int64, Int32))?
    for (index, clip) in clips.enumerated() {
      guard let item = clip.item, !isPinned(item) else { continue }
      let rank = (
        givesWay(clip) ? 0 : 1, clip.density(at: turn), clip.lastTurn, item.rawValue
      )
      if let sofar = least, sofar.rank <= rank { continue }
      least = (index, rank)
    }
    return least?.index
  }

  mutating func dropUnpinned(_ emit: (Command) -> Void, where isDue: (CachedClip) -> Bool) {
    for index in clips.indices {
      guard let item = clips[index].item, !isPinned(item), isDue(clips[index]) else { continue }
      drop(index, emit)
    }
  }

  private mutating func trim(_ index: Int, _ emit: (Command) -> Void) {
    guard let item = clips[index].item else { return }
    memoryBytes -= clips[index].trim()
    emit(.discard(item, keeping: 1))
  }

  mutating func drop(_ index: Int, _ emit: (Command) -> Void) {
    guard let item = clips[index].item else { return }
    memoryBytes -= clips[index].clear()
    emit(.discard(item, keeping: 0))
  }
}

public import CoreTypes

/// What stays in memory.
extension MediaCache {
  /// What memory holds of a clip, for a machine that forgot it meanwhile; the initialisation section is −1.
  public func forEachStored(of item: ItemID, _ body: (_ rendition: Int32, _ segment: Int32) -> Void) {
    if let index = place(of: item) { holdings[index].forEachPart(body) }
  }

  func place(of item: ItemID) -> Int? { holdings.firstIndex { $0.item == item } }

  mutating func store(
    _ item: ItemID, rendition: Int32, segment: Int32, _ bytes: Bytes, _ emit: (Command) -> Void
  ) {
    guard (0..<Int32(PlaybackDescriptor.maxRenditions)).contains(rendition),
      (-1..<Int32(PlaybackDescriptor.maxSegments)).contains(segment)
    else { return }
    let index = place(of: item) ?? freePlace(for: item, emit)
    memoryBytes += holdings[index].store(rendition: rendition, segment: segment, bytes: bytes, turn: turn)
    noteProgress(of: item, emit)
    if let copy = copyPlace(of: item), copies[copy].isSaved { persist(item, as: copies[copy].kind, emit) }
  }

  private mutating func freePlace(for item: ItemID, _ emit: (Command) -> Void) -> Int {
    if holdings.count >= Self.maxHoldings, !holdings.contains(where: { $0.item == nil }),
      let least = leastWorth()
    {
      drop(least, emit)
    }
    let index = holdings.firstIndex { $0.item == nil } ?? holdings.count
    if index == holdings.count { holdings.append(Holding()) }
    holdings[index].begin(item, distance: distance(of: item), turn: turn)
    return index
  }

  /// Drops what is worth least until the rest fits or only what is pinned is left.
  mutating func makeRoom(_ emit: (Command) -> Void) {
    while memoryBytes > memoryBudget, let index = leastWorth() {
      noteWant(of: holdings[index])
      if holdings[index].canBeTrimmed {
        trim(index, emit)
      } else {
        drop(index, emit)
      }
    }
  }

  /// Whether `room` was wrong, or what it let in has to go again already.
  private mutating func noteWant(of holding: Holding) {
    guard holding.distance != nil else { return }
    if !givesWay(holding) || holding.tailTurn == turn { isFull = true }
  }

  /// What would go first of this clip lies outside the window, or behind its head in a clip left behind.
  private func givesWay(_ holding: Holding) -> Bool {
    guard let distance = holding.distance else { return true }
    return distance < 0 && holding.canBeTrimmed
  }

  /// Of the clips that may go, those that give way first; at equal worth the one that left it first.
  private func leastWorth() -> Int? {
    var least: (index: Int, rank: (Int, Int64, Int64, Int32))?
    for (index, holding) in holdings.enumerated() {
      guard let item = holding.item, !isPinned(item) else { continue }
      let rank = (
        givesWay(holding) ? 0 : 1, holding.density(at: turn), holding.lastTurn, item.rawValue
      )
      if let sofar = least, sofar.rank <= rank { continue }
      least = (index, rank)
    }
    return least?.index
  }

  mutating func dropUnpinned(_ emit: (Command) -> Void, where isDue: (Holding) -> Bool) {
    for index in holdings.indices {
      guard let item = holdings[index].item, !isPinned(item), isDue(holdings[index]) else { continue }
      drop(index, emit)
    }
  }

  private mutating func trim(_ index: Int, _ emit: (Command) -> Void) {
    guard let item = holdings[index].item else { return }
    memoryBytes -= holdings[index].trim()
    emit(.discard(item, keeping: 1))
  }

  mutating func drop(_ index: Int, _ emit: (Command) -> Void) {
    guard let item = holdings[index].item else { return }
    memoryBytes -= holdings[index].clear()
    emit(.discard(item, keeping: 0))
  }
}

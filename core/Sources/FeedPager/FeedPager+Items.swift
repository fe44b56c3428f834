import CoreTypes

/// What comes into the feed, goes from it or changes its place, without moving what the person sees.
extension FeedPager {
  mutating func append(_ item: ItemID, at now: Instant, emit: (Command) -> Void) {
    guard !items.contains(item), makeRoom(at: now, emit: emit) else { return }
    pulledAtEnd = false
    rearrange(at: now, emit: emit) { $0.append(item) }
  }

  /// Puts a clip before another one; at the end if that one is not in the feed (any more). A clip
  /// that is in the feed already changes its place.
  mutating func insert(
    _ item: ItemID, before place: ItemID, at now: Instant, emit: (Command) -> Void
  ) {
    guard item != place, items.contains(item) || makeRoom(at: now, emit: emit) else { return }
    rearrange(at: now, emit: emit) { items in
      if let old = items.firstIndex(of: item) { items.remove(at: old) }
      items.insert(item, at: items.firstIndex(of: place) ?? items.count)
    }
    requestIfNear(at: now, emit: emit)
  }

  mutating func remove(_ item: ItemID, at now: Instant, emit: (Command) -> Void) {
    ready.removeAll { $0 == item }
    guard let index = items.firstIndex(of: item) else { return }
    rearrange(at: now, emit: emit) { $0.remove(at: index) }
    requestIfNear(at: now, emit: emit)
  }

  /// With the feed full the oldest clips go. Who is at the top of so many cannot need more.
  private mutating func makeRoom(at now: Instant, emit: (Command) -> Void) -> Bool {
    guard items.count >= Self.maxItems else { return true }
    guard min(current, focus) >= 2 * Self.trimmed else { return false }
    for item in items.prefix(Self.trimmed) { emit(.forget(item)) }
    rearrange(at: now, emit: emit) { $0.removeFirst(Self.trimmed) }
    return true
  }

  /// Changes the feed, then finds the clip on the screen and the one that is waited for again.
  private mutating func rearrange(
    at now: Instant, emit: (Command) -> Void, _ change: (inout [ItemID]) -> Void
  ) {
    let shown = items.isEmpty ? nil : items[current]
    let before = current
    var awaited: ItemID?
    if case .holding(let hold) = phase { awaited = items[hold.target] }
    change(&items)
    revision &+= 1
    current = shown.flatMap { items.firstIndex(of: $0) } ?? min(before, max(0, items.count - 1))
    updateMounts(emit: emit)
    guard !items.isEmpty else {
      phase = .resting
      endWait(emit: emit)
      return
    }
    let isOther = items[current] != shown
    if isOther { emit(.setCurrent(items[current], page: Int32(current))) }
    if shown == nil { return }
    follow(from: before, isOther: isOther, awaited: awaited, at: now, emit: emit)
    if let wait { review(wait, at: now, emit: emit) }
  }

  /// If the clip that is waited for is gone, or has come to the screen by itself, the wait is over; who
  /// wanted to go on goes on to the one in its place.
  private mutating func review(_ wait: Wait, at now: Instant, emit: (Command) -> Void) {
    let isGone = !items.contains(wait.item)
    guard isGone || items[current] == wait.item else { return }
    endWait(emit: emit)
    guard isGone, wait.isAhead, !wait.isJump, items.indices.contains(current + 1) else { return }
    go(to: current + 1, velocity: 0, at: now, emit: emit)
  }

  /// The pages have other numbers now: what moves goes on moving from the same place.
  private mutating func follow(
    from before: Int, isOther: Bool, awaited: ItemID?, at now: Instant, emit: (Command) -> Void
  ) {
    let shift = Position(current - before) * Self.page
    switch phase {
    case .resting:
      if shift != 0 || isOther { emit(.settle(page: Int32(current), duration: .zero)) }
    case .dragging(let base, let translation):
      phase = .dragging(base: base + shift, translation: translation)
      if shift != 0 || isOther { emit(.scroll(position(at: now))) }
    case .settling(let from, let started, let duration):
      phase = .settling(from: from + shift, started: started, duration: duration)
      guard shift != 0 else { return }
      emit(.scroll(position(at: now)))
      let left = max(.zero, duration - max(.zero, now - started))
      emit(.settle(page: Int32(current), duration: left))
    case .holding(let hold):
      rehold(hold, from: before, awaited: awaited, hasMoved: shift != 0, at: now, emit: emit)
    }
  }

  /// If the clip that was waited for is gone, the one in its place is waited for instead.
  private mutating func rehold(
    _ hold: Hold, from before: Int, awaited: ItemID?, hasMoved: Bool, at now: Instant,
    emit: (Command) -> Void
  ) {
    // So that what follows starts from where the page stands.
    let offset = abs(hold.target - before) > Self.mountedReach ? 0 : Self.holdOffset
    let stands = Position(current) * Self.page + (hold.target > before ? offset : -offset)
    if let awaited, let target = items.firstIndex(of: awaited), target != current {
      var moved = hold
      moved.target = target
      phase = .holding(moved)
      if hasMoved || position(at: now) != stands {
        emit(.hold(position(at: now), duration: .zero))
      }
      return
    }
    phase = .dragging(base: stands, translation: 0)
    let neighbour = hold.target > before ? current + 1 : current - 1
    let isGone = awaited.map { !items.contains($0) } ?? true
    guard isGone, abs(hold.target - before) == 1, items.indices.contains(neighbour) else {
      return settle(velocity: 0, at: now, emit: emit)
    }
    go(to: neighbour, velocity: hold.velocity, isJump: hold.isJump, at: now, emit: emit)
  }

  /// Mounts and unmounts what changed. Allocates nothing.
  mutating func updateMounts(emit: (Command) -> Void) {
    let first = max(0, current - Self.mountedReach)
    let end = min(items.count, current + Self.mountedReach + 1)
    for mount in mounted where !items[min(first, end)..<end].contains(mount.item) {
      emit(.unmount(mount.item))
    }
    for page in first..<max(first, end) where !mounted.contains(Mount(item: items[page], page: page)) {
      emit(.mount(items[page], page: Int32(page)))
    }
    mounted.removeAll(keepingCapacity: true)
    for page in first..<max(first, end) { mounted.append(Mount(item: items[page], page: page)) }
  }
}

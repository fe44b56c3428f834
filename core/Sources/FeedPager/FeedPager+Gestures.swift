import CoreTypes

/// What fingers, wheels and keys do. Translations and velocities are px and px/s of the screen,
/// downward positive: a finger that moves up goes to the next clip.
extension FeedPager {
  /// Gestures beyond this are not of this world; the bound keeps the arithmetic exact.
  private static let maxPixels: Int64 = 1_000_000

  mutating func setLock(_ locks: Bool, at now: Instant, emit: (Command) -> Void) {
    isLocked = locks
    guard locks else { return }
    if let wait, !wait.isJump { endWait(emit: emit) }
    switch phase {
    case .dragging: settle(velocity: 0, at: now, emit: emit)
    case .holding(let hold): if !hold.isJump { settle(velocity: 0, at: now, emit: emit) }
    case .resting, .settling: break
    }
  }

  mutating func beginDrag(at now: Instant, emit: (Command) -> Void) {
    guard !isLocked else { return }
    endWait(emit: emit)
    phase = .dragging(base: unbanded(position(at: now)), translation: 0)
    revision &+= 1
  }

  mutating func drag(by translation: Int64, at now: Instant, emit: (Command) -> Void) {
    guard case .dragging(let base, _) = phase else { return }
    phase = .dragging(base: base, translation: translation)
    emit(.scroll(position(at: now)))
  }

  mutating func endDrag(
    translation: Int64, velocity: Int64, at now: Instant, emit: (Command) -> Void
  ) {
    guard case .dragging(let base, _) = phase else { return }
    let rest = Position(current) * Self.page
    let moved = base - pages(translation) - rest
    // So that a settle that follows starts where the finger let go.
    phase = .dragging(base: base, translation: translation)
    let upward = -min(max(velocity, -Self.maxPixels), Self.maxPixels)
    go(
      to: current + direction(moved: moved, upward: upward), velocity: upward, at: now, emit: emit)
  }

  /// −1, 0 or +1 page. A flick decides by its direction, but only takes back what the finger
  /// moved the other way; without one the projected position decides.
  private func direction(moved: Position, upward: Int64) -> Int {
    if abs(upward) >= Self.flickVelocity {
      if upward > 0 { return moved >= 0 ? 1 : 0 }
      return moved <= 0 ? -1 : 0
    }
    let projected = moved + pages(upward * Self.projection.rawValue / 1_000)
    if projected >= Self.page / 2 { return 1 }
    if projected <= -Self.page / 2 { return -1 }
    return 0
  }

  mutating func step(by pages: Int, at now: Instant, emit: (Command) -> Void) {
    let step = min(max(pages, -1_000), 1_000)
    guard step != 0, !isLocked else { return }
    if case .holding(let hold) = phase {
      // Asked again for the same: it is on its way. Asked for the opposite: stay.
      if (hold.target > current) == (step > 0) { return }
      return settle(velocity: 0, at: now, emit: emit)
    }
    go(to: current + step, velocity: 0, at: now, emit: emit)
  }

  /// One step for each gesture of a wheel or trackpad.
  mutating func turnWheel(by delta: Int64, at now: Instant, emit: (Command) -> Void) {
    let delta = min(max(delta, -Self.maxPixels), Self.maxPixels)
    let continues = wheel.last.map { now - $0 < Self.wheelGap } ?? false
    if !continues { wheel = Wheel() }
    wheel.last = now
    guard !isLocked else { return }
    if (wheel.travel < 0) != (delta < 0) { wheel.travel = 0 }
    if let stepped = wheel.stepped {
      guard now - stepped >= Self.wheelRepeat, abs(delta) >= Self.wheelStep else { return }
    }
    wheel.travel += delta
    guard abs(wheel.travel) >= Self.wheelStep else { return }
    let pages = wheel.travel > 0 ? 1 : -1
    wheel.travel = 0
    wheel.stepped = now
    step(by: pages, at: now, emit: emit)
  }

  /// Pixels as a distance in the feed.
  private func pages(_ pixels: Int64) -> Position {
    min(max(pixels, -Self.maxPixels), Self.maxPixels) * Self.page / height
  }

  /// Where a finger that was put down at `base` has pulled the page.
  func dragged(_ base: Position, by translation: Int64) -> Position {
    banded(base - pages(translation))
  }

  /// Beyond the first and the last page the finger pulls a rubber band: with x pages of pull the
  /// page moves 0.55·x / (1 + 0.55·x), never a whole one.
  private func banded(_ position: Position) -> Position {
    let last = Position(max(0, items.count - 1)) * Self.page
    if position < 0 { return -Self.stretched(-position) }
    if position > last { return last + Self.stretched(position - last) }
    return position
  }

  /// The pull that gives this position, so that a finger which catches the band does not tear it.
  private func unbanded(_ position: Position) -> Position {
    let last = Position(max(0, items.count - 1)) * Self.page
    if position < 0 { return -Self.relaxed(-position) }
    if position > last { return last + Self.relaxed(position - last) }
    return position
  }

  private static func relaxed(_ stretched: Position) -> Position {
    let y = min(stretched, page - 1_000)
    return y * page / (page - y) * 100 / 55
  }

  private static func stretched(_ pull: Position) -> Position {
    let scaled = min(pull, 1_000_000_000) * 55 / 100
    return scaled * page / (page + scaled)
  }
}

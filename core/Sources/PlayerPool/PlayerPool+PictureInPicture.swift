public import CoreTypes

/// The player that the system shows in a window of its own. It is pinned: it keeps its clip while the feed
/// goes on with the others, and plays in the background. Coming back finds the clip where it is. The camera
/// ends it, and a failure.
extension PlayerPool {
  struct Pin: Sendable {
    let index: Int
    /// In its window, while the feed shows another clip.
    var isPaused = false
    var place = Milliseconds.zero
  }

  /// The clip in the window.
  public var pinnedItem: ItemID? { pin.flatMap { slots[$0.index].item } }

  /// Beside the current clip, which is paused for reasons of its own.
  var pinPlays: Bool { pin?.isPaused == false }

  /// Players that a window needs at least: its own, and one for the clip on the screen.
  func pinnedCapacity(isAway: Bool) -> Int {
    guard let pinnedItem else { return 0 }
    return isAway || pinnedItem == current ? 1 : 2
  }

  /// How many clips are more important: what is pinned comes first, what is not wanted last.
  @inline(never) func rank(of item: ItemID) -> Int {
    let pinned = pinnedItem
    if item == pinned { return 0 }
    var rank = pinned == nil ? 0 : 1
    for other in wanted where other != pinned {
      if other == item { return rank }
      rank += 1
    }
    return .max
  }

  /// A player without a picture has no window.
  mutating func setPin(to index: Int) {
    guard slots[index].isAttachedAndShown, pin?.index != index else { return }
    let isCurrent = slots[index].item == current
    pin = Pin(index: index, isPaused: isCurrent && goesOnByTap, place: isCurrent ? place : .zero)
  }

  mutating func playPinned(_ isOn: Bool) {
    pin?.isPaused = !isOn
    guard pinnedItem == current else { return }
    isAsked = true
    if isOn { pauses.subtract(.tappable) } else { pauses.insert(.person) }
  }

  /// Another clip became the current one.
  mutating func comeToPinned() {
    guard let pin, pinnedItem == current else { return }
    place = pin.place
    if pin.isPaused { pauses.insert(.person) } else { pauses.remove(.limits) }
  }

  /// Two clips at once are noise: while one plays in the window, the feed is silent.
  mutating func hearPinned(emit: (Command) -> Void) {
    let heard = pinnedItem != current && pinPlays ? pin.map { PlayerID(Int32($0.index)) } : nil
    guard heard != onlyHeard else { return }
    onlyHeard = heard
    emit(.hearOnly(heard))
  }
}

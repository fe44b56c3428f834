import CoreTypes
import FeedPager

/// A pager with a clock that a test moves by hand, and all that it said.
struct PagerHarness {
  var pager = FeedPager()
  var now = Instant(0)
  var commands: [FeedPager.Command] = []

  /// With this many items, the first of them current, all that are named ready.
  init(items: Int32 = 0, ready: [Int32] = []) {
    send(.started(reducedMotion: false), .viewportResized(height: 1_000))
    for item in 0..<items { send(.itemAppended(ItemID(item))) }
    if items > 0 { send(.pageLoaded(hasMore: true)) }
    for item in ready { send(.readinessChanged(ItemID(item), isReady: true)) }
    commands = []
  }

  mutating func send(_ events: FeedPager.Event...) {
    for event in events {
      var emitted: [FeedPager.Command] = []
      pager.handle(event, at: now) { emitted.append($0) }
      commands += emitted
    }
  }

  /// To the next clip, which is ready, until the page rests.
  mutating func swipe() {
    send(.stepped(pages: 1), .settleFinished(page: Int64(pager.current + 1)))
    commands = []
  }

  mutating func wait(_ milliseconds: Int64) {
    now = now + Milliseconds(milliseconds)
    send(.woke)
  }

  /// The commands since the last look.
  mutating func take() -> [FeedPager.Command] {
    defer { commands = [] }
    return commands
  }

  var currents: [Int32] {
    commands.compactMap { command in
      if case .setCurrent(_, let page) = command { page } else { nil }
    }
  }
}

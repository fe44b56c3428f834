import CoreTypes
import FeedPager
import Session
import Testing

/// The same in bytes of WebAssembly memory, with the largest clips there can be:
/// web/tests/memory.test.mjs.
@Suite struct FlatMemoryTests {
  @Test func aThousandSwipesRememberNoMoreThanTheFirstHundred() {
    var host = HostModel()
    host.records = false
    host.feedSize = 1_100
    host.pageSize = 20
    host.rate = BitsPerSecond(40_000_000)
    host.start(FeedSession.Configuration(players: 5))
    host.run(1_000)
    var most = 0
    for swipe in 1...1_000 {
      host.send(.stepped(pages: 1))
      host.run(40)
      if swipe % 100 == 50 {
        host.send(.jumped(page: 0))
        host.run(600)
        host.send(.jumped(page: Int64(swipe)))
        host.run(600)
      }
      guard swipe % 50 == 0 else { continue }
      let held = Self.elements(in: host.session)
      if swipe <= 100 { most = max(most, held) }
      #expect(swipe <= 100 || held <= most * 11 / 10, "swipe \(swipe): \(held) after \(most)")
    }
    #expect(host.watch.broken.isEmpty)
    #expect(host.described.count > 50)
  }

  /// Elements of all collections in a value. The pager's list of handles is left out: it grows with
  /// the feed up to `FeedPager.maxItems`, in storage that is there from the start.
  private static func elements(in value: Any) -> Int {
    let mirror = Mirror(reflecting: value)
    var count = mirror.displayStyle == .collection ? mirror.children.count : 0
    for child in mirror.children where !(value is FeedPager && child.label == "items") {
      count += elements(in: child.value)
    }
    return count
  }
}

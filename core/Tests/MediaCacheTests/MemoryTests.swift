import CoreTypes
import MediaCache
import Testing

@Suite struct MemoryTests {
  @Test func dropsClipsOutsideTheWindowFirstAndTheirTailsBeforeTheirHeads() {
    var host = CacheHost(memory: 1_500_000)
    for clip: Int32 in 0..<2 {
      host.focus(on: clip)
      host.store(clip, -1..<4)
    }
    host.focus(on: 10)
    host.store(10, -1..<9)
    #expect(host.take() == [.discard(ItemID(0), keeping: 1)])
    host.store(11, -1..<5)
    #expect(host.take().first == .discard(ItemID(1), keeping: 1))
    #expect(host.holds(0, segment: 0) && host.holds(1, segment: 0), "their first segments stay")
    #expect(host.mistakes.isEmpty)
  }

  @Test func goingBackStartsFromTheFirstSegmentThatWasKept() {
    var host = CacheHost(memory: 1_000_000)
    for clip: Int32 in 0..<8 {
      host.focus(on: clip)
      host.store(clip, -1..<4)
    }
    for clip: Int32 in 0..<8 { #expect(host.holds(clip, segment: 0)) }
    #expect(host.memoryBytes <= 1_000_000)
  }

  @Test func neverTouchesWhatPlaysTheFocusAndTheNext() {
    var host = CacheHost(memory: 300_000)
    host.focus(on: 5, playing: 4)
    for clip: Int32 in 3..<8 { host.store(clip, -1..<12) }
    for clip: Int32 in 4..<7 { #expect(host.prefix(of: clip) == 12) }
    #expect(!host.holds(3, segment: 0) && !host.holds(7, segment: 0))
    #expect(host.mistakes.isEmpty && host.cache.room == .zero)
  }

  @Test func aMovingPageKeepsTheClipThatStillPlaysThoughItIsFarAway() {
    var host = CacheHost(memory: 600_000)
    host.focus(on: 0)
    host.store(0, -1..<5)
    host.focus(on: 20, playing: 0)
    host.store(20, -1..<9)
    #expect(host.prefix(of: 0) == 5)
    host.focus(on: 20)
    #expect(!host.holds(0, segment: 0))
  }

  @Test func dropsTheSharperTailFirstAtTheSameDistance() {
    var host = CacheHost(memory: 1_000_000)
    host.focus(on: 0)
    host.store(2, -1..<2)
    host.send(.segmentStored(ItemID(3), rendition: 0, segment: 0, Bytes(50_000)))
    host.send(.segmentStored(ItemID(3), rendition: 3, segment: 1, Bytes(600_000)))
    host.store(0, -1..<5)
    #expect(host.take() == [.discard(ItemID(3), keeping: 1)])
  }

  @Test func dropsClipsBehindBeforeThoseAhead() {
    var host = CacheHost(memory: 600_000)
    host.focus(on: 2)
    for clip: Int32 in [0, 1, 4, 5] { host.store(clip, -1..<1) }
    host.store(2, -1..<4)
    #expect(host.commands.isEmpty)
    host.store(2, 4..<5)
    #expect(host.take() == [.discard(ItemID(0), keeping: 0), .discard(ItemID(1), keeping: 0)])
  }

  @Test func roomIsWhatFitsBesidesTheWindow() {
    var host = CacheHost(memory: 1_000_000)
    host.focus(on: 0)
    host.store(0, 0..<2)
    #expect(host.cache.room == Bytes(850_000))
    host.focus(on: 30)
    #expect(host.cache.room == Bytes(1_000_000), "what lies outside the window gives way")
  }

  @Test func afterDroppingForWantOfRoomThereIsNoneUntilTheFocusMoves() {
    var host = CacheHost(memory: 500_000)
    host.focus(on: 0)
    host.store(2, -1..<4)
    host.store(0, -1..<3)
    #expect(host.commands == [.discard(ItemID(2), keeping: 1)])
    #expect(host.cache.room == .zero, "150 kB are free, but would be dropped again")
    host.focus(on: 1)
    #expect(host.cache.room > .zero)
  }

  @Test func storingASegmentTwiceCountsOnce() {
    var host = CacheHost()
    host.focus(on: 0)
    host.store(0, -1..<3)
    host.store(0, -1..<3)
    #expect(host.cache.memoryBytes == Bytes(251_000))
    host.store(0, 1..<2, rendition: 2)
    #expect(host.cache.memoryBytes == Bytes(351_000))
  }

  @Test func tellsAgainWhatItHoldsOfAClip() {
    var host = CacheHost()
    host.focus(on: 0)
    host.store(0, -1..<2, rendition: 1)
    host.store(0, 1..<2, rendition: 3)
    var told: [[Int32]] = []
    host.cache.forEachStored(of: ItemID(0)) { told.append([$0, $1]) }
    #expect(told == [[1, -1], [1, 0], [1, 1], [3, 1]])
  }

  @Test func aMemoryWarningLeavesWhatPlaysAndTheNextAndLessBudget() {
    var host = CacheHost(memory: 40_000_000)
    host.focus(on: 2)
    for clip: Int32 in 0..<6 { host.store(clip, -1..<3) }
    host.send(.memoryWarned)
    #expect(host.memory.keys.sorted() == [2, 3])
    #expect(host.cache.memoryBudget == Bytes(30_000_000) && host.cache.room == .zero)
    host.wait(MediaCache.shortageDuration)
    #expect(host.cache.room > .zero)
    for _ in 0..<20 { host.send(.memoryWarned) }
    #expect(host.cache.memoryBudget == Bytes(8 << 20))
  }

  @Test func theBackgroundGivesBackWhatNobodyIsNear() {
    var host = CacheHost(disk: 0)
    host.focus(on: 0)
    host.store(0, -1..<3)
    host.focus(on: 10)
    host.store(10, -1..<3)
    host.store(12, -1..<1)
    host.send(.backgrounded)
    #expect(host.take() == [.discard(ItemID(0), keeping: 0)])
  }

  @Test func aRemovedClipGoesEvenIfItPlays() {
    var host = CacheHost()
    host.focus(on: 0)
    host.store(0, -1..<3)
    host.send(.itemRemoved(ItemID(0)))
    #expect(host.take() == [.discard(ItemID(0), keeping: 0)] && host.cache.memoryBytes == .zero)
  }

  @Test func aThousandClipsTakeNoMoreThanTheTableHolds() {
    var host = CacheHost(memory: 1 << 30)
    for clip: Int32 in 0..<1_000 {
      host.focus(on: clip)
      host.store(clip, -1..<1)
    }
    #expect(host.memory.count == 64 && host.mistakes.isEmpty)
    #expect(host.holds(999, segment: 0) && host.holds(998, segment: 0) && !host.holds(900, segment: 0))
  }

  /// A prefetch that asks for everything it has room for comes to rest: what was dropped for want of room is
  /// not fetched again for ever.
  @Test func aGreedyPrefetchComesToRest() {
    for budget: Int64 in [0, 1, 200_000, 500_000, 1_000_000, 1_500_000, 3_000_000] {
      var host = CacheHost(memory: max(1, budget))
      var fetches = 0
      for clip: Int32 in [0, 1, 2, 3, 2, 1, 7] {
        host.focus(on: clip)
        var again = true
        while again, fetches < 5_000 {
          again = false
          for other in [clip, clip + 1, clip + 2, clip - 1, clip + 3, clip - 2] where other >= 0 {
            for segment: Int32 in 0..<6 where !host.holds(other, segment: segment) {
              let isFree = other == clip || other == clip + 1
              guard isFree || host.cache.room >= Bytes(CacheHost.size(of: segment)) else { continue }
              host.store(other, segment..<segment + 1)
              fetches += 1
              again = true
            }
          }
        }
      }
      #expect(fetches < 7 * 36 * 2, "budget \(budget)")
      #expect(host.mistakes.isEmpty)
    }
  }
}

import CoreTypes
import MediaCache
import Testing

@Suite struct DiskTests {
  @Test func writesAClipThatWasWatchedLongOnceWhenThePersonLeavesIt() {
    var host = CacheHost()
    host.focus(on: 0)
    host.store(0, -1..<8)
    host.send(.positionChanged(ItemID(0), MediaCache.longWatch))
    #expect(host.take().isEmpty)
    host.focus(on: 1)
    #expect(host.take() == [.persist(ItemID(0), segments: 8)])
    host.focus(on: 0)
    host.focus(on: 1)
    #expect(host.take().isEmpty)
  }

  @Test func aClipThatWasSkippedIsNotWritten() {
    var host = CacheHost()
    for clip: Int32 in 0..<20 {
      host.focus(on: clip)
      host.store(clip, -1..<4)
      host.send(.positionChanged(ItemID(clip), Milliseconds(3_000)))
    }
    #expect(host.take().isEmpty)
  }

  @Test func aShortClipThatLoopedCountsAsWatched() {
    var host = CacheHost()
    host.focus(on: 0)
    host.store(0, -1..<3)
    host.send(.looped(ItemID(0)))
    host.focus(on: 1)
    #expect(host.take() == [.persist(ItemID(0), segments: 3)])
  }

  @Test func goingToTheBackgroundFillsTheShelfForAStartWithoutNetwork() {
    var host = CacheHost()
    host.focus(on: 1)
    host.store(0, -1..<2)
    host.store(1, -1..<4)
    for clip: Int32 in 2..<5 { host.store(clip, -1..<1) }
    host.send(.backgrounded)
    let shelf: [MediaCache.Command] = [
      .persist(ItemID(1), segments: 4), .persist(ItemID(2), segments: 1), .persist(ItemID(3), segments: 1),
      .persist(ItemID(4), segments: 1),
    ]
    #expect(host.take() == shelf)
    host.send(.backgrounded)
    #expect(host.take().isEmpty, "nothing new, nothing written")
  }

  @Test func writesNothingUnaskedWhenEnergyIsShort() {
    var host = CacheHost()
    var limits = PlaybackLimits.unlimited
    limits.storesAhead = false
    host.send(.limitsChanged(limits))
    host.focus(on: 0)
    host.store(0, -1..<3)
    host.send(.looped(ItemID(0)))
    host.send(.backgrounded)
    host.focus(on: 1)
    #expect(host.take().isEmpty)
    host.send(.savedForOffline(ItemID(0), true))
    #expect(host.take() == [.persist(ItemID(0), segments: 3)], "the person asked for it")
  }

  @Test func aSavedClipIsWrittenAsItArrives() {
    var host = CacheHost()
    host.focus(on: 0)
    host.send(.savedForOffline(ItemID(0), true))
    host.store(0, 0..<1)
    host.store(0, 2..<3)
    #expect(host.take() == [.persist(ItemID(0), segments: 1)], "a gap is not written over")
    host.store(0, 1..<2)
    #expect(host.take() == [.persist(ItemID(0), segments: 3)])
  }

  @Test func aSavedClipOutlivesEverythingButThePersonsWord() {
    var host = CacheHost(disk: 1_000_000)
    host.focus(on: 0)
    host.store(0, -1..<9)
    host.send(.savedForOffline(ItemID(0), true))
    for clip: Int32 in 1..<10 {
      host.focus(on: clip)
      host.store(clip, -1..<6)
      host.send(.looped(ItemID(clip)))
    }
    host.send(.clearRequested)
    host.send(.itemRemoved(ItemID(0)))
    #expect(host.disk == [0: 9] && host.mistakes.isEmpty)
    host.send(.savedForOffline(ItemID(0), false))
    host.send(.clearRequested)
    #expect(host.disk.isEmpty)
  }

  @Test func whatIsNotSavedKeepsToTheBudget() {
    var host = CacheHost(disk: 1_200_000)
    for clip: Int32 in 0..<6 {
      host.focus(on: clip)
      host.store(clip, -1..<6)
      host.send(.looped(ItemID(clip)))
    }
    host.focus(on: 6)
    #expect(host.disk == [0: 1, 1: 1, 2: 1, 3: 1, 4: 1, 5: 6], "older ones keep their first segment")
    #expect(host.mistakes.isEmpty)
  }

  @Test func clipsOfEarlierVisitsThatNobodyNamedGoFirst() {
    var host = CacheHost(disk: 1_000_000, used: 900_000)
    host.focus(on: 0)
    host.store(0, 0..<4)
    host.send(.looped(ItemID(0)))
    host.focus(on: 1)
    #expect(host.take() == [.evictUnknown(Bytes(250_000)), .persist(ItemID(0), segments: 4)])
  }

  @Test func aClipTooBigForTheDiskDropsNothingInVain() {
    var host = CacheHost(disk: 500_000)
    host.focus(on: 0)
    host.store(0, 0..<2)
    host.send(.looped(ItemID(0)))
    host.focus(on: 1)
    host.store(1, 0..<9)
    host.send(.looped(ItemID(1)))
    _ = host.take()
    host.focus(on: 2)
    #expect(host.take().isEmpty && host.disk == [0: 2])
  }

  @Test func readsBackWhatTheDiskHasWhenAClipComesIntoTheWindow() {
    var host = CacheHost()
    host.focus(on: 0)
    for clip: Int32 in 0..<3 { host.remember(clip, segments: 5, bytes: 450_000) }
    #expect(
      host.take() == [
        .restore(ItemID(0), first: 0, count: 5), .restore(ItemID(1), first: 0, count: 3),
        .restore(ItemID(2), first: 0, count: 1),
      ])
    host.deliverRestores()
    #expect(
      host.take() == [0, 1, 2].map { .restoringEnded(ItemID($0)) } && host.cache.nextWake == nil)
    host.focus(on: 1)
    #expect(
      host.take() == [
        .restore(ItemID(1), first: 3, count: 2), .restore(ItemID(2), first: 1, count: 2),
      ])
  }

  @Test func whatIsReadBackTakesRoom() {
    var host = CacheHost(memory: 1_000_000)
    host.focus(on: 0)
    host.remember(2, segments: 1, bytes: 50_000)
    #expect(host.cache.room == Bytes(950_000))
    host.remember(3, segments: 1, bytes: 960_000)
    #expect(host.take() == [.restore(ItemID(2), first: 0, count: 1)], "the other does not fit")
  }

  @Test func aDiskThatDoesNotAnswerIsNotWaitedFor() {
    var host = CacheHost()
    host.focus(on: 0)
    host.remember(0, segments: 2, bytes: 150_000)
    _ = host.take()
    #expect(host.cache.nextWake == host.now + MediaCache.restorePatience)
    host.wait(MediaCache.restorePatience)
    #expect(host.take() == [.restoringEnded(ItemID(0))])
    host.focus(on: 1)
    host.focus(on: 0)
    #expect(host.take().isEmpty, "nor asked again for this clip")
  }

  @Test func aCopyThatCannotBeReadIsDroppedAndASavedOneWrittenAnew() {
    var host = CacheHost()
    host.focus(on: 0)
    host.remember(0, segments: 2, bytes: 150_000, saved: true)
    host.remember(1, segments: 2, bytes: 150_000)
    _ = host.take()
    host.disk[0] = nil
    host.send(.restoreFailed(ItemID(0)))
    #expect(host.take() == [.restoringEnded(ItemID(0))])
    host.store(0, 0..<1)
    #expect(host.take() == [.persist(ItemID(0), segments: 1)])
    host.disk[1] = 2
    host.cache.handle(.restoreFailed(ItemID(1)), at: host.now) { host.commands.append($0) }
    #expect(host.take() == [.restoringEnded(ItemID(1)), .evict(ItemID(1), keeping: 0)])
  }

  @Test func aFullDiskShrinksTheBudgetAndTheSavedClipIsTriedAgain() {
    var host = CacheHost()
    host.focus(on: 0)
    host.store(0, 0..<4)
    host.send(.looped(ItemID(0)))
    host.focus(on: 1)
    host.store(1, 0..<4)
    host.send(.savedForOffline(ItemID(1), true))
    _ = host.take()
    host.send(.persistFailed(ItemID(1), segments: 1, Bytes(50_000), isFull: true))
    #expect(
      host.take() == [
        .evict(ItemID(0), keeping: 1), .evict(ItemID(0), keeping: 0), .persist(ItemID(1), segments: 4),
      ])
    #expect(host.cache.diskBudget == Bytes(300_000))
  }

  @Test func aDiskThatKeepsFailingIsLeftAlone() {
    var host = CacheHost()
    for clip: Int32 in 0..<6 {
      host.focus(on: clip)
      host.store(clip, 0..<2)
      host.send(.looped(ItemID(clip)))
      host.focus(on: clip + 1)
      host.send(.persistFailed(ItemID(clip), segments: 0, .zero, isFull: false))
    }
    #expect(host.take() == [0, 1, 2].map { .persist(ItemID($0), segments: 2) })
  }

  @Test func clearingLeavesWhatPlaysTheNextAndWhatIsSaved() {
    var host = CacheHost(used: 5_000)
    host.focus(on: 1)
    for clip: Int32 in 0..<4 { host.store(clip, 0..<1) }
    host.send(.savedForOffline(ItemID(3), true))
    host.remember(9, segments: 1, bytes: 2_000)
    _ = host.take()
    host.send(.clearRequested)
    #expect(
      host.take() == [
        .discard(ItemID(0), keeping: 0), .discard(ItemID(3), keeping: 0), .evictUnknown(Bytes(3_000)),
        .evict(ItemID(9), keeping: 0),
      ])
  }

  @Test func withoutADiskNothingIsWrittenOrRead() {
    var host = CacheHost(disk: 0, used: 1_000)
    host.focus(on: 0)
    host.store(0, 0..<3)
    host.send(.looped(ItemID(0)))
    host.remember(1, segments: 3, bytes: 100)
    host.send(.savedForOffline(ItemID(0), true))
    host.send(.backgrounded)
    host.send(.clearRequested)
    host.focus(on: 1)
    #expect(host.take().isEmpty)
  }

  @Test func aDiskThatCannotBeReadMayStillBeWritten() {
    var host = CacheHost()
    for clip: Int32 in 0..<4 { host.remember(clip, segments: 1, bytes: 50_000) }
    for clip: Int32 in 0..<4 {
      host.focus(on: clip, ahead: 0)
      host.wait(MediaCache.restorePatience)
    }
    #expect(host.take().filter { if case .restore = $0 { true } else { false } }.count == 3)
    host.store(3, 0..<2)
    host.send(.savedForOffline(ItemID(3), true))
    #expect(host.take() == [.persist(ItemID(3), segments: 2)])
  }

  @Test func aDiskOfAThousandClipsIsKnownAsFarAsTheTableGoes() {
    var host = CacheHost(disk: 1 << 30, used: 90_000_000)
    host.focus(on: 5_000)
    for clip: Int32 in 0..<1_000 { host.remember(clip, segments: 1, bytes: 90_000) }
    #expect(host.disk.count == 256 && host.mistakes.isEmpty)
    #expect(host.cache.clearableDiskBytes == Bytes(256 * 90_000))
    for clip: Int32 in 2_000..<2_300 { host.remember(clip, segments: 1, bytes: 90_000, saved: true) }
    #expect(host.saved.count == 300 && host.disk.count == 300 && host.mistakes.isEmpty)
  }
}

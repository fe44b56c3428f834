import Testing

@testable import Ranking

/// What hosts show to people of what a ranker knows.
@Suite struct ReadingTests {
  @Test func whatResemblesAClipIsLikedByTheSamePeople() {
    let instance = SmallInstance(events: 1_500)
    instance.ranker.refitWhole()
    let near = instance.ranker.similar(to: EntityID(4), 8)
    #expect(near.count == 8)
    #expect(!near.contains(EntityID(4)))
    #expect(Set(near).count == near.count)
    #expect(near.count { $0.low % 2 == 0 } >= 7)
    let allowed = instance.ranker.similar(to: EntityID(4), 8) { near.prefix(3).contains($0) }
    #expect(Set(allowed).isDisjoint(with: near.prefix(3)))
    #expect(instance.ranker.similar(to: EntityID(9_999), 8).isEmpty)
  }

  @Test func whatManyLikeSinceYesterdayRisesBeforeWhatAllHaveLikedForLong() {
    let ranker = Ranker(now: 0)
    let day: Int64 = 86_400_000
    for number in 1...2 {
      ranker.add(Clip(id: EntityID(UInt64(number)), author: EntityID(7), duration: 9_000, publishedAt: 0))
    }
    for viewer in 0..<2_000 {
      ranker.observe(.like, on: EntityID(1), by: EntityID(UInt64(viewer)), at: Int64(viewer) * day / 100)
    }
    for viewer in 0..<150 {
      ranker.observe(.like, on: EntityID(2), by: EntityID(UInt64(viewer)), at: 20 * day)
    }
    #expect(ranker.rising(5, now: 20 * day) == [EntityID(2), EntityID(1)])
    #expect(ranker.rising(5, now: 20 * day) { $0 == EntityID(2) } == [EntityID(1)])
    ranker.remove(EntityID(2))
    #expect(ranker.rising(5, now: 20 * day) == [EntityID(1)])
  }

  @Test func whatAGuestLikedTheAccountLikes() {
    let instance = SmallInstance()
    let (guest, account) = (EntityID(500), EntityID(501))
    for clip in [4, 6] {
      instance.ranker.observe(.like, on: EntityID(UInt64(clip)), by: guest, at: SmallInstance.start)
    }
    instance.ranker.observe(.like, on: EntityID(8), by: account, at: SmallInstance.start)
    instance.ranker.merge(guest, into: account)
    #expect(instance.ranker.likes(of: account) == [EntityID(8), EntityID(4), EntityID(6)])
    #expect(instance.ranker.likes(of: guest).isEmpty)
    instance.ranker.merge(EntityID(999), into: account)
    instance.ranker.merge(account, into: account)
    #expect(instance.ranker.likes(of: account).count == 3)
  }

  @Test func aLikeThatIsTakenBackCountsNoLonger() {
    let instance = SmallInstance()
    for clip in [4, 6] {
      instance.ranker.observe(.like, on: EntityID(UInt64(clip)), by: EntityID(500), at: SmallInstance.start)
    }
    instance.ranker.takeBack(EntityID(4), by: EntityID(500))
    instance.ranker.takeBack(EntityID(9_999), by: EntityID(500))
    instance.ranker.takeBack(EntityID(6), by: EntityID(501))
    #expect(instance.ranker.likes(of: EntityID(500)) == [EntityID(6)])
  }

  @Test func aClipThatIsGoneIsInNothing() {
    let instance = SmallInstance()
    instance.ranker.observe(.like, on: EntityID(4), by: EntityID(500), at: SmallInstance.start)
    #expect(instance.ranker.clip(EntityID(4))?.id == EntityID(4))
    instance.ranker.remove(EntityID(4))
    #expect(instance.ranker.clip(EntityID(4)) == nil)
    #expect(instance.ranker.likes(of: EntityID(500)).isEmpty)
    #expect(!instance.ranker.clipIDs.contains(EntityID(4)))
  }
}

import Testing

@testable import Ranking

@Suite struct RankerTests {
  @Test func learnsWhoLikesWhat() {
    let instance = SmallInstance(events: 1_500)
    for _ in 0..<3 { instance.ranker.refitWhole() }
    for viewer in [2, 3] {
      let best = instance.ranker.candidates(for: SmallInstance.request(viewer)).prefix(12)
      #expect(best.count { $0.clip.low % 2 == UInt64(viewer % 2) } >= 11)
      // Caps and places for others leave room for most of them.
      let page = instance.ranker.page(SmallInstance.request(viewer))
      #expect(page.count { $0.clip.low % 2 == UInt64(viewer % 2) } >= 6)
    }
  }

  @Test func theNextPageReflectsTheLastSwipe() {
    let instance = SmallInstance(events: 1_500)
    for _ in 0..<3 { instance.ranker.refitWhole() }
    let newcomer = EntityID(999)
    let request = SmallInstance.request(999)
    let before = instance.ranker.candidates(for: request).filter { $0.sources.contains(.coWatch) }
    #expect(before.isEmpty)
    instance.ranker.observe(
      Impression(viewer: newcomer, clip: EntityID(4), at: SmallInstance.start + 9_000_000, watched: 60_000))
    let after = instance.ranker.candidates(for: request)
    #expect(after.contains { $0.sources.contains(.coWatch) && $0.clip.low % 2 == 0 })
    let best = after.filter { $0.clip != EntityID(4) }.prefix(5)
    #expect(best.count { $0.clip.low % 2 == 0 } >= 4)
  }

  /// A like that is told of at once, before the impression is over, is learned as one that comes with it.
  @Test func whatWasToldOfAtOnceIsWhatCameOfTheImpressionAndCountsOnce() {
    for action in [Actions.like, .notInterested] {
      let (early, late) = (SmallInstance(), SmallInstance())
      let (viewer, clip, at) = (EntityID(1), EntityID(3), SmallInstance.start + 9_000_000)
      early.ranker.observe(action, on: clip, by: viewer, at: at - 2_000)
      let told = early.ranker.learn(
        from: Impression(viewer: viewer, clip: clip, at: at, watched: 700, observed: action))
      let known = late.ranker.learn(
        from: Impression(viewer: viewer, clip: clip, at: at, watched: 700, actions: action))
      #expect(told?.outcome == known?.outcome)
      #expect(told?.outcome[.action] == (action == .like ? 1 : 0))
      #expect(early.ranker.clips.map(\.rates) == late.ranker.clips.map(\.rates))
      #expect(early.ranker.viewers[viewer]?.rates == late.ranker.viewers[viewer]?.rates)
      #expect(early.ranker.totals == late.ranker.totals)
      #expect(early.ranker.likes(of: viewer) == late.ranker.likes(of: viewer))
    }
  }

  @Test func theSameCallsGiveTheSamePages() {
    let (one, other) = (SmallInstance(), SmallInstance())
    for instance in [one, other] { instance.ranker.refitWhole() }
    for viewer in 0..<30 {
      #expect(
        one.ranker.page(SmallInstance.request(viewer)) == other.ranker.page(SmallInstance.request(viewer)))
    }
    #expect(one.ranker.snapshot() == other.ranker.snapshot())
  }

  @Test func refittingInStepsDisturbsNothing() {
    let instance = SmallInstance()
    #expect(instance.ranker.refit() == .underWay(0))
    var steps = 0
    while instance.ranker.refit() != .done {
      instance.learn(events: 3, seed: UInt64(steps))
      instance.ranker.add(SmallInstance.clip(100 + steps))
      #expect(instance.ranker.page(SmallInstance.request(1)).count == 10)
      steps += 1
    }
    #expect(steps > 4)
    #expect(instance.ranker.clipCount == 40 + steps)
  }

  @Test func nothingExcludedOrGoneIsEverShownAndNothingTwice() {
    let instance = SmallInstance(clips: 60, events: 1_000)
    instance.ranker.refitWhole()
    var generator = SeededGenerator(seed: 31)
    for round in 0..<150 {
      if round % 10 == 0 { instance.ranker.remove(EntityID(UInt64(generator.below(60)))) }
      if round % 50 == 49 { instance.ranker.refitWhole() }
      let banned = UInt64(generator.below(4))
      let page = instance.ranker.page(
        SmallInstance.request(generator.below(25)) { $0.low % 4 == banned }, count: generator.below(15))
      #expect(Set(page.map(\.clip)).count == page.count)
      for place in page {
        #expect(place.clip.low % 4 != banned)
        #expect(instance.ranker.contains(place.clip))
        #expect(place.propensity > 0 && place.propensity <= 1)
        #expect(place.probabilities.values.allSatisfy { $0 > 0 && $0 < 1 })
      }
    }
  }

  @Test func placesAreSharedAsDeclared() {
    let instance = SmallInstance(clips: 200, events: 500)
    var reasons: [Reason: Int] = [:]
    for _ in 0..<100 {
      for place in instance.ranker.page(SmallInstance.request(1)) { reasons[place.reason, default: 0] += 1 }
    }
    // One of twenty places is drawn, one of ten a new clip's, where the lot does not take it.
    #expect(abs((reasons[.drawn] ?? 0) - 50) < 25)
    #expect(abs((reasons[.new] ?? 0) - 95) < 15)
  }

  @Test func whatIsNewIsNewsForFewAndEndsWithItsBudget() {
    let instance = SmallInstance(clips: 20, events: 0)
    for viewer in 0..<150 {
      instance.ranker.observe(
        Impression(
          viewer: EntityID(UInt64(viewer)), clip: EntityID(3), at: SmallInstance.start, watched: 0, surface: 1
        ))
    }
    #expect(instance.ranker.exploration(of: EntityID(3))!.isOver)
    #expect(!instance.ranker.exploration(of: EntityID(4))!.isOver)
    let fresh = instance.ranker.candidates(for: SmallInstance.request(500)).filter {
      $0.sources.contains(.fresh)
    }
    #expect(!fresh.contains { $0.clip == EntityID(3) })
    #expect(!fresh.isEmpty)
  }

  @Test func reasonsAreTrue() {
    let instance = SmallInstance(events: 1_500)
    instance.ranker.refitWhole()
    var request = SmallInstance.request(2)
    request.followed = [EntityID(1_004)]
    var seen: Set<String> = []
    for _ in 0..<20 {
      for place in instance.ranker.page(request) {
        let clip = SmallInstance.clip(Int(place.clip.low))
        switch place.reason {
        case .followedAuthor(let author): #expect(author == EntityID(1_004) && clip.author == author)
        case .likedAuthor(let author, let count): #expect(clip.author == author && count >= 2)
        case .likedClip(let liked):
          #expect(instance.ranker.viewers[EntityID(2)]!.positives.contains(instance.ranker.numbers[liked]!))
        case .likedTag(let tag): #expect(clip.tags.contains(tag))
        case .new: #expect(!instance.ranker.exploration(of: place.clip)!.isOver)
        case .resembling, .trending, .latest, .drawn: break
        }
        seen.insert("\(place.reason)".prefix { $0 != "(" }.description)
      }
    }
    #expect(seen.contains("followedAuthor") && seen.contains("likedAuthor"))
  }
}

@Suite struct RankerBoundsTests {
  @Test func anEmptyInstanceHasAnEmptyPage() {
    let ranker = Ranker(settings: SmallInstance.settings, now: 0)
    #expect(ranker.page(SmallInstance.request(1)).isEmpty)
    ranker.refitWhole()
    #expect(ranker.page(SmallInstance.request(1)).isEmpty)
    #expect(ranker.observe(Impression(viewer: EntityID(1), clip: EntityID(1), at: 0, watched: 5)) == nil)
    #expect(ranker.viewerCount == 0)
  }

  @Test func oneClipIsThePage() {
    let instance = SmallInstance(clips: 1, events: 50)
    instance.ranker.refitWhole()
    #expect(instance.ranker.page(SmallInstance.request(0)).map(\.clip) == [EntityID(0)])
    #expect(instance.ranker.page(SmallInstance.request(77)).map(\.clip) == [EntityID(0)])
  }

  @Test func allByOneAuthorIsAWholePage() {
    let instance = SmallInstance(clips: 30, authors: 1)
    instance.ranker.refitWhole()
    #expect(instance.ranker.page(SmallInstance.request(1)).count == 10)
  }

  @Test func clipsWithoutTagsOrLengthAreClips() {
    let ranker = Ranker(settings: SmallInstance.settings, now: 0)
    for number in UInt64(0)..<5 {
      ranker.add(Clip(id: EntityID(number), author: EntityID(9), duration: -5, publishedAt: .min))
    }
    for number in UInt64(0)..<5 {
      ranker.observe(Impression(viewer: EntityID(1), clip: EntityID(number), at: .max, watched: .max))
    }
    ranker.refitWhole()
    #expect(ranker.page(Request(viewer: EntityID(1), now: .min)).count == 5)
  }

  @Test func aViewerOfAHundredThousandEventsIsBounded() {
    let instance = SmallInstance(clips: 300, authors: 150, events: 0)
    var generator = SeededGenerator(seed: 41)
    for event in 0..<3_000 {
      // The record is bounded from the hundredth event on; the rest would only take the test's time.
      instance.ranker.observe(
        Impression(
          viewer: EntityID(1), clip: EntityID(UInt64(generator.below(300))), at: Int64(event), watched: 60_000
        ))
    }
    let viewer = instance.ranker.viewers[EntityID(1)]!
    #expect(viewer.positives.count == ViewerRecord.history)
    #expect(viewer.tags.entries.count <= RateMap.limit && viewer.authors.entries.count <= RateMap.limit)
    var record = ViewerRecord()
    for event in 0..<100_000 { record.like(UInt32(event % 5_000)) }
    #expect(record.positives.count == ViewerRecord.history)
  }

  @Test func ofMoreViewersThanFitThoseGoWhoWereAwayLongest() {
    var settings = SmallInstance.settings
    settings.viewers = 50
    let ranker = Ranker(settings: settings, now: 0)
    ranker.add(SmallInstance.clip(0))
    for viewer in 0..<500 {
      ranker.observe(
        Impression(viewer: EntityID(UInt64(viewer)), clip: EntityID(0), at: Int64(viewer), watched: 9_000))
    }
    #expect(ranker.viewerCount <= 50)
    #expect(ranker.viewers[EntityID(499)] != nil && ranker.viewers[EntityID(0)] == nil)
  }

  @Test func clocksThatJumpAndStrangeNumbersSpreadNowhere() {
    let instance = SmallInstance()
    for time: Int64 in [.min, .max, 0, -1, SmallInstance.start] {
      for watched: Int64? in [.min, .max, nil, -1] {
        let answer = instance.ranker.observe(
          Impression(
            viewer: EntityID(3), clip: EntityID(7), at: time, watched: watched,
            actions: Actions(rawValue: .max), surface: .max, trust: .infinity))
        #expect(answer!.values.allSatisfy { $0.isFinite })
      }
    }
    let nobody = Impression(viewer: EntityID(3), clip: EntityID(7), at: 0, watched: 1, trust: .nan)
    #expect(instance.ranker.observe(nobody) == nil)
    instance.ranker.refitWhole()
    #expect(instance.ranker.factors.vectors.values.allSatisfy { $0.isFinite })
    #expect(instance.ranker.popularity.sums.allSatisfy { $0.isFinite })
    let page = instance.ranker.page(SmallInstance.request(3))
    #expect(page.count == 10 && page.allSatisfy { $0.score.isFinite })
  }

  @Test func aForgottenViewerLeavesNoTrace() {
    let instance = SmallInstance()
    let id = EntityID(4)
    instance.ranker.observe(.like, on: EntityID(3), by: id, at: SmallInstance.start)
    instance.ranker.forget(id)
    #expect(instance.ranker.viewers[id] == nil)
    let crosses = Ranker.viewerCrosses(id, tags: [0, 10], author: EntityID(1_000))
    #expect(crosses.count == 4)
    for hash in crosses.prefix(1) {
      let place = Int(hash & 255) * LogisticModel.heads
      #expect(instance.ranker.model.crosses[place..<place + LogisticModel.heads].allSatisfy { $0 == 0 })
    }
  }

  @Test func numbersOfClipsThatAreGoneAreGivenAgainAfterASweep() {
    let instance = SmallInstance()
    for number in 0..<10 { instance.ranker.remove(EntityID(UInt64(number))) }
    instance.ranker.refitWhole()
    #expect(
      instance.ranker.coWatch.rows.allSatisfy { row in
        (0..<UInt32(10)).allSatisfy { row.weight(of: $0) == 0 }
      })
    for number in 100..<110 { instance.ranker.add(SmallInstance.clip(number)) }
    #expect(instance.ranker.clips.count == 40)
    #expect(instance.ranker.clipCount == 40)
  }
}

import Testing

@testable import Ranking

@Suite struct TrustTests {
  private static let day: Int64 = 86_400_000
  private static let start: Int64 = 1_700_006_400_000

  private static func person(_ number: Int) -> Origin {
    Origin(
      isGuest: number % 3 == 0, since: start - Int64(number % 400) * day, addressGroup: UInt64(number % 997))
  }

  /// An instance in its usual state: three days of a thousand people on two hundred clips.
  private static func usual() -> TrustModel {
    var model = TrustModel(at: start - 3 * day)
    for event in 0..<6_000 {
      _ = model.trust(
        of: person(event &* 7_919 % 1_000), on: EntityID(UInt64(event % 200)),
        at: start - 3 * day + Int64(event) * day / 2_000)
    }
    return model
  }

  private static func origin(since: Int64?, guest: Bool = false, group: UInt64? = 1) -> Origin {
    Origin(isGuest: guest, since: since, addressGroup: group)
  }

  @Test func anAccountGrowsIntoTrustAndAGuestDoesNot() {
    let settings = TrustModel.Settings()
    func standing(_ age: Int64, guest: Bool = false) -> Float {
      TrustModel.standing(of: Self.origin(since: Self.start - age, guest: guest), at: Self.start, settings)
    }
    #expect(standing(0) == 0.5)
    #expect(abs(standing(7 * Self.day) - 0.75) < 1e-6)
    #expect(standing(100 * Self.day) > 0.99)
    #expect(standing(100 * Self.day, guest: true) == 0.5)
    #expect(TrustModel.standing(of: Self.origin(since: nil), at: Self.start, settings) == 0.5)
    // From a clock that was ahead.
    #expect(standing(-5 * Self.day) == 0.5)
  }

  @Test func peopleFromEverywhereCountInFull() {
    var model = Self.usual()
    var given: Float = 0
    var full: Float = 0
    for person in 0..<400 {
      let origin = Self.person(person &* 613 % 1_000)
      given += model.trust(of: origin, on: EntityID(900), at: Self.start + Int64(person) * 1_000)
      full += TrustModel.standing(of: origin, at: Self.start, .init())
    }
    #expect(given > 0.9 * full)
  }

  @Test func accountsOfOneDayBringNoMoreThanAHandful() {
    var model = Self.usual()
    var sum: Float = 0
    for account in 0..<500 {
      // Each from a network of its own.
      let origin = Self.origin(since: Self.start - Self.day - 1_000, group: UInt64(10_000 + account))
      sum += model.trust(of: origin, on: EntityID(901), at: Self.start + Int64(account) * 1_000)
    }
    #expect(sum < TrustModel.Settings().free + 1)
  }

  @Test func oneNetworkBringsNoMoreThanAHandfulUnlessItIsUsual() {
    var model = Self.usual()
    var sum: Float = 0
    for account in 0..<500 {
      let origin = Self.origin(since: Self.start - Int64(account % 300) * Self.day, group: 77_777)
      sum += model.trust(of: origin, on: EntityID(902), at: Self.start + Int64(account) * 1_000)
    }
    #expect(sum < TrustModel.Settings().free + 1)

    // An instance behind one address: nobody is held back.
    var house = TrustModel(at: Self.start)
    for event in 0..<2_000 {
      let origin = Self.origin(since: Self.start - Int64(event % 9) * 40 * Self.day, group: 1)
      let trust = house.trust(
        of: origin, on: EntityID(UInt64(event % 50)), at: Self.start + Int64(event) * 100_000)
      #expect(trust > 0.4)
    }
  }

  @Test func onItsFirstDayAnInstanceHoldsNobodyBack() {
    var model = TrustModel(at: Self.start)
    for event in 0..<500 {
      let origin = Self.origin(since: Self.start, group: UInt64(event % 5))
      #expect(model.trust(of: origin, on: EntityID(1), at: Self.start + Int64(event) * 1_000) >= 0.5)
    }
  }

  @Test func aCrowdDoesNotBecomeUsualByComing() {
    var model = Self.usual()
    var sum: Float = 0
    for account in 0..<500 {
      let origin = Self.origin(since: Self.start - Self.day, group: UInt64(10_000 + account % 8))
      for other in 0..<6 {
        _ = model.trust(
          of: origin, on: EntityID(UInt64((account * 6 + other) % 200)),
          at: Self.start + Int64(account) * 1_000)
      }
      sum += model.trust(of: origin, on: EntityID(903), at: Self.start + Int64(account) * 1_000)
    }
    #expect(sum < TrustModel.Settings().free + 1)
  }

  @Test func whatIsRestoredGoesOnAsIfNothingHadHappened() throws {
    var model = Self.usual()
    let bytes = model.snapshot()
    var restored = try TrustModel(restoring: bytes, now: 0)
    for event in 0..<500 {
      let (origin, clip) = (Self.person(event &* 31 % 1_000), EntityID(UInt64(event % 210)))
      let time = Self.start + Int64(event) * 400_000
      #expect(model.trust(of: origin, on: clip, at: time) == restored.trust(of: origin, on: clip, at: time))
    }
    let isSame = model.snapshot() == restored.snapshot()
    #expect(isSame)
  }

  @Test func aSnapshotThatIsCutDamagedOrAnothersIsRefused() {
    var model = TrustModel(at: 0)
    for event in 0..<50 {
      _ = model.trust(of: Self.person(event), on: EntityID(UInt64(event % 5)), at: Int64(event))
    }
    let bytes = model.snapshot()
    func refusal(_ bytes: [UInt8]) -> SnapshotError? {
      do throws(SnapshotError) {
        _ = try TrustModel(restoring: bytes, now: 0)
        return nil
      } catch {
        return error
      }
    }
    #expect(refusal(bytes) == nil)
    for length in stride(from: 0, to: bytes.count, by: 37) {
      #expect(refusal(Array(bytes.prefix(length))) != nil)
    }
    var generator = SeededGenerator(seed: 5)
    for _ in 0..<200 {
      var damaged = bytes
      damaged[generator.below(bytes.count)] ^= 1 << UInt8(generator.below(8))
      #expect(refusal(damaged) != nil)
      var other = Array(bytes[24..<(bytes.count - 8)])
      other[generator.below(other.count)] = [0xFF, 0x7F, 0x80, 0][generator.below(4)]
      // Possible or not: what is taken in works.
      guard var lying = try? TrustModel(restoring: Snapshot.seal(other, as: .trust), now: 0) else { continue }
      let trust = lying.trust(of: Self.person(3), on: EntityID(1), at: 99)
      #expect(trust >= TrustModel.least && trust <= 1)
    }
    #expect(refusal(Ranker(now: 0).snapshot()) == .foreign)
  }

  @Test func itsMemoryIsBoundedAndNoClockHarmsIt() {
    var settings = TrustModel.Settings()
    settings.clips = 100
    var model = TrustModel(settings: settings, at: 0)
    var generator = SeededGenerator(seed: 9)
    for event in 0..<3_000 {
      let time = [Int64.min, .max, 0, -1, Int64(event) * 1_000_000][event % 5]
      let origin = Origin(
        isGuest: event % 2 == 0, since: event % 7 == 0 ? nil : Int64(bitPattern: generator.next()),
        addressGroup: event % 11 == 0 ? nil : generator.next())
      let trust = model.trust(of: origin, on: EntityID(UInt64(event % 700)), at: time)
      #expect(trust >= TrustModel.least && trust <= 1)
    }
    #expect(model.clipCount <= 100)
    var company = Company()
    for key in UInt64(0)..<5_000 { company.add([key], 1, limit: 32, at: 0) }
    #expect(company.sums.count <= 32)
  }
}

@Suite struct TrustedLearningTests {
  @Test func whoIsLittleTrustedHasAFeedOfTheirOwnButTeachesNobody() {
    let (trusted, doubted) = (SmallInstance(events: 0), SmallInstance(events: 0))
    for (instance, trust) in [(trusted, Float(1)), (doubted, TrustModel.least)] {
      for viewer in 0..<50 {
        for clip in 0..<4 {
          instance.ranker.observe(
            Impression(
              viewer: EntityID(UInt64(viewer)), clip: EntityID(UInt64(clip)), at: SmallInstance.start,
              watched: 60_000, surface: 1, trust: trust))
        }
      }
      #expect(instance.ranker.viewers[EntityID(3)]!.positives.count == 4)
    }
    #expect(trusted.ranker.viewers[EntityID(3)]!.taught.count == 4)
    #expect(doubted.ranker.viewers.values.reduce(0) { $0 + $1.taught.count } <= 2)
    #expect(doubted.ranker.popularity.value(of: 1) < 0.1 && trusted.ranker.popularity.value(of: 1) > 40)
    #expect(doubted.ranker.coWatch.degree(of: 1) < 0.1)
    #expect(doubted.ranker.exploration(of: EntityID(1))!.impressions < 0.1)
  }

  @Test func theNewClipsOfOneAuthorWaitWhenTheyWereShownMuch() {
    var settings = SmallInstance.settings
    settings.exploration.firstPerAuthor = 30
    let ranker = Ranker(settings: settings, now: SmallInstance.start)
    for number in 0..<200 { ranker.add(SmallInstance.clip(number, authors: 2)) }
    // Even numbers are of author 1000, who uploads and is shown much.
    for viewer in 0..<60 {
      ranker.observe(
        Impression(
          viewer: EntityID(UInt64(viewer)), clip: EntityID(UInt64(viewer * 2)), at: SmallInstance.start,
          watched: 900, surface: 1))
    }
    for viewer in 100..<120 {
      let fresh = ranker.candidates(for: SmallInstance.request(viewer)).filter { $0.sources.contains(.fresh) }
      #expect(!fresh.isEmpty)
      #expect(fresh.allSatisfy { $0.clip.low % 2 == 1 })
    }
    // A week later it is their turn again.
    var request = SmallInstance.request(500)
    request.now += 7 * 86_400_000
    ranker.observe(
      Impression(viewer: EntityID(700), clip: EntityID(1), at: request.now, watched: 900, surface: 1))
    let later = (0..<20).flatMap { _ in ranker.candidates(for: request) }
    #expect(later.contains { $0.sources.contains(.fresh) && $0.clip.low % 2 == 0 })
    // Who is forgotten is so as an author too.
    #expect(ranker.grants.value(of: EntityID(1_000)) > 0)
    ranker.forget(EntityID(1_000))
    #expect(ranker.grants.value(of: EntityID(1_000)) == 0)
  }

  @Test func aNewClipThatLagsBehindItsTimeGoesFirst() {
    let instance = SmallInstance(clips: 200, authors: 200, events: 2_000)
    for number in 0..<200 {
      var old = SmallInstance.clip(number, authors: 200)
      old.publishedAt -= 3 * 86_400_000
      instance.ranker.add(old)
    }
    let new = Clip(
      id: EntityID(5_000), author: EntityID(6_000), duration: 9_000,
      publishedAt: SmallInstance.start + 9_000_000)
    instance.ranker.add(new)
    var pages = (with: 0, without: 0)
    for viewer in 0..<40 {
      let page = instance.ranker.page(SmallInstance.request(viewer + 100))
      // Others have had fewer impressions than their budget too; only on a page that has it is it their turn.
      if page.contains(where: { $0.clip == new.id }) { pages.with += 1 } else { pages.without += 1 }
    }
    // Where the lot has the new clips' place it is not shown.
    #expect(pages.with > 3 * pages.without)
    let settings = Exploration.Settings()
    var posterior = Exploration.Posterior()
    func isDue(_ hours: Int64) -> Bool {
      Exploration.isDue(posterior, publishedAt: 0, at: hours * 3_600_000, settings)
    }
    #expect(isDue(0) && isDue(12) && !isDue(24) && !isDue(-1))
    posterior.impressions = 60
    #expect(!isDue(1))
    posterior.impressions = 100
    #expect(!isDue(20))
    #expect(!Exploration.isDue(posterior, publishedAt: .min, at: .max, settings))
  }
}

import Testing

@testable import Ranking

/// Clips in several languages.
@Suite struct LanguageTests {
  private static let german: UInt64 = 1
  private static let danish: UInt64 = 2

  /// Twelve clips of twelve people, by turns in no language, in German, in Danish. All places belong to the
  /// order.
  private static func ranker() -> Ranker {
    let ranker = Ranker(settings: settings, now: SmallInstance.start)
    for number in 0..<12 {
      ranker.add(
        Clip(
          id: EntityID(UInt64(number)), author: EntityID(UInt64(100 + number)),
          language: number % 3 == 0 ? nil : UInt64(number % 3), duration: 9_000,
          publishedAt: SmallInstance.start))
    }
    return ranker
  }

  private static var settings: Ranker.Settings {
    var settings = SmallInstance.settings
    settings.uniformShare = 0
    settings.exploration.every = 0
    return settings
  }

  /// - Parameter count: by so many people, each clip.
  private static func like(_ clips: some Sequence<Int>, by count: Int, in ranker: Ranker) {
    for clip in clips {
      for viewer in 0..<count {
        ranker.observe(
          .like, on: EntityID(UInt64(clip)), by: EntityID(UInt64(1_000 + viewer)), at: SmallInstance.start)
      }
    }
  }

  private static func request(_ viewer: Int, in language: UInt64?) -> Request {
    var request = SmallInstance.request(viewer)
    request.language = language
    return request
  }

  private static func clips(notIn language: UInt64) -> [UInt64] {
    (0..<12).filter { $0 % 3 != language }
  }

  @Test func aStrangerGetsWhatIsInTheirLanguageOrInNoneFirst() {
    let ranker = Self.ranker()
    Self.like(0..<12, by: 10, in: ranker)
    for (language, other) in [(Self.german, Self.danish), (Self.danish, Self.german)] {
      let page = ranker.page(Self.request(500, in: language), count: 12)
      #expect(page.count == 12)
      #expect(page.prefix(8).map(\.clip.low).sorted() == Self.clips(notIn: other))
    }
    // A language of which there is nothing, and none.
    for language in [7, nil] as [UInt64?] {
      #expect(ranker.page(Self.request(500, in: language), count: 12).count == 12)
    }
  }

  @Test func whoLikesSomethingIsAskedForNoLanguageByTheOrder() {
    let (one, other) = (Self.ranker(), Self.ranker())
    for ranker in [one, other] { Self.like(0..<12, by: 10, in: ranker) }
    #expect(
      one.page(Self.request(1_003, in: Self.german), count: 12)
        == other.page(Self.request(1_003, in: nil), count: 12))
  }

  @Test func ofWhatRisesTheOwnLanguageIsLookedAtFirst() {
    let ranker = Self.ranker()
    Self.like(0..<12, by: 10, in: ranker)
    Self.like([2, 5, 8, 11], by: 30, in: ranker)
    var request = Self.request(1_003, in: Self.german)
    for limit in [4, 8] {
      request.limits.trending = limit
      let rising = ranker.candidates(for: request).filter { $0.sources.contains(.trending) }
      #expect(rising.count == limit)
      #expect(Set(rising.map(\.clip.low)).isSubset(of: Self.clips(notIn: Self.danish)))
    }
    // The rest is there where the own language has no more.
    request.limits.trending = 50
    #expect(ranker.candidates(for: request).count { $0.sources.contains(.trending) } == 12)
  }

  @Test func aListOfWhatRisesHasTheOwnLanguageFirst() {
    let ranker = Self.ranker()
    Self.like([1, 4, 3], by: 10, in: ranker)
    Self.like([2, 5], by: 30, in: ranker)
    let now = SmallInstance.start
    #expect(Set(ranker.rising(2, now: now)) == [EntityID(2), EntityID(5)])
    let german = ranker.rising(9, now: now, language: Self.german)
    #expect(Set(german.prefix(3)) == [EntityID(1), EntityID(4), EntityID(3)])
    #expect(Set(german.dropFirst(3)) == [EntityID(2), EntityID(5)])
    #expect(ranker.rising(1, now: now, language: Self.german) == Array(german.prefix(1)))
  }

  @Test func aLanguageCountsByItsClipsOrByOneThatIsLiked() throws {
    let ranker = Self.ranker()
    #expect(ranker.languages(9, atLeast: 4) == [Self.german, Self.danish])
    #expect(ranker.languages(1, atLeast: 4) == [Self.german])
    #expect(ranker.languages(9, atLeast: 5) == [])
    Self.like([5], by: 1, in: ranker)
    #expect(ranker.languages(9, atLeast: 5) == [Self.danish])
    ranker.remove(EntityID(1))
    #expect(ranker.languages(9, atLeast: 4) == [Self.danish])
    let restored = try Ranker(
      restoring: ranker.snapshot(), settings: Self.settings, now: SmallInstance.start)
    #expect(restored.languages(9, atLeast: 1) == [Self.danish, Self.german])
    // The last one.
    ranker.remove(EntityID(5))
    #expect(ranker.languages(9, atLeast: 4) == [])
  }

  @Test func whatIsNewAboutAClipCostsNothingOfWhatWasLearned() throws {
    let instance = SmallInstance()
    let number = try #require(instance.ranker.numbers[EntityID(4)])
    let before = instance.ranker.clips[Int(number)]
    let likes = (0..<20).map { instance.ranker.likes(of: EntityID($0)) }
    try #require(before.rates.impressions > 0)
    var clip = before.clip
    (clip.tags, clip.sound, clip.language) = ([99], 77, 55)
    #expect(instance.ranker.add(clip))
    var expected = before
    expected.clip = clip
    #expect(instance.ranker.clips[Int(number)] == expected)
    #expect(instance.ranker.clip(EntityID(4)) == clip)
    #expect((0..<20).map { instance.ranker.likes(of: EntityID($0)) } == likes)
    // It stands nowhere twice.
    #expect(instance.ranker.clipCount == instance.clips)
    #expect(instance.ranker.clipsByAuthor[clip.author]?.count { $0 == number } == 1)
    #expect(instance.ranker.exploring.count { $0 == number } <= 1)
    #expect(instance.ranker.languages(9, atLeast: 1).contains(55))
  }
}

import Testing

@testable import Ranking

/// The model of what comes next, as the ranker uses it.
@Suite struct SequenceRankerTests {
  private static func impression(
    _ viewer: Int, _ clip: Int, at second: Int, isLiked: Bool = true, trust: Float = 1
  ) -> Impression {
    Impression(
      viewer: EntityID(UInt64(viewer)), clip: EntityID(UInt64(clip)),
      at: SmallInstance.start + Int64(second) * 1_000, watched: isLiked ? 60_000 : 500, surface: 1,
      trust: trust)
  }

  /// Whoever likes a clip likes the next one then.
  private static func inOrder(settings: Ranker.Settings = SmallInstance.settings) -> Ranker {
    let ranker = Ranker(settings: settings, now: SmallInstance.start)
    for number in 0..<40 { ranker.add(SmallInstance.clip(number)) }
    var generator = SeededGenerator(seed: 71)
    for walk in 0..<800 {
      let first = generator.below(40)
      for step in 0..<6 {
        ranker.observe(impression(100 + walk % 200, (first + step) % 40, at: walk * 10 + step))
      }
    }
    return ranker
  }

  private static func numbers(_ ranker: Ranker, _ ids: [EntityID]) -> [UInt32] {
    ids.compactMap { ranker.numbers[$0] }
  }

  @Test func whatFollowsTheLastWatchComesFirst() {
    let ranker = Self.inOrder()
    for last in [3, 17, 30] {
      let viewer = 1_000 + last
      for (place, clip) in [last - 2, last - 1, last].enumerated() {
        ranker.observe(Self.impression(viewer, clip, at: 9_000 + place))
      }
      let seen = Set([last - 2, last - 1, last].map { EntityID(UInt64($0)) })
      let request = SmallInstance.request(viewer) { seen.contains($0) }
      #expect(ranker.candidates(for: request).first?.clip == EntityID(UInt64(last + 1)))
      let next = ranker.expectations(
        of: [last + 1, last + 20].map { EntityID(UInt64($0)) }, for: request.viewer)
      #expect(next[0] > next[1])
    }
    #expect(ranker.expectations(of: [EntityID(1)], for: EntityID(77_777)).isEmpty)
  }

  /// With a model that does not count, and without any, all is as it was before there was one.
  @Test func withoutItNothingIsDifferent() {
    var without = SmallInstance.settings
    without.sequence = nil
    let (with, other) = (Self.inOrder(), Self.inOrder(settings: without))
    for ranker in [with, other] { ranker.refitWhole() }
    #expect(other.viewers.values.allSatisfy { $0.watches.isEmpty })
    for viewer in 100..<130 {
      var request = SmallInstance.request(viewer)
      #expect(other.expectations(of: [EntityID(1)], for: request.viewer).isEmpty)
      request.settings = SmallInstance.settings.page
      request.settings?.blend.sequence = 0
      let candidates = with.candidates(for: request)
      #expect(candidates == other.candidates(for: request))
      #expect(with.rank(candidates, for: request) == other.rank(candidates, for: request))
    }
  }

  @Test func whereClipsAreTooManyToLookAtAllItIsOutOfUse() {
    var settings = SmallInstance.settings
    settings.index.exactBelow = 10
    var without = settings
    without.sequence = nil
    let (with, other) = (Self.inOrder(settings: settings), Self.inOrder(settings: without))
    for ranker in [with, other] { ranker.refitWhole() }
    #expect(with.sequence?.inOrder.isEmpty == true)
    for viewer in 100..<130 {
      let request = SmallInstance.request(viewer)
      #expect(with.candidates(for: request) == other.candidates(for: request))
    }
  }

  @Test func watchesAreBoundedAndInTheOrderInWhichTheyCame() {
    let instance = SmallInstance(events: 0)
    for second in 0..<120 {
      instance.ranker.observe(Self.impression(1, second % 40, at: second, isLiked: second % 2 == 0))
    }
    let watches = instance.ranker.viewers[EntityID(1)]!.watches
    #expect(watches.count == SequenceModel.length)
    #expect(watches.map { $0 & ~SequenceModel.positive } == (70..<120).map { UInt32($0 % 40) })
    #expect(watches.map { $0 & SequenceModel.positive != 0 } == (70..<120).map { $0 % 2 == 0 })
  }

  /// A like after the watch is learned once, by what came before the watch; one that is taken back is no like.
  @Test func aLikeAfterTheWatchChangesWhatItWas() {
    let instance = SmallInstance(events: 0)
    let ranker = instance.ranker
    for (second, clip) in [1, 2, 3].enumerated() {
      ranker.observe(Self.impression(1, clip, at: second, isLiked: false))
    }
    #expect(ranker.sequence?.inOrder == [])
    for _ in 0..<2 { ranker.observe(.like, on: EntityID(2), by: EntityID(1), at: SmallInstance.start) }
    #expect(ranker.sequence?.inOrder == Self.numbers(ranker, [EntityID(2)]))
    let positive = ranker.viewers[EntityID(1)]!.watches.map { $0 & SequenceModel.positive != 0 }
    #expect(positive == [false, true, false])
    ranker.takeBack(EntityID(2), by: EntityID(1))
    #expect(ranker.viewers[EntityID(1)]!.watches == Self.numbers(ranker, [1, 2, 3].map { EntityID($0) }))
  }

  @Test func whoIsNotTrustedTeachesTheirOwnFeedAlone() {
    let instance = SmallInstance(events: 0)
    let before = instance.ranker.sequence
    for clip in 0..<20 { instance.ranker.observe(Self.impression(1, clip, at: clip, trust: 1e-9)) }
    #expect(instance.ranker.sequence == before)
    #expect(instance.ranker.viewers[EntityID(1)]!.watches.count == 20)
  }

  @Test func whoIsForgottenTakesTheirWatchesAlong() {
    let ranker = Self.inOrder()
    let (guest, viewer) = (EntityID(100), EntityID(2_000))
    let watches = ranker.viewers[guest]!.watches
    ranker.merge(guest, into: viewer)
    #expect(ranker.viewers[guest] == nil)
    #expect(ranker.viewers[viewer]!.watches == watches)
    ranker.forget(viewer)
    #expect(ranker.expectations(of: [EntityID(1)], for: viewer).isEmpty)
    // As if they had never been: a page of a stranger.
    #expect(
      ranker.candidates(for: SmallInstance.request(2_000)).map(\.clip)
        == ranker.candidates(for: SmallInstance.request(3_000)).map(\.clip))
  }

  @Test func aClipThatIsGoneIsInNoWatchesAndItsNumberBeginsAnew() {
    let ranker = Self.inOrder()
    let number = ranker.numbers[EntityID(5)]!
    ranker.remove(EntityID(5))
    #expect(!ranker.candidates(for: SmallInstance.request(101)).contains { $0.clip == EntityID(5) })
    ranker.refitWhole()
    #expect(
      ranker.viewers.values.allSatisfy { record in
        record.watches.allSatisfy { $0 & ~SequenceModel.positive != number }
      })
    #expect(!ranker.sequence!.inOrder.contains(number))
    ranker.add(SmallInstance.clip(500))
    #expect(ranker.numbers[EntityID(500)] == number)
    #expect(ranker.sequence!.biases[Int(number)] == SequenceModel.unknownBias)
    #expect(ranker.sequence!.clipCount == 40)
  }

  // MARK: Snapshots

  private static func refusal(of bytes: [UInt8], settings: Ranker.Settings) -> SnapshotError? {
    do throws(SnapshotError) {
      _ = try Ranker(restoring: bytes, settings: settings, now: SmallInstance.start)
      return nil
    } catch {
      return error
    }
  }

  @Test func aSnapshotHoldsAllOfIt() throws {
    let ranker = Self.inOrder()
    let bytes = ranker.snapshot()
    let restored = try Ranker(restoring: bytes, settings: SmallInstance.settings, now: SmallInstance.start)
    #expect(restored.sequence == ranker.sequence)
    #expect(restored.viewers.mapValues(\.watches) == ranker.viewers.mapValues(\.watches))
    for one in [ranker, restored] { one.observe(Self.impression(101, 9, at: 9_999)) }
    #expect(restored.snapshot() == ranker.snapshot())
  }

  @Test func aSnapshotOfTheFormerFormatOrOfAnotherSizeIsRefused() {
    let bytes = Self.inOrder().snapshot()
    var former = bytes
    former[8] = 3
    #expect(Self.refusal(of: former, settings: SmallInstance.settings) == .version(3))
    var settings = SmallInstance.settings
    settings.sequence?.dimensions = 16
    #expect(Self.refusal(of: bytes, settings: settings) == .otherSettings)
    settings.sequence = nil
    #expect(Self.refusal(of: bytes, settings: settings) == .otherSettings)
  }

  /// Under a right checksum: what points beyond the clips, sums of squares that are none, numbers that are none.
  @Test func aSequenceModelThatLiesIsRefused() throws {
    let ranker = Self.inOrder()
    for spoil in [
      { $0.squares[7] = 0 }, { $0.clipSquares[3] = -1 }, { $0.biasSquares[3] = 0 },
      { $0.biases[0] = .nan }, { $0.clips[0] = .infinity }, { $0.clips.removeLast() },
      { $0.attention.weights[1] = .nan }, { $0.attention.weights.append(0) }, { $0.biases.append(0) },
    ] as [(inout SequenceModel) -> Void] {
      let other = try Ranker(
        restoring: ranker.snapshot(), settings: SmallInstance.settings, now: SmallInstance.start)
      spoil(&other.sequence!)
      #expect(Self.refusal(of: other.snapshot(), settings: SmallInstance.settings) == .damaged)
    }
    let pointing = try Ranker(
      restoring: ranker.snapshot(), settings: SmallInstance.settings, now: SmallInstance.start)
    pointing.viewers[EntityID(100)]?.watch(40, isPositive: true)
    #expect(Self.refusal(of: pointing.snapshot(), settings: SmallInstance.settings) == .damaged)
  }

  @Test func numbersAsLargeAsFloatsGoMakeNoPageFail() throws {
    let ranker = Self.inOrder()
    for place in ranker.sequence!.clips.indices { ranker.sequence!.clips[place] = 1e38 }
    for place in ranker.sequence!.biases.indices { ranker.sequence!.biases[place] = -3e38 }
    let restored = try Ranker(
      restoring: ranker.snapshot(), settings: SmallInstance.settings, now: SmallInstance.start)
    let request = SmallInstance.request(101)
    #expect(restored.candidates(for: request).allSatisfy { $0.score.isFinite })
    #expect(restored.page(request).count == 10)
    restored.observe(Self.impression(101, 9, at: 9_999))
    #expect(restored.snapshot().count > 0)
  }
}

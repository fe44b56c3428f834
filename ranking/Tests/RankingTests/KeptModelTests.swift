import Testing

@testable import Ranking

/// Weights that are kept beside those that learn.
@Suite struct KeptModelTests {
  private static func impression(_ event: Int, watched: Int64) -> Impression {
    Impression(
      viewer: EntityID(UInt64(event % 20)), clip: EntityID(UInt64(event % 40)),
      at: SmallInstance.start + 900_000, watched: watched, surface: 1)
  }

  @Test func whatIsKeptSaysWhatWasSaidAndComesBack() throws {
    let instance = SmallInstance()
    let first = try #require(instance.ranker.learn(from: Self.impression(0, watched: 30_000)))
    #expect(first.byKept == nil && first.outcome[.positive] == 1 && first.outcome[.skip] == 0)
    instance.ranker.keepModel()
    let kept = instance.ranker.model
    let second = try #require(instance.ranker.learn(from: Self.impression(1, watched: 500)))
    #expect(second.byKept == second.predicted && second.outcome[.skip] == 1)
    for event in 0..<200 { instance.ranker.observe(Self.impression(event, watched: 500)) }
    let third = try #require(instance.ranker.learn(from: Self.impression(3, watched: 500)))
    #expect((third.byKept?[.skip] ?? 1) < third.predicted[.skip] ?? 0)
    instance.ranker.returnToKeptModel()
    #expect(instance.ranker.model.dense == kept.dense && instance.ranker.model.crosses == kept.crosses)
    // Steps stay as small as they have become.
    #expect(instance.ranker.model.denseSquares != kept.denseSquares)
    // What people did is not forgotten with it.
    #expect(!instance.ranker.likes(of: EntityID(0)).isEmpty)
  }

  @Test func withoutOneNothingComesBack() {
    let instance = SmallInstance()
    let before = instance.ranker.model
    instance.ranker.returnToKeptModel()
    #expect(instance.ranker.model == before && !instance.ranker.hasKeptModel)
  }

  @Test func itIsInTheSnapshotAndOneOfBeforeIsReadWithout() throws {
    let instance = SmallInstance(clips: 6, events: 60)
    func restored(_ bytes: [UInt8]) throws -> Ranker {
      try Ranker(restoring: bytes, settings: SmallInstance.settings, now: SmallInstance.start)
    }
    let without = instance.ranker.snapshot()
    #expect(try !restored(without).hasKeptModel)
    // The last byte of the body says that there is none; before there was no such byte.
    let body = Array(try Snapshot.open(without).dropLast())
    #expect(try restored(Snapshot.seal(body)).snapshot() == without)
    instance.ranker.keepModel()
    instance.learn(events: 30, seed: 2)
    let bytes = instance.ranker.snapshot()
    let ranker = try restored(bytes)
    #expect(ranker.keptModel?.dense == instance.ranker.keptModel?.dense)
    #expect(ranker.snapshot() == bytes)
  }

  @Test func whoIsForgottenIsForgottenInItAsWell() throws {
    let instance = SmallInstance()
    instance.ranker.keepModel()
    let crosses = Ranker.viewerCrosses(EntityID(3), tags: [], author: nil)
    instance.ranker.forget(EntityID(3))
    let kept = try #require(instance.ranker.keptModel)
    var emptied = kept
    emptied.forget(crosses)
    #expect(kept == emptied)
  }

  // MARK: Pages by other settings

  @Test func aPageGoesByWhatItsRequestSays() {
    let instance = SmallInstance(clips: 40, authors: 40)
    instance.ranker.refitWhole()
    var request = SmallInstance.request(2)
    request.settings = instance.ranker.settings.page
    request.settings?.newClipEvery = 0
    let ordered = instance.ranker.page(request).filter { $0.reason != .drawn }
    #expect(!ordered.isEmpty && !ordered.contains { $0.reason == .new })
    request.settings?.newClipEvery = 1
    #expect(instance.ranker.page(request).contains { $0.reason == .new })
    // What is worth nothing is the best where skips are wanted.
    request.settings?.newClipEvery = 0
    request.settings?.worth = [.skip: 1]
    request.settings?.diversity.likeness = 0
    let reversed = instance.ranker.page(request).filter { $0.reason != .drawn }
    #expect(reversed.allSatisfy { abs($0.score - ($0.probabilities[.skip] ?? 0)) < 1e-5 })
    #expect(zip(reversed, reversed.dropFirst()).allSatisfy { $0.score >= $1.score - 1e-5 })
    for place in reversed {
      #expect(instance.ranker.probabilities(of: place.clip, for: request) == place.probabilities)
    }
    #expect(instance.ranker.probabilities(of: EntityID(9_999), for: request) == nil)
  }
}

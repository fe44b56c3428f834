import Testing

@testable import Ranking

@Suite struct DiversityTests {
  private static func order(_ candidates: [Diversity.Candidate], count: Int) -> Diversity {
    var left = candidates.sorted { $0.score > $1.score }
    var order = Diversity(.init()) { $0 % 3 == $1 % 3 ? 1 : 0 }
    var nearest = [Float](repeating: 0, count: left.count)
    while order.chosen.count < count, let place = order.next(of: left, nearest: nearest) {
      let chosen = left.remove(at: place)
      nearest.remove(at: place)
      // What is claimed of a cap: it is broken only where nobody keeps it.
      let breach = order.breach(chosen)
      #expect(left.allSatisfy { order.breach($0) >= breach })
      for other in left.indices {
        nearest[other] = max(nearest[other], order.likeness(of: left[other], to: chosen))
      }
      order.append(chosen)
    }
    return order
  }

  @Test func capsHoldAsLongAsAnyoneKeepsThem() {
    var generator = SeededGenerator(seed: 11)
    for _ in 0..<200 {
      let count = generator.below(60)
      let candidates = (0..<count).map { clip in
        Diversity.Candidate(
          clip: UInt32(clip), score: Float(generator.uniform()), author: EntityID(UInt64(generator.below(6))),
          tags: ClipTags((0..<generator.below(3)).map { _ in UInt64(generator.below(4)) }))
      }
      let page = Self.order(candidates, count: 10).chosen
      #expect(page.count == min(count, 10))
      #expect(Set(page.map(\.clip)).count == page.count)
    }
  }

  @Test func allByOneAuthorIsStillAPage() {
    let candidates = (0..<20).map {
      Diversity.Candidate(clip: UInt32($0), score: 1, author: EntityID(1), tags: [1])
    }
    #expect(Self.order(candidates, count: 10).chosen.count == 10)
  }

  @Test func likeDoesNotFollowLike() {
    // The three best are alike; a slightly worse one is not.
    let scores: [(UInt32, Float)] = [(0, 1), (3, 0.98), (6, 0.97), (1, 0.9)]
    let candidates = scores.map {
      Diversity.Candidate(clip: $0.0, score: $0.1, author: EntityID(UInt64($0.0)), tags: [])
    }
    #expect(Self.order(candidates, count: 4).chosen.map(\.clip).prefix(2) == [0, 1])
  }
}

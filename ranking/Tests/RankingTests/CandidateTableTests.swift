import Testing

@testable import Ranking

/// Pages that a model elsewhere scores.
@Suite struct CandidateTableTests {
  private static func value(_ name: String, of row: Int, in table: CandidateTable) throws -> Float {
    let column = try #require(CandidateTable.columns.firstIndex { $0.name == name })
    return table.values[row * CandidateTable.columns.count + column]
  }

  @Test func aRowHasEveryColumnAndEveryNumberIsFinite() {
    let instance = SmallInstance(clips: 60, events: 800)
    instance.ranker.refitWhole()
    for viewer in 0..<30 {
      let request = SmallInstance.request(viewer)
      let candidates = instance.ranker.candidates(for: request)
      let table = instance.ranker.table(of: candidates, for: request)
      #expect(table.clips == candidates.map(\.clip))
      #expect(table.values.count == candidates.count * CandidateTable.columns.count)
      #expect(table.values.allSatisfy { $0.isFinite })
    }
    #expect(Set(CandidateTable.columns.map(\.name)).count == CandidateTable.columns.count)
  }

  @Test func columnsSayWhatTheirNamesSay() throws {
    let instance = SmallInstance(clips: 40, events: 0)
    let author = EntityID(1_003)
    var request = SmallInstance.request(5)
    request.followed = [author, EntityID(4)]
    for clip in [3, 13] as [UInt64] {
      instance.ranker.observe(
        Impression(
          viewer: request.viewer, clip: EntityID(clip), at: SmallInstance.start,
          watched: clip == 3 ? 60_000 : 1_900,
          surface: 1))
    }
    let candidates = instance.ranker.candidates(for: request)
    let table = instance.ranker.table(of: candidates, for: request)
    let row = try #require(table.clips.firstIndex(of: EntityID(23)))
    let expected: [String: Float] = [
      "duration_seconds": 28, "is_followed": 1, "author_impressions": 2, "author_positives": 1,
      "viewer_impressions": 2, "viewer_likes": 1, "viewer_follows": 2,
      "from_followed": candidates[row].sources.contains(.followed) ? 1 : 0,
      "from_latest": candidates[row].sources.contains(.latest) ? 1 : 0,
    ]
    for (name, value) in expected {
      #expect(try Self.value(name, of: row, in: table) == value, "\(name)")
    }
    let age = try Self.value("age_hours", of: row, in: table)
    #expect(abs(age - 10_000 / 3_600) < 0.01)
  }

  @Test func ownScoresGivenAsAModelsGiveTheSamePage() {
    let (own, scored) = (SmallInstance(events: 900), SmallInstance(events: 900))
    for instance in [own, scored] { instance.ranker.refitWhole() }
    for viewer in 0..<20 {
      let request = SmallInstance.request(viewer)
      let candidates = scored.ranker.candidates(for: request)
      let table = scored.ranker.table(of: candidates, for: request)
      let scores = stride(from: 0, to: table.values.count, by: CandidateTable.columns.count)
        .map { table.values[$0] }
      #expect(
        own.ranker.page(request)
          == scored.ranker.rank(candidates, for: request, scores: scores))
    }
    #expect(own.ranker.snapshot() == scored.ranker.snapshot())
  }

  @Test(arguments: [1, -1, 1e30, 1e-30] as [Float])
  func theOrderGoesByTheScoresAndCapsAndPropensitiesStay(_ factor: Float) {
    let instance = SmallInstance(clips: 60, events: 300)
    instance.ranker.refitWhole()
    let share = 1 - instance.ranker.settings.uniformShare
    for viewer in 0..<20 {
      let request = SmallInstance.request(viewer)
      let candidates = instance.ranker.candidates(for: request)
      // So far apart that no likeness outweighs it: those of one author and those of all others.
      let favourite = EntityID(1_000 + UInt64(viewer % 10))
      let scores = candidates.map { candidate in
        (instance.ranker.clip(candidate.clip)?.author == favourite ? factor : 0)
      }
      let page = instance.ranker.rank(candidates, for: request, scores: scores)
      #expect(page.count == 10 && Set(page.map(\.clip)).count == 10)
      let authors = page.map { instance.ranker.clip($0.clip)?.author }
      #expect(authors.allSatisfy { author in authors.count { $0 == author } <= 3 })
      // Beside a clip of the same author the next best comes.
      if page[0].reason != .new && page[0].reason != .drawn {
        #expect((authors[0] == favourite) == (factor > 0))
      }
      for place in page {
        switch place.reason {
        case .drawn: #expect(place.propensity == instance.ranker.settings.uniformShare / 60)
        case .new: #expect(place.propensity <= share)
        default: #expect(place.propensity == share)
        }
      }
    }
  }

  @Test func scoresThatAreNotAsManyAsCandidatesAreNotUsed() {
    let (one, other) = (SmallInstance(), SmallInstance())
    let request = SmallInstance.request(3)
    let candidates = other.ranker.candidates(for: request)
    #expect(one.ranker.page(request) == other.ranker.rank(candidates, for: request, scores: [1, 2]))
  }

  @Test func whatIsGoneWhileAModelThoughtIsNotShown() {
    let instance = SmallInstance(clips: 30)
    let request = SmallInstance.request(3)
    let candidates = instance.ranker.candidates(for: request)
    for number in 0..<20 { instance.ranker.remove(EntityID(UInt64(number))) }
    instance.ranker.refitWhole()
    for number in 100..<115 { instance.ranker.add(SmallInstance.clip(number)) }
    let page = instance.ranker.rank(
      candidates, for: request, scores: candidates.map { Float($0.clip.low) })
    #expect(!page.isEmpty && page.allSatisfy { instance.ranker.contains($0.clip) })
  }
}

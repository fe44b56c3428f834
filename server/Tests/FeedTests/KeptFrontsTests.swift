import Testing

@testable import Feed

@Suite struct KeptFrontsTests {
  private let fronts = KeptFronts()

  private func keep(_ limit: Int, _ language: String?, atMs ms: Int64 = 0) {
    fronts.keep(
      KeptFronts.Front(place: ForYouPlace(nowMs: ms), clips: []), .init(limit: limit, language: language),
      nowMs: ms)
  }

  private func isKept(_ limit: Int, _ language: String?, atMs ms: Int64 = 0) -> Bool {
    fronts.front(.init(limit: limit, language: language), nowMs: ms) != nil
  }

  @Test func oneIsKeptForAWhile() {
    keep(5, nil, atMs: 100)
    #expect(isKept(5, nil, atMs: 100))
    #expect(isKept(5, nil, atMs: 99 + KeptFronts.keptMs))
    #expect(!isKept(5, nil, atMs: 100 + KeptFronts.keptMs))
    // A clock that was set back.
    #expect(!isKept(5, nil, atMs: 99))
  }

  @Test func eachLengthInEachLanguageHasOneOfItsOwn() {
    keep(5, "de")
    #expect(isKept(5, "de"))
    #expect(!isKept(6, "de") && !isKept(5, "en") && !isKept(5, nil))
  }

  @Test func whatIsTooOldMakesRoom() {
    keep(2, "de")
    keep(1, "en", atMs: KeptFronts.keptMs)
    #expect(!isKept(2, "de", atMs: 0) && isKept(1, "en", atMs: KeptFronts.keptMs))
  }
}

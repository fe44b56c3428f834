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

  private func hasRoom(_ limit: Int, _ language: String?, atMs ms: Int64 = 0) -> Bool {
    fronts.hasRoom(for: .init(limit: limit, language: language), nowMs: ms)
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

  @Test func languagesHaveSoMuchRoomAndTheOrderWithoutOneAlwaysHas() {
    for limit in 1...KeptFronts.mostOfLanguages {
      #expect(hasRoom(limit, "de"))
      keep(limit, "de")
    }
    #expect(!hasRoom(1, "en") && !hasRoom(KeptFronts.mostOfLanguages + 1, "de"))
    #expect(hasRoom(1, "de") && hasRoom(1, nil))
    #expect(hasRoom(1, "en", atMs: KeptFronts.keptMs))
    keep(1, "en", atMs: KeptFronts.keptMs)
    // What was too old is gone.
    #expect(!isKept(2, "de", atMs: 0))
  }
}

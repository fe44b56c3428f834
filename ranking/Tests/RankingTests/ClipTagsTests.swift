import Testing

@testable import Ranking

@Suite struct ClipTagsTests {
  @Test(arguments: [0, 1, 7, 8, 9, 1_000])
  func theFirstEightAreKept(_ count: Int) {
    let hashes = (0..<count).map { UInt64.max - UInt64($0) }
    let tags = ClipTags(hashes)
    #expect(Array(tags) == Array(hashes.prefix(8)))
    #expect(tags.contains(hashes.last ?? 0) == (1...8).contains(count))
    #expect(tags == ClipTags(hashes.prefix(8)))
  }

  @Test func tagsAreTheSameOnlyIfAllAre() {
    #expect(ClipTags([1, 2]) != [1])
    #expect(ClipTags([1, 2]) != [2, 1])
    // Of nothing there are none, not a tag that is 0.
    #expect(ClipTags([]) != [0])
    #expect(ClipTags([]).first == nil)
  }
}

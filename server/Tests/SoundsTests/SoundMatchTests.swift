import Testing

@testable import PlatformTesting
@testable import Sounds

/// When two prints are of the same sound.
@Suite struct SoundMatchTests {
  private static func random(_ seed: UInt64, _ count: Int) -> [UInt32] { SoundPrintTests.random(seed, count) }

  /// So many bits of each are others.
  private static func spoilt(_ values: [UInt32], bits: Int) -> SoundPrint {
    SoundPrint(
      values.enumerated().map { place, value in
        (0..<bits).reduce(value) { $0 ^ 1 << UInt32((place + 3 * $1) % 32) }
      })
  }

  @Test func aCutIsFoundAtItsOffsetAndNowhereElse() throws {
    let whole = Self.random(1, 200)
    let print = SoundPrint(whole)
    for begin in [0, 1, 50, 159, 160] {
      let cut = SoundPrint(Array(whole[begin..<begin + 40]))
      let match = try #require(SoundMatch(print, cut, offset: begin))
      #expect(match.isSame && match.error == 0 && match.overlap == 40 && match.changing == 40)
      for other in -39..<200 where other != begin {
        #expect(SoundMatch(print, cut, offset: other)?.isSame == false, "\(other) instead of \(begin)")
      }
    }
  }

  @Test func itIsTheSameFromBothSides() throws {
    let values = Self.random(2, 120)
    let (one, other) = (SoundPrint(Array(values[..<80])), Self.spoilt(Array(values[30...]), bits: 2))
    let match = try #require(SoundMatch(one, other, offset: 30))
    #expect(match.isSame && match.error == 2.0 / 32 && match.overlap == 50)
    #expect(SoundMatch(other, one, offset: -30) == match)
  }

  @Test func manyMayDifferInMoreBitsThanFew() throws {
    func isSame(_ count: Int, _ bits: Int) throws -> Bool {
      let values = Self.random(3, count)
      return try #require(SoundMatch(SoundPrint(values), Self.spoilt(values, bits: bits), offset: 0)).isSame
    }
    // 5 of 32 are 0.156, 6 are 0.188; 4 are 0.125.
    #expect(try isSame(32, 5) && !isSame(32, 6))
    #expect(try isSame(512, 5) && !isSame(512, 6))
    #expect(try isSame(31, 4) && !isSame(31, 5))
    #expect(try isSame(16, 4) && !isSame(16, 5))
    #expect(try !isSame(15, 0))
  }

  @Test func theyHaveTwoFifthsOfTheShorterOneInCommon() throws {
    let values = Self.random(4, 300)
    func match(_ first: Range<Int>, _ second: Range<Int>) throws -> SoundMatch {
      try #require(
        SoundMatch(
          SoundPrint(Array(values[first])), SoundPrint(Array(values[second])),
          offset: second.lowerBound - first.lowerBound))
    }
    #expect(try match(0..<100, 60..<160).isSame)
    #expect(try !match(0..<100, 61..<161).isSame)
    #expect(try match(0..<100, 60..<300).isSame)
    #expect(try match(100..<300, 60..<140).isSame)
    #expect(try !match(0..<200, 190..<215).isSame, "ten are too few")
  }

  /// Else two takes that begin with the same pause would be one sound.
  @Test func whatIsSilentInBothSaysNothing() throws {
    let silence = Array(repeating: UInt32(627_964_279), count: 100)
    let (one, other) = (Self.random(5, 50), Self.random(6, 50))
    let mixed = try #require(
      SoundMatch(SoundPrint(silence + one), SoundPrint(silence + other), offset: 0))
    #expect(!mixed.isSame && mixed.error > 0.3 && mixed.changing == 51)
    let pauses = try #require(SoundMatch(SoundPrint(one + silence), SoundPrint(silence + other), offset: 50))
    #expect(!pauses.isSame && pauses.overlap == 100 && pauses.changing == 1)
    let same = try #require(SoundMatch(SoundPrint(silence + one), SoundPrint(silence + one), offset: 0))
    #expect(same.isSame && same.error == 0)
  }

  @Test func whereTheyDoNotOverlapThereIsNoMatch() {
    let (one, other) = (SoundPrint(Self.random(7, 40)), SoundPrint(Self.random(7, 60)))
    for offset in [40, 41, -60, -61, .max, .min] {
      #expect(SoundMatch(one, other, offset: offset) == nil, "\(offset)")
    }
    for offset in [39, -59] { #expect(SoundMatch(one, other, offset: offset)?.overlap == 1) }
    for offset in [0, 1, -1] {
      #expect(SoundMatch(SoundPrint([]), other, offset: offset) == nil)
      #expect(SoundMatch(one, SoundPrint([]), offset: offset) == nil)
      #expect(SoundMatch(SoundPrint([]), SoundPrint([]), offset: offset) == nil)
    }
  }

  @Test func theBestOfSomeOffsetsAndTheirNeighboursCounts() {
    let values = Self.random(8, 100)
    let (one, other) = (SoundPrint(values), SoundPrint(Array(values[20..<70])))
    #expect(SoundMatch.best(one, other, near: [21])?.error == 0)
    #expect(SoundMatch.best(one, other, near: [3, 19, 80])?.overlap == 50)
    #expect(SoundMatch.best(one, other, near: [22, 3]) == nil)
    #expect(SoundMatch.best(one, other, near: []) == nil)
  }

  @Test func soundsOfChanceAreNeverTheSame() {
    for seed in 100..<120 as Range<UInt64> {
      let (one, other) = (SoundPrint(Self.random(seed, 43)), SoundPrint(Self.random(seed + 1000, 465)))
      for offset in -464..<43 {
        #expect(SoundMatch(one, other, offset: offset)?.isSame != true, "\(seed) at \(offset)")
      }
    }
  }
}

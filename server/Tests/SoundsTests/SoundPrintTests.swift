import Testing

@testable import PlatformTesting
@testable import Sounds

/// What a print is, and when there is something to recognise in it.
@Suite struct SoundPrintTests {
  static func random(_ seed: UInt64, _ count: Int) -> [UInt32] {
    var random = SplitMix(state: seed)
    return (0..<count).map { _ in UInt32(truncatingIfNeeded: random.next()) }
  }

  @Test func whatFFmpegWritesIsReadUpToTheLastWholeOne() {
    #expect(SoundPrint(littleEndian: []).subfingerprints == [])
    #expect(SoundPrint(littleEndian: [1, 2, 3]).subfingerprints == [])
    #expect(
      SoundPrint(littleEndian: [4, 3, 2, 1, 255, 255, 255, 255, 9]).subfingerprints == [0x0102_0304, .max])
    let long = SoundPrint(littleEndian: Array(repeating: 7, count: 1 << 20))
    #expect(long.subfingerprints.count == SoundPrint.most)
    #expect(SoundPrint(Self.random(1, 600)).subfingerprints == Array(Self.random(1, 600).prefix(512)))
  }

  @Test(arguments: [0, 1, 19, 512]) func aPrintComesBackAsItWasStored(_ count: Int) {
    let print = SoundPrint(Self.random(2, count))
    #expect(SoundPrint(stored: print.stored) == print)
  }

  @Test func whatIsNoStoredPrintIsNone() {
    for text in [
      "A", "AAAA", "AAAAAAA", "!!!!!!", "AAAAAB", "é", "\u{0}AAAAA", " AAAAAA",
      String(repeating: "A", count: 2736), String(repeating: "A", count: 1 << 20),
    ] {
      #expect(SoundPrint(stored: text) == nil, "\(text.utf8.count) bytes")
    }
  }

  @Test func silenceSingleTonesAndLittleSoundAreNothingToRecognise() {
    #expect(SoundPrint(Self.random(3, 16)).isDistinct)
    #expect(!SoundPrint(Self.random(3, 15)).isDistinct)
    #expect(!SoundPrint([]).isDistinct)
    #expect(!SoundPrint(Array(repeating: 627_964_279, count: 465)).isDistinct)
    // Two that take turns, however much they differ.
    #expect(!SoundPrint((0..<100).map { $0.isMultiple(of: 2) ? 0 : .max }).isDistinct)
    // Many distinct ones that hardly change.
    #expect(!SoundPrint((0..<100).map { 1 << UInt32($0 / 4) }).isDistinct)
    // A loop of eight.
    let loop = Self.random(4, 8)
    #expect(SoundPrint((0..<80).map { loop[$0 % 8] }).isDistinct)
    #expect(!SoundPrint((0..<81).map { loop[$0 % 8] }).isDistinct)
  }

  @Test func eachValueIsFoundWhereItComesFirstAndWhatStandsStillNowhere() {
    let found = SoundPrint([5, 6, 5, 9, 9, 9, 7, 9, 8, 8]).landmarks
    #expect(found.map(\.value) == [5, 6, 7, 8] && found.map(\.place) == [0, 1, 6, 8])
    #expect(SoundPrint([]).landmarks.isEmpty && SoundPrint([1]).landmarks.map(\.place) == [0])
    #expect(SoundPrint(Array(repeating: 3, count: 512)).landmarks.isEmpty)
  }

  @Test func whatIsNearDiffersInOneBitAtMost() {
    for value in [0, 1, .max, 0x8000_0000] as [UInt32] {
      let near = SoundPrint.near(value)
      #expect(Set(near).count == 33 && near.allSatisfy { ($0 ^ value).nonzeroBitCount <= 1 })
    }
  }
}

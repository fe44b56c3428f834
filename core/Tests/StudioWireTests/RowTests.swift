import Composer
import ComposerWire
import CoreTesting
import CoreTypes
import MachineHost
import Recording
import StudioWire
import Testing

@Suite struct RowTests {
  @Test func refusesRowsThatAreCutShortTooLongOrImpossible() {
    for words: [Int64] in [
      [], [99], [64, 1], [67, 1, 2], [67, 1, 2, 2], [67, 1, 1 << 40, 0], [74, 1, 4], [60], [10, 5],
    ] {
      #expect(words.withUnsafeBufferPointer { Composer.Event(words: $0) } == nil, "\(words)")
    }
    for words: [Int64] in [
      [], [60], [86, 1], [85, 2, 0], [97, 1], [99, 9, 1], [81, 15_000, -1], [81, 15_000, 103],
      [81, 15_000, 1, 1, 2, 3, 4, 0], [81, 15_000, 0, 7], [81, 15_000, 1, 1, 2, 3, 4, 5, 1],
    ] {
      #expect(words.withUnsafeBufferPointer { Recording.Event(words: $0) } == nil, "\(words)")
    }
  }

  /// A list that was stored can be handed back as it is.
  @Test func aStoredListIsARestoredOne() {
    var words: [Int64] = []
    let clip = RecordedClip(
      clip: ClipID(4), captured: Milliseconds(900), played: Milliseconds(450), speed: 200, camera: .front,
      take: ClipID(3))
    Recording.Command.storeList(limit: Milliseconds(15_000), [clip]).append(to: &words)
    let event = ([81] + words.dropFirst(2)).withUnsafeBufferPointer { Recording.Event(words: $0) }
    guard case .restored(Milliseconds(15_000), [clip]) = event else {
      Issue.record("\(String(describing: event))")
      return
    }
  }

  /// Any row of words at any time: no trap, bounded answers, a deadline that is asked for in time.
  @Test func survivesRowsOfRandomWords() {
    forEachSeed(400) { seed, generator in
      var composer = MachineHost<Composer>()
      var recording = MachineHost<Recording>()
      var time: Int64 = 0
      for _ in 0..<100 {
        time = saturatingSum(time, generator.hostileInteger(around: 5_000))
        var words = [generator.next(below: 110)]
        for _ in 0..<generator.next(below: 5) { words.append(generator.hostileInteger(around: 5)) }
        var commands: [Int64] = []
        words.withUnsafeBufferPointer {
          _ = composer.handle($0, at: Instant(time), into: &commands)
          _ = recording.handle($0, at: Instant(time), into: &commands)
        }
        if commands.count > 2_000 { Issue.record("\(commands.count) words, seed \(seed)") }
      }
    }
  }

  @Test func theClockOfAMachineNeverRunsBackwards() {
    var room = MachineHost<Recording>()
    var commands: [Int64] = []
    let rows: [(Int64, [Int64])] = [(5_000, [80]), (5_000, [85, 0, 0]), (100, [83, 3]), (90, [86])]
    for (time, words) in rows {
      commands = []
      words.withUnsafeBufferPointer { _ = room.handle($0, at: Instant(time), into: &commands) }
    }
    #expect(commands.suffix(3) == [34, 1, 6_000], "the first second of the countdown ends then")
  }
}

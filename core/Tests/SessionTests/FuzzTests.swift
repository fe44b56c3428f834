import CoreTesting
import CoreTypes
import Session
import SessionWire
import Testing

/// Hosts out of their minds: no trap, bounded answers, the invariants hold. The same in WebAssembly:
/// web/tests/fuzz.test.mjs.
@Suite struct FuzzTests {
  @Test(arguments: [UInt64(0), 1, 2, 3])
  func holdsAgainstRandomWords(quarter: UInt64) {
    forEachSeed(2_500) { seed, generator in
      let seed = seed + quarter * 2_500
      generator = SeededGenerator(seed: seed)
      var session = FeedSession(leastEffort: true)
      var watch = SessionWatch()
      var time: Int64 = 0
      for _ in 0..<30 {
        time = nextTime(after: time, &generator)
        var words = randomRow(&generator)
        // See `downloadsEvery`.
        if words.count == 7, words[0] == 1, !seed.isMultiple(of: SessionWatch.downloadsEvery) { words[3] = 0 }
        let event = words.withUnsafeBufferPointer { FeedSession.Event(words: $0) }
        guard let event else { continue }
        var commands: [FeedSession.Command] = []
        session.handle(event, at: Instant(time)) { commands.append($0) }
        watch.note(event, commands, at: Instant(time))
      }
      #expect(watch.broken.isEmpty, "seed \(seed): \(watch.broken)")
    }
  }

  /// Stands still, goes on, jumps ahead and back, to the ends of time too.
  private func nextTime(after time: Int64, _ generator: inout SeededGenerator) -> Int64 {
    switch generator.next(below: 12) {
    case 0: .max
    case 1: .min
    case 2: generator.next(below: 100_000)
    case 3, 4: time
    case 5: saturatingSum(time, -generator.next(below: 10_000_000))
    default: saturatingSum(time, generator.next(below: 3_000))
    }
  }

  private func randomRow(_ generator: inout SeededGenerator) -> [Int64] {
    switch generator.next(below: 8) {
    case 0, 1: return clipRow(&generator)
    case 2:
      return [[1, 3, 0, 1, 0, 0, 0], [15, 1], [15, -1], [50], [3, 1]][Int(generator.next(below: 5))]
    case 3, 4:
      // Players that report what they may well hold.
      let item = generator.next(below: 6)
      return [20 + generator.next(below: 8), generator.next(below: 3), item]
        + (generator.next(below: 4) == 0 ? [generator.hostileInteger(around: 5_000)] : [])
    default:
      var words = [generator.next(below: 78)]
      for _ in 0..<(words[0] == 53 ? 8 : generator.next(below: 6)) {
        words.append(
          generator.next(below: 3) == 0
            ? generator.hostileInteger(around: 2_000) : generator.next(below: 8))
      }
      return words
    }
  }

  /// Sound clips, and such with zero sizes, gaps, overlaps, one rendition, negative numbers.
  private func clipRow(_ generator: inout SeededGenerator) -> [Int64] {
    let kind = [2, 2, 2, 6, 7][Int(generator.next(below: 5))]
    var row: [Int64] = [Int64(kind)] + (kind == 6 ? [generator.next(below: 8)] : [])
    let renditions = generator.next(below: 4)
    let segments = generator.next(below: 5)
    row += [generator.next(below: 12), 1_000 * max(1, segments), renditions]
    for rendition in 0..<renditions {
      row += [360 + 180 * rendition, 600_000, 500_000 * (rendition + 1), 0, 800, segments]
      var offset: Int64 = 800
      for _ in 0..<segments {
        let size = generator.next(below: 20) == 0 ? 0 : 1 + generator.next(below: 90_000)
        row += [offset, size, 1_000]
        offset += size + (generator.next(below: 10) == 0 ? generator.next(below: 900) - 300 : 0)
      }
    }
    if generator.next(below: 6) == 0 {
      row[Int(generator.next(below: Int64(row.count)))] = generator.hostileInteger(around: 100)
    }
    return row
  }
}

import CoreTesting
import CoreTypes
import Looks
import Testing

@Suite struct LookTableTests {
  @Test func plainIsTheIdentityInAllEntries() {
    for table in [LookTable(.plain), LookTable(.noir, strength: 0)] {
      var isExact = table.words.count == LookTable.entryCount * 4
      for index in 0..<LookTable.entryCount {
        let steps = [index % 33, index / 33 % 33, index / 33 / 33]
        for channel in 0..<3 {
          isExact = isExact && Int(table.words[index * 4 + channel]) == steps[channel] * 2_040
        }
        isExact = isExact && Int32(table.words[index * 4 + 3]) == Colour.white
      }
      #expect(isExact)
    }
  }

  /// All levels along each channel, with the others anywhere.
  @Test func plainIsTheIdentityBetweenTheEntriesToo() {
    let table = LookTable(.plain)
    var generator = SeededGenerator(seed: 5)
    var isExact = true
    for level in 0...255 {
      for channel in 0..<3 {
        for _ in 0..<12 {
          var levels = (0..<3).map { _ in UInt8(generator.next(below: 256)) }
          levels[channel] = UInt8(level)
          let colour = table.colour(red: levels[0], green: levels[1], blue: levels[2])
          let expected = Colour(
            red: Int32(levels[0]) << 8, green: Int32(levels[1]) << 8, blue: Int32(levels[2]) << 8)
          isExact = isExact && colour == expected
        }
      }
    }
    #expect(isExact)
  }

  @Test(arguments: Look.allCases)
  func noStepIsLargerThanStated(look: Look) {
    let words = LookTable(look).words
    var largest: Int32 = 0
    for (stride, count) in [(1, 33), (33, 33), (33 * 33, 33)] {
      for index in 0..<LookTable.entryCount where index / stride % count < count - 1 {
        for channel in 0..<3 {
          let step = Int32(words[(index + stride) * 4 + channel]) - Int32(words[index * 4 + channel])
          largest = max(largest, abs(step))
        }
      }
    }
    #expect(largest <= LookTable.largestStep, "\(look): \(largest)")
  }

  /// A ramp of greys on a screen rises by no more than a level and a half at a time.
  @Test(arguments: Look.allCases)
  func aGreyRampHasNoBands(look: Look) {
    let table = LookTable(look)
    var last = table.colour(red: 0, green: 0, blue: 0)
    var largest: Int32 = 0
    var isMonotone = true
    for level in UInt8(1)...255 {
      let colour = table.colour(red: level, green: level, blue: level)
      largest = max(largest, colour.red - last.red, colour.green - last.green, colour.blue - last.blue)
      isMonotone =
        isMonotone && colour.red >= last.red && colour.green >= last.green && colour.blue >= last.blue
      last = colour
    }
    #expect(isMonotone && largest <= 384, "\(look): \(largest)")
  }

  @Test func theTableSaysWhatTheLookSays() {
    let table = LookTable(.dusk, strength: 80)
    for (r, g, b) in [(0, 0, 0), (32, 32, 32), (1, 20, 7), (31, 0, 16)] {
      let at = 4 * (r + 33 * (g + 33 * b))
      let colour = Look.dusk.apply(
        to: Colour(red: Int32(r) * 2_040, green: Int32(g) * 2_040, blue: Int32(b) * 2_040), strength: 80)
      #expect(table.words[at..<at + 3].map { Int32($0) } == [colour.red, colour.green, colour.blue])
    }
  }

  @Test func bytesAreTheWordsRounded() {
    let table = LookTable(.film)
    let bytes = table.bytes
    #expect(zip(table.words, bytes).allSatisfy { abs(Int($0) - Int($1) * 256) <= 128 })
    #expect(bytes[3] == 255)
  }
}

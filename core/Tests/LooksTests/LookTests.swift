import CoreTesting
import CoreTypes
import Looks
import Testing

@Suite struct LookTests {
  @Test func thereAreAtLeastTwelve() { #expect(Look.allCases.count > 12) }

  @Test(arguments: Look.allCases)
  func aBrighterGreyNeverBecomesDarker(look: Look) {
    for strength: Int32 in [100, 67, 50, 1] {
      var last = Colour(grey: -1)
      var isMonotone = true
      for grey in stride(from: 0, through: Colour.white, by: strength == 100 ? 10 : 85) {
        let colour = look.apply(to: Colour(grey: grey), strength: strength)
        isMonotone =
          isMonotone && colour.red >= last.red && colour.green >= last.green && colour.blue >= last.blue
        last = colour
      }
      #expect(isMonotone, "\(look) at \(strength)")
    }
  }

  @Test(arguments: Look.allCases)
  func blackStaysDarkAndWhiteBright(look: Look) {
    let black = look.apply(to: Colour(grey: 0))
    let white = look.apply(to: Colour(grey: Colour.white))
    #expect(max(black.red, black.green, black.blue) <= Colour.white * 13 / 100)
    #expect(min(white.red, white.green, white.blue) >= Colour.white * 88 / 100)
  }

  @Test(arguments: Look.allCases)
  func staysInRangeForAnyColourAndStrength(look: Look) {
    var generator = SeededGenerator(seed: 9)
    var inRange = true
    for _ in 0..<5_000 {
      func channel() -> Int32 { Int32(clamping: generator.hostileInteger(around: 90_000)) }
      let colour = look.apply(
        to: Colour(red: channel(), green: channel(), blue: channel()),
        strength: Int32(clamping: generator.hostileInteger(around: 120)))
      for value in [colour.red, colour.green, colour.blue] {
        inRange = inRange && value >= 0 && value <= Colour.white
      }
    }
    #expect(inRange)
  }

  @Test func aStrengthLiesBetweenNothingAndEverything() {
    forEachSeed(10_000) { seed, generator in
      let look = Look.allCases[Int(generator.next(below: Int64(Look.allCases.count)))]
      func channel() -> Int32 { Int32(generator.next(below: Int64(Colour.white) + 1)) }
      let colour = Colour(red: channel(), green: channel(), blue: channel())
      let full = look.apply(to: colour)
      let part = look.apply(to: colour, strength: Int32(generator.next(below: 101)))
      let holds =
        look.apply(to: colour, strength: 0) == colour && look.apply(to: colour, strength: 900) == full
        && (min(colour.red, full.red)...max(colour.red, full.red)).contains(part.red)
        && (min(colour.blue, full.blue)...max(colour.blue, full.blue)).contains(part.blue)
      if !holds { Issue.record("\(look) of \(colour), seed \(seed)") }
    }
  }

  @Test func noTwoLooksAreNearlyTheSame() {
    for (index, look) in Look.allCases.enumerated() {
      for other in Look.allCases[..<index] {
        var difference: Int32 = 0
        for red in stride(from: 0, through: Colour.white, by: 8_160) {
          for green in stride(from: 0, through: Colour.white, by: 8_160) {
            let colour = Colour(red: red, green: green, blue: Colour.white / 3)
            let (one, two) = (look.apply(to: colour), other.apply(to: colour))
            difference = max(
              difference, abs(one.red - two.red), abs(one.green - two.green), abs(one.blue - two.blue))
          }
        }
        #expect(difference > 10 * 256, "\(look) and \(other)")
      }
    }
  }

  /// The ten Monk skin tones (skintone.google).
  static let skinTones: [UInt32] = [
    0xf6ede4, 0xf3e7db, 0xf7ead0, 0xeadaba, 0xd7bd96, 0xa07e56, 0x825c43, 0x604134, 0x3a312a, 0x292420,
  ]

  @Test(arguments: Look.allCases.filter { !$0.isMonochrome })
  func skinStaysSkin(look: Look) {
    for tone in Self.skinTones {
      let before = Colour(
        red: Int32(tone >> 16) << 8, green: Int32(tone >> 8 & 255) << 8, blue: Int32(tone & 255) << 8)
      let after = look.apply(to: before)
      let name = "\(look) of \(String(tone, radix: 16)): \(after)"
      // Red over green over blue, but for a hair where there is hardly any colour.
      #expect(after.red >= after.green - 5 * 256 && after.green >= after.blue - 8 * 256, "\(name)")
      #expect(abs(brightness(after) - brightness(before)) <= 34 * 256, "\(name)")
      if chroma(before) > 24 * 256, chroma(after) > 24 * 256 {
        #expect((0...48).contains(hue(after)) && abs(hue(after) - hue(before)) <= 14, "\(name)")
      }
    }
  }

  private func brightness(_ colour: Colour) -> Int32 {
    (colour.red * 3 + colour.green * 6 + colour.blue) / 10
  }

  private func chroma(_ colour: Colour) -> Int32 { colour.red - min(colour.green, colour.blue) }

  /// Degrees; red is the strongest channel.
  private func hue(_ colour: Colour) -> Int32 {
    60 * (colour.green - colour.blue) / (colour.red - min(colour.green, colour.blue))
  }
}

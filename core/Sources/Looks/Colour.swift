/// A colour in the light that cameras and screens encode (gamma sRGB), each channel 0…`white`.
///
/// White is 255 × 256, not a power of two: an 8-bit value times 256 is exact, and so are the corners of
/// a cube with 32 cells to a side and everything between them on a straight line.
public struct Colour: Equatable, Sendable {
  public static let white: Int32 = 65_280

  public var red: Int32
  public var green: Int32
  public var blue: Int32

  public init(red: Int32, green: Int32, blue: Int32) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  public init(grey: Int32) { self.init(red: grey, green: grey, blue: grey) }

  /// How bright it looks (Rec. 709 weights); of a grey the grey itself, exactly.
  var luma: Int32 { mixed(red: 213, green: 715, blue: 72) }

  /// One channel of three; the weights make a thousand.
  func mixed(red: Int32, green: Int32, blue: Int32) -> Int32 {
    (self.red * red + self.green * green + self.blue * blue) / 1_000
  }

  func map(_ change: (Int32) -> Int32) -> Colour {
    Colour(red: change(red), green: change(green), blue: change(blue))
  }

  var clamped: Colour { map { min(max($0, 0), Self.white) } }
}

/// Rounds down, also below zero: rounding towards zero would make a dent there.
@inline(__always)
func floorDivide(_ dividend: Int64, by divisor: Int64) -> Int32 {
  let quotient = dividend / divisor
  return Int32(truncatingIfNeeded: quotient &* divisor > dividend ? quotient &- 1 : quotient)
}

/// A look as a table for colour cubes and 3-D textures: 33 steps per channel, red fastest, then green,
/// then blue; red, green, blue and opacity (always full) of each.
///
/// The entry of (r, g, b) begins at 4 × (r + 33 × (g + 33 × b)); full is `Colour.white`, so that an
/// entry divided by that is what a texture of floats wants. Between entries colours lie on straight
/// lines in all three directions, as every graphics processor draws them; done exactly, `plain` then
/// gives every 8-bit colour back as it was.
public struct LookTable: Sendable {
  public static let edge = 33
  public static let entryCount = edge * edge * edge
  /// The most by which a channel differs between an entry and the next one beside it, in 1/256 of an
  /// 8-bit level. Without a look it is 2,040, the 8 levels of a cell; 1.6 times as steep makes of a
  /// gradient without bands one without bands.
  public static let largestStep: Int32 = 3_264

  public let words: [UInt16]

  public init(_ look: Look, strength: Int32 = 100) {
    var words: [UInt16] = []
    words.reserveCapacity(Self.entryCount * 4)
    let step = Colour.white / Int32(Self.edge - 1)
    let recipe = look.recipe
    let strength = Look.clamped(strength)
    for blue in 0..<Int32(Self.edge) {
      for green in 0..<Int32(Self.edge) {
        for red in 0..<Int32(Self.edge) {
          let corner = Colour(red: red * step, green: green * step, blue: blue * step)
          let colour = recipe.apply(to: corner, strength: strength)
          words.append(UInt16(truncatingIfNeeded: colour.red))
          words.append(UInt16(truncatingIfNeeded: colour.green))
          words.append(UInt16(truncatingIfNeeded: colour.blue))
          words.append(UInt16(Colour.white))
        }
      }
    }
    self.words = words
  }

  /// In 8 bits, rounded: for textures that cannot hold more. Off by half a level at most, which in
  /// `plain` shows; hosts draw that without a table.
  public var bytes: [UInt8] { words.map { UInt8(($0 + 128) >> 8) } }

  /// The colour of an 8-bit one, between the eight entries around it.
  public func colour(red: UInt8, green: UInt8, blue: UInt8) -> Colour {
    let r = Place(red)
    let g = Place(green)
    let b = Place(blue)
    var sums: (Int64, Int64, Int64) = (0, 0, 0)
    for corner in 0..<8 {
      let (x, wide) = r.side(corner & 1)
      let (y, high) = g.side(corner >> 1 & 1)
      let (z, deep) = b.side(corner >> 2 & 1)
      let weight = wide * high * deep
      guard weight > 0 else { continue }
      let at = 4 * (x + Self.edge * (y + Self.edge * z))
      sums.0 += weight * Int64(words[at])
      sums.1 += weight * Int64(words[at + 1])
      sums.2 += weight * Int64(words[at + 2])
    }
    let whole: Int64 = 255 * 255 * 255
    func rounded(_ sum: Int64) -> Int32 { Int32((sum + whole / 2) / whole) }
    return Colour(red: rounded(sums.0), green: rounded(sums.1), blue: rounded(sums.2))
  }

  /// Where an 8-bit channel stands: `part`/255 of the way from an entry to the next.
  private struct Place {
    let index: Int
    let part: Int64

    init(_ channel: UInt8) {
      let scaled = Int(channel) * (LookTable.edge - 1)
      index = scaled / 255
      part = Int64(scaled % 255)
    }

    func side(_ side: Int) -> (index: Int, weight: Int64) {
      side == 0 ? (index, 255 - part) : (index + 1, part)
    }
  }
}

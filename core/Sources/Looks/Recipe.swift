/// What a look does to a colour, in thousandths. The steps come in the order of the properties.
///
/// Each step maps greys to rising greys (or tints that rise in every channel) as long as its numbers
/// stay within the bounds named here; the tests hold every look to it.
struct Recipe {
  /// Weights of the channels if the picture becomes one of brightness alone; they make 1,000.
  var mono: Tint?
  /// 1,000 leaves the distance from grey as it is.
  var saturation: Int32 = 1_000
  /// More of it the paler a colour is: skies wake up, skin stays.
  var vibrance: Int32 = 0
  /// Bends red up and blue down, or the other way round; black and white stay. Within ±500.
  var warmth: Int32 = 0
  /// Bends green up, or down towards magenta. Within ±500.
  var tint: Int32 = 0
  /// Bends all channels. Within ±500.
  var brightness: Int32 = 0
  /// Steeper in the middle and flatter at the ends, or the other way round. Within −400…600.
  var contrast: Int32 = 0
  /// Added to what is dark, and to what is bright. Within ±100.
  var shadows = Tint(0, 0, 0)
  var highlights = Tint(0, 0, 0)
  /// Black becomes as bright as this, and white loses as much as that.
  var lift: Int32 = 0
  var drop: Int32 = 0

  struct Tint {
    let red: Int32
    let green: Int32
    let blue: Int32

    init(_ red: Int32, _ green: Int32, _ blue: Int32) {
      self.red = red
      self.green = green
      self.blue = blue
    }
  }

  // NB: the products below stay under 2^60 for channels and numbers within their bounds. They are not
  // checked, since WebAssembly checks a 64-bit product by making one of 128 bits: a table would take
  // several times as long, and somebody may be dragging the strength.

  func apply(to colour: Colour, strength: Int32) -> Colour {
    let full = apply(to: colour)
    guard strength < 100 else { return full }
    func blend(_ from: Int32, _ to: Int32) -> Int32 {
      from + floorDivide(Int64(to - from) &* Int64(strength), by: 100)
    }
    return Colour(
      red: blend(colour.red, full.red), green: blend(colour.green, full.green),
      blue: blend(colour.blue, full.blue))
  }

  private func apply(to colour: Colour) -> Colour {
    var colour = colour
    if let mono {
      colour = Colour(grey: colour.mixed(red: mono.red, green: mono.green, blue: mono.blue))
    } else {
      colour = saturated(colour)
    }
    colour.red = bent(colour.red, by: warmth + brightness)
    colour.green = bent(colour.green, by: tint + brightness)
    colour.blue = bent(colour.blue, by: brightness - warmth)
    if contrast != 0 { colour = colour.map { steepened($0) } }
    colour = toned(colour)
    return colour.map { faded($0) }.clamped
  }

  private func saturated(_ colour: Colour) -> Colour {
    guard saturation != 1_000 || vibrance != 0 else { return colour }
    let grey = colour.luma
    let high = max(colour.red, colour.green, colour.blue)
    let low = min(colour.red, colour.green, colour.blue)
    let paleness = Int64(Colour.white - (high - low))
    let factor = Int64(saturation) + Int64(floorDivide(Int64(vibrance) &* paleness, by: Int64(Colour.white)))
    return colour.map { grey + floorDivide(Int64($0 - grey) &* factor, by: 1_000) }.clamped
  }

  /// x + k·x·(1 − x): the ends stay, the middle moves by a quarter of k.
  private func bent(_ channel: Int32, by amount: Int32) -> Int32 {
    let white = Int64(Colour.white)
    let x = Int64(channel)
    return channel + floorDivide(Int64(amount) &* x &* (white - x), by: white * 1_000)
  }

  /// x + k·(3x² − 2x³ − x): a smooth step.
  private func steepened(_ channel: Int32) -> Int32 {
    let white = Int64(Colour.white)
    let x = Int64(channel)
    let step = 3 &* x &* x &* white &- 2 &* x &* x &* x &- x &* white &* white
    return channel + floorDivide(Int64(contrast) &* (step / 1_000), by: white * white)
  }

  /// Tints fade with the square of the distance from their end, so that nowhere an edge shows.
  private func toned(_ colour: Colour) -> Colour {
    let white = Int64(Colour.white)
    let light = Int64(min(max(colour.luma, 0), Colour.white))
    let dark = (white - light) &* (white - light) / white
    let bright = light &* light / white
    func shift(_ shadow: Int32, _ highlight: Int32) -> Int32 {
      floorDivide(Int64(shadow) &* dark &+ Int64(highlight) &* bright, by: 1_000)
    }
    return Colour(
      red: colour.red + shift(shadows.red, highlights.red),
      green: colour.green + shift(shadows.green, highlights.green),
      blue: colour.blue + shift(shadows.blue, highlights.blue))
  }

  private func faded(_ channel: Int32) -> Int32 {
    let black = Int64(Colour.white) &* Int64(lift)
    return floorDivide(black &+ Int64(channel) &* Int64(1_000 - lift - drop), by: 1_000)
  }
}

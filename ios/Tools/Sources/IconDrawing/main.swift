// Draws the app's icon: three clips of a feed one behind the other, the front one about to play. Argument:
// the folder for the pictures, one for each appearance.
import Foundation

/// How far a point is outside a rectangle with round corners; below 0 inside.
func distance(_ x: Double, _ y: Double, _ left: Double, _ top: Double, _ width: Double, _ height: Double)
  -> Double
{
  let corner = 0.07
  let dx = abs(x - left - width / 2) - width / 2 + corner
  let dy = abs(y - top - height / 2) - height / 2 + corner
  return (max(dx, 0) * max(dx, 0) + max(dy, 0) * max(dy, 0)).squareRoot() + min(max(dx, dy), 0) - corner
}

/// A triangle that points right.
func isPlay(_ x: Double, _ y: Double) -> Bool {
  let (px, py) = (x - 0.425, abs(y - 0.54))
  return px > 0 && py < (0.2 - px) * 0.62
}

struct Palette {
  var ground: Int
  var cards: [Int]
  var play: Int
}

func draw(_ palette: Palette) -> Data {
  Picture(size: 1024) { x, y in
    if isPlay(x, y) { return Colour(palette.play) }
    // The front card is the largest and lowest.
    if distance(x, y, 0.27, 0.28, 0.46, 0.54) < 0 { return Colour(palette.cards[0]) }
    if distance(x, y, 0.32, 0.21, 0.36, 0.5) < 0 { return Colour(palette.cards[1]) }
    if distance(x, y, 0.365, 0.15, 0.27, 0.4) < 0 { return Colour(palette.cards[2]) }
    return Colour(palette.ground)
  }.png
}

let folder = CommandLine.arguments[1]
let palettes = [
  "icon": Palette(ground: 0xF4F1EA, cards: [0x1B1B2F, 0x5C5FA8, 0xF2A65A], play: 0xF4F1EA),
  "icon-dark": Palette(ground: 0x101018, cards: [0xECE9E2, 0x6E71BD, 0xD98E45], play: 0x101018),
  // The system lays the person's colour over grey.
  "icon-tinted": Palette(ground: 0x000000, cards: [0xE6E6E6, 0x8A8A8A, 0x565656], play: 0x000000),
]
for (name, palette) in palettes {
  try draw(palette).write(to: URL(filePath: "\(folder)/\(name).png"))
}

internal import Foundation
internal import Platform

/// ThumbHash by Evan Wallace: a picture as some 25 bytes, enough for a blurred placeholder with the right
/// colours and shape. This is the encoder for opaque pictures of at most 100×100 pixels.
enum ThumbHash {
  /// `rgba` has four bytes per pixel, row by row; alpha is taken as opaque.
  static func encode(width: Int, height: Int, rgba: [UInt8]) -> [UInt8] {
    precondition((1...100).contains(width) && (1...100).contains(height) && rgba.count >= width * height * 4)
    // Luminance, yellow-blue and red-green: the eye needs the first in more detail.
    var luminance: [Double] = []
    var yellowBlue: [Double] = []
    var redGreen: [Double] = []
    for pixel in 0..<width * height {
      let red = Double(rgba[pixel * 4]) / 255
      let green = Double(rgba[pixel * 4 + 1]) / 255
      let blue = Double(rgba[pixel * 4 + 2]) / 255
      luminance.append((red + green + blue) / 3)
      yellowBlue.append((red + green) / 2 - blue)
      redGreen.append(red - green)
    }
    let longer = Double(max(width, height))
    let columns = max(1, Int(clamping: 7 * Double(width) / longer))
    let rows = max(1, Int(clamping: 7 * Double(height) / longer))
    let l = channel(luminance, width, height, max(3, columns), max(3, rows))
    let p = channel(yellowBlue, width, height, 3, 3)
    let q = channel(redGreen, width, height, 3, 3)

    let isLandscape = width > height
    let header24 =
      round(63 * l.constant) | round(31.5 + 31.5 * p.constant) << 6 | round(31.5 + 31.5 * q.constant) << 12
      | round(31 * l.scale) << 18
    let header16 =
      (isLandscape ? rows : columns) | round(63 * p.scale) << 3 | round(63 * q.scale) << 9
      | (isLandscape ? 1 : 0) << 15
    var hash = [header24 & 255, header24 >> 8 & 255, header24 >> 16, header16 & 255, header16 >> 8]
    let factors = (l.factors + p.factors + q.factors).map { round(15 * $0) }
    for pair in stride(from: 0, to: factors.count, by: 2) {
      hash.append(factors[pair] | (pair + 1 < factors.count ? factors[pair + 1] << 4 : 0))
    }
    return hash.map { UInt8(truncatingIfNeeded: $0) }
  }

  /// The lowest frequencies of a cosine transform: the constant, and the others scaled to 0…1 by the largest.
  private static func channel(
    _ values: [Double], _ width: Int, _ height: Int, _ columns: Int, _ rows: Int
  ) -> (constant: Double, factors: [Double], scale: Double) {
    var constant = 0.0
    var factors: [Double] = []
    for row in 0..<rows {
      let vertical = (0..<height).map { cos(.pi / Double(height) * Double(row) * (Double($0) + 0.5)) }
      // A triangle: high in one direction and high in the other at the same time is never visible.
      for column in 0..<columns where column * rows < columns * (rows - row) {
        let horizontal = (0..<width).map { cos(.pi / Double(width) * Double(column) * (Double($0) + 0.5)) }
        var sum = 0.0
        for y in 0..<height {
          for x in 0..<width { sum += values[x + y * width] * horizontal[x] * vertical[y] }
        }
        sum /= Double(width * height)
        if row == 0, column == 0 { constant = sum } else { factors.append(sum) }
      }
    }
    let scale = factors.map(abs).max() ?? 0
    return (constant, scale > 0 ? factors.map { 0.5 + 0.5 / scale * $0 } : factors, scale)
  }

  private static func round(_ value: Double) -> Int { Int(clamping: value) }
}

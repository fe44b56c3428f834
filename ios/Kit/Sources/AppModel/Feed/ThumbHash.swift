public import Foundation

/// A ThumbHash decoded: a picture in some 25 bytes, a few cosine terms of brightness and two colour
/// differences, at most 32 pixels on the long edge.
///
/// Frames of a video have no transparent parts, so the format's alpha plane is left out. It refuses to know
/// what the picture shows and where it is drawn.
public struct ThumbHash: Equatable, Sendable {
  public let width: Int
  public let height: Int
  /// Red, green, blue and opacity of each pixel, row by row.
  public let pixels: [UInt8]

  /// `nil` for what is no ThumbHash: a clip without a placeholder is still a clip.
  public init?(base64: String) {
    guard base64.utf8.count <= 64, let bytes = Data(base64Encoded: base64) else { return nil }
    self.init(Array(bytes))
  }

  public init?(_ hash: [UInt8]) {
    guard hash.count >= 5 else { return nil }
    let low = Int(hash[0]) | Int(hash[1]) << 8 | Int(hash[2]) << 16
    let high = Int(hash[3]) | Int(hash[4]) << 8
    let isLandscape = Self.bits(high, 15, 1) == 1
    let columns = isLandscape ? 7 : max(3, Self.bits(high, 0, 3))
    let rows = isLandscape ? max(3, Self.bits(high, 0, 3)) : 7
    var terms = HalfBytes(hash: hash, at: 10)
    let luma = Plane(
      columns, rows, mean: Double(Self.bits(low, 0, 6)) / 63, scale: Double(Self.bits(low, 18, 5)) / 31,
      &terms)
    let warm = Plane(
      3, 3, mean: Double(Self.bits(low, 6, 6)) / 31.5 - 1, scale: Double(Self.bits(high, 3, 6)) / 63 * 1.25,
      &terms)
    let red = Plane(
      3, 3, mean: Double(Self.bits(low, 12, 6)) / 31.5 - 1, scale: Double(Self.bits(high, 9, 6)) / 63 * 1.25,
      &terms)
    let ratio = Double(columns) / Double(rows)
    let (width, height) =
      ratio > 1
      ? (32, Int((32 / ratio).rounded(.toNearestOrAwayFromZero)))
      : (Int((32 * ratio).rounded(.toNearestOrAwayFromZero)), 32)
    self.width = width
    self.height = height
    pixels = Self.paint(width, height, luma, warm, red)
  }

  private static func bits(_ value: Int, _ from: Int, _ count: Int) -> Int {
    value >> from & (1 << count - 1)
  }

  /// Half bytes, the low half first. Behind the last one there are zeros, as in the web's reader.
  private struct HalfBytes {
    let hash: [UInt8]
    var at: Int

    mutating func next() -> Double {
      defer { at += 1 }
      guard at / 2 < hash.count else { return 0 }
      return Double(ThumbHash.bits(Int(hash[at / 2]), at % 2 * 4, 4))
    }
  }

  /// Its mean and the terms of a triangle of frequencies, without the one for (0, 0).
  private struct Plane {
    struct Term {
      let x: Int
      let y: Int
      let weight: Double
    }
    let mean: Double
    var terms: [Term] = []

    init(_ columns: Int, _ rows: Int, mean: Double, scale: Double, _ halves: inout HalfBytes) {
      self.mean = mean
      for y in 0..<rows {
        var x = y == 0 ? 1 : 0
        while x * rows < columns * (rows - y) {
          terms.append(Term(x: x, y: y, weight: (halves.next() / 7.5 - 1) * scale * 2))
          x += 1
        }
      }
    }

    func value(_ across: [Double], _ down: [Double]) -> Double {
      terms.reduce(mean) { $0 + $1.weight * across[$1.x] * down[$1.y] }
    }
  }

  /// By place: the cosine of each frequency there.
  private static func cosines(_ size: Int) -> [[Double]] {
    (0..<size).map { place in
      (0..<8).map { cos(Double.pi / Double(size) * (Double(place) + 0.5) * Double($0)) }
    }
  }

  private static func paint(
    _ width: Int, _ height: Int, _ luma: Plane, _ warm: Plane, _ red: Plane
  ) -> [UInt8] {
    let (across, down) = (cosines(width), cosines(height))
    var pixels: [UInt8] = []
    pixels.reserveCapacity(width * height * 4)
    for y in 0..<height {
      for x in 0..<width {
        let (l, p, q) = (
          luma.value(across[x], down[y]), warm.value(across[x], down[y]), red.value(across[x], down[y])
        )
        let b = l - 2 / 3 * p
        let r = (3 * l - b + q) / 2
        pixels += [level(r), level(r - q), level(b), 255]
      }
    }
    return pixels
  }

  /// The picture as a file that every system's decoder reads: BMP with 32 bits a pixel, from the top down.
  public var bitmapFile: Data {
    var file = Data("BM".utf8)
    func append(_ value: Int32) { withUnsafeBytes(of: value.littleEndian) { file.append(contentsOf: $0) } }
    let size = Int32(pixels.count)
    let planes: Int32 = 1 | 32 << 16
    let head: [Int32] = [
      54 + size, 0, 54, 40, Int32(width), -Int32(height), planes, 0, size, 0, 0, 0, 0,
    ]
    for value in head { append(value) }
    for place in stride(from: 0, to: pixels.count, by: 4) {
      file.append(contentsOf: [pixels[place + 2], pixels[place + 1], pixels[place], 255])
    }
    return file
  }

  private static func level(_ value: Double) -> UInt8 {
    UInt8(min(max((255 * value).rounded(), 0), 255))
  }
}

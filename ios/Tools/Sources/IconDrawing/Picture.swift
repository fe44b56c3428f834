import CZlib
import Foundation

struct Colour {
  var red: Double
  var green: Double
  var blue: Double
  init(_ hex: Int) {
    red = Double(hex >> 16 & 255)
    green = Double(hex >> 8 & 255)
    blue = Double(hex & 255)
  }
}

/// A square picture without transparency, drawn by asking each point for its colour.
struct Picture {
  let size: Int
  var bytes: [UInt8] = []

  /// `colour` takes coordinates from 0 to 1. Each pixel is the mean of sixteen points.
  init(size: Int, colour: (Double, Double) -> Colour) {
    self.size = size
    bytes.reserveCapacity(size * (size * 3 + 1))
    for row in 0..<size {
      // The filter of the row: none. Flat areas pack well as they are.
      bytes.append(0)
      for column in 0..<size {
        var sum = (0.0, 0.0, 0.0)
        for step in 0..<16 {
          let x = (Double(column) + (Double(step % 4) + 0.5) / 4) / Double(size)
          let y = (Double(row) + (Double(step / 4) + 0.5) / 4) / Double(size)
          let point = colour(x, y)
          sum = (sum.0 + point.red, sum.1 + point.green, sum.2 + point.blue)
        }
        for part in [sum.0, sum.1, sum.2] { bytes.append(UInt8((part / 16).rounded())) }
      }
    }
  }

  var png: Data {
    var file = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
    func big(_ value: Int) -> Data { Data((0..<4).map { UInt8(value >> (24 - 8 * $0) & 255) }) }
    func chunk(_ name: String, _ content: Data) {
      let body = Data(name.utf8) + content
      let sum = body.withUnsafeBytes { crc32(0, $0.bindMemory(to: UInt8.self).baseAddress, UInt32($0.count)) }
      file += big(content.count) + body + big(Int(sum))
    }
    chunk("IHDR", big(size) + big(size) + Data([8, 2, 0, 0, 0]))
    var length = compressBound(UInt(bytes.count))
    var packed = Data(count: Int(length))
    packed.withUnsafeMutableBytes { room in
      _ = compress2(room.bindMemory(to: UInt8.self).baseAddress, &length, bytes, UInt(bytes.count), 9)
    }
    chunk("IDAT", packed.prefix(Int(length)))
    chunk("IEND", Data())
    return file
  }
}

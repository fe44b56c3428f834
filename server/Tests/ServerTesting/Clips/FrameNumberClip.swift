import Contract
import Foundation
import Testing

@testable import PlatformTesting

/// Clips whose picture tells the number of each of its frames: eight upright bars, white for 1 and black for
/// 0, the lowest bit on the left.
enum FrameNumberClip {
  static func make(
    _ name: String, on bench: TestInstance, seconds: Double = 6.4, size: String = "192x320", rate: Int = 30
  ) async throws -> URL {
    let scaled = size.replacing("x", with: ":")
    return try await bench.make(
      name,
      "-f lavfi -i nullsrc=s=8x2:r=\(rate):d=\(seconds),format=gray,geq=lum='255*mod(floor(N/pow(2,X)),2)',"
        + "scale=\(scaled):flags=neighbor,setsar=1,format=yuv420p -c:v libx264 -preset ultrafast -f mp4")
  }

  /// The numbers that a JPEG tells, tile by tile.
  static func numbers(in jpeg: URL, width: Int, height: Int, columns: Int = 1, count: Int = 1) throws -> [Int]
  {
    let raw = jpeg.deletingLastPathComponent().appendingPathComponent("numbers-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: raw) }
    let (status, _) = try Shell.run(
      "/usr/bin/ffmpeg",
      ["-nostdin", "-v", "error", "-i", jpeg.path, "-pix_fmt", "gray", "-f", "rawvideo", raw.path])
    try #require(status == 0)
    let pixels = [UInt8](try Data(contentsOf: raw))
    let rows = (count + columns - 1) / columns
    try #require(pixels.count == columns * width * rows * height, "the image has another size than was said")
    return (0..<count).map { tile in
      (0..<8).reduce(0) { number, bit in
        let x = tile % columns * width + (2 * bit + 1) * width / 16
        let y = tile / columns * height + height / 2
        return number | (pixels[y * columns * width + x] > 127 ? 1 << bit : 0)
      }
    }
  }
}

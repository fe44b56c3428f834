import Foundation
import MediaStore

/// Writes parts for ever, with content that follows from their place: whoever kills it can tell right bytes
/// from wrong ones.
enum StoreWriter {
  static func bytes(of part: MediaPart) -> Data {
    var state = UInt64(truncatingIfNeeded: part.offset &* 2_654_435_761 &+ part.size)
    return Data(
      (0..<part.size).map { _ in
        state = state &* 6_364_136_223_846_793_005 &+ 1
        return UInt8(truncatingIfNeeded: state >> 33)
      })
  }

  static func run(_ root: URL) async throws {
    let store = try DiskStore(root: root)
    for round in 0... {
      let clip = "clip \(round % 7)"
      for number in 0..<5 {
        let size = 1_000 + (round * 31 + number * 977) % 60_000
        let part = MediaPart(blob: "/media/\(round % 7).mp4", offset: number * 100_000, size: size)
        try await store.write(bytes(of: part), as: part, of: clip)
      }
      if round % 3 == 2 { await store.keep([], of: "clip \((round + 3) % 7)") }
    }
  }
}

internal import Contract
internal import Platform

/// JPEG (ITU-T T.81): segments, and behind the head of each scan its coded data.
enum JPEGParts {
  /// Of a progressive picture; usual are some ten. Each costs a pass over all pixels, and a few bytes.
  private static let scans = 64

  static func read(_ bytes: [UInt8]) throws -> PictureParts {
    var parts = PictureParts()
    parts.bytes = [0xFF, 0xD8]
    var place = 2
    var scans = 0
    while let marker = nextMarker(in: bytes, &place) {
      if marker == 0xD9 {
        guard scans > 0 else { break }
        parts.bytes += [0xFF, 0xD9]
        return parts
      }
      guard let length = bytes.bigEndian(2, at: place), length >= 2, place + length <= bytes.count else {
        break
      }
      let content = (place + 2)..<(place + length)
      let segment = [0xFF, marker] + bytes[place..<content.upperBound]
      place = content.upperBound
      switch marker {
      // Baseline, extended and progressive; one picture of 8 bits.
      case 0xC0, 0xC1, 0xC2:
        guard parts.width == 0, bytes.bigEndian(1, at: content.lowerBound) == 8, content.count >= 6,
          let height = bytes.bigEndian(2, at: content.lowerBound + 1),
          let width = bytes.bigEndian(2, at: content.lowerBound + 3), width > 0
        else { throw AppError(.pictureUnreadable) }
        (parts.width, parts.height) = (width, height)
        parts.bytes += segment
      // Tables, and what says how colours are meant.
      case 0xC4, 0xDB, 0xDD: parts.bytes += segment
      case 0xEE where bytes.holds("Adobe", at: content.lowerBound): parts.bytes += segment
      case 0xE1 where bytes.holds("Exif\0\0", at: content.lowerBound):
        parts.turn = PictureTurn(tiff: Array(bytes[content].dropFirst(6)))
      case 0xE0...0xEF, 0xFE: break
      case 0xDA:
        scans += 1
        guard parts.width > 0, scans <= Self.scans else { throw AppError(.pictureUnreadable) }
        parts.bytes += segment
        let start = place
        place = endOfScan(in: bytes, from: start)
        parts.bytes += bytes[start..<place]
      // Lossless, arithmetic, in steps of size: no camera writes them.
      default: throw AppError(.pictureUnreadable)
      }
    }
    throw AppError(.pictureUnreadable)
  }

  /// Goes behind it. Any number of FF may stand before a marker.
  private static func nextMarker(in bytes: [UInt8], _ place: inout Int) -> UInt8? {
    guard place < bytes.count, bytes[place] == 0xFF else { return nil }
    while place < bytes.count, bytes[place] == 0xFF { place += 1 }
    guard place < bytes.count else { return nil }
    defer { place += 1 }
    return bytes[place]
  }

  /// Where the next marker begins that is none of those that stand among coded data: a stuffed FF, or the
  /// beginning of an interval.
  private static func endOfScan(in bytes: [UInt8], from start: Int) -> Int {
    bytes.withUnsafeBufferPointer { bytes in
      var place = start
      while place + 1 < bytes.count {
        if bytes[place] == 0xFF, bytes[place + 1] != 0, bytes[place + 1] != 0xFF,
          !(0xD0...0xD7).contains(bytes[place + 1])
        {
          return place
        }
        place += 1
      }
      return bytes.count
    }
  }
}

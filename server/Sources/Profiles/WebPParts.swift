internal import Contract
internal import Platform

/// WebP (RFC 9649): chunks of a RIFF. Of one that moves the first frame is taken, which ffmpeg's decoder does
/// not do.
enum WebPParts {
  static func read(_ bytes: [UInt8]) throws -> PictureParts {
    guard let size = bytes.littleEndian(4, at: 4), size >= 4, size <= bytes.count - 8 else {
      throw AppError(.pictureUnreadable)
    }
    var found = Found()
    try found.look(in: bytes, 12..<(8 + size))
    guard let picture = found.picture else { throw AppError(.pictureUnreadable) }
    var parts = try measured(bytes, picture)
    parts.turn = found.turn
    var chunks: [UInt8] = []
    if let alpha = found.alpha {
      // The head says that there is transparency, and how large the picture is.
      chunks += "VP8X".utf8
      chunks += number(10, of: 4)
      chunks += number(0x10, of: 4)
      chunks += number(parts.width - 1, of: 3)
      chunks += number(parts.height - 1, of: 3)
      chunks += chunk(bytes, alpha)
    }
    chunks += chunk(bytes, picture)
    parts.bytes += "RIFF".utf8
    parts.bytes += number(chunks.count + 4, of: 4)
    parts.bytes += "WEBP".utf8
    parts.bytes += chunks
    return parts
  }

  private struct Found {
    /// Of chunks: where the type of each stands, and how long its content is.
    var picture: Range<Int>?
    var alpha: Range<Int>?
    var turn = PictureTurn.upright

    mutating func look(in bytes: [UInt8], _ range: Range<Int>, isFrame: Bool = false) throws {
      var place = range.lowerBound
      while place <= range.upperBound - 8, let length = bytes.littleEndian(4, at: place + 4) {
        guard length <= range.upperBound - place - 8 else { throw AppError(.pictureUnreadable) }
        let chunk = place..<(place + 8 + length)
        if bytes.holds("VP8 ", at: place) || bytes.holds("VP8L", at: place) {
          picture = picture ?? chunk
        } else if bytes.holds("ALPH", at: place), picture == nil {
          alpha = chunk
        } else if bytes.holds("ANMF", at: place), picture == nil, !isFrame, length >= 16 {
          try look(in: bytes, (place + 24)..<chunk.upperBound, isFrame: true)
        } else if bytes.holds("EXIF", at: place), !isFrame {
          let content = chunk.dropFirst(bytes.holds("Exif\0\0", at: place + 8) ? 14 : 8)
          turn = PictureTurn(tiff: Array(bytes[content]))
        }
        place = chunk.upperBound + length % 2
      }
    }
  }

  /// Sides as the coded picture itself says them: what stands around it may say otherwise.
  private static func measured(_ bytes: [UInt8], _ picture: Range<Int>) throws -> PictureParts {
    let start = picture.lowerBound + 8
    var parts = PictureParts()
    if bytes.holds("VP8L", at: picture.lowerBound) {
      guard picture.count >= 13, bytes[start] == 0x2F, let sides = bytes.littleEndian(4, at: start + 1) else {
        throw AppError(.pictureUnreadable)
      }
      (parts.width, parts.height) = (sides & 0x3FFF + 1, sides >> 14 & 0x3FFF + 1)
    } else {
      guard picture.count >= 18, bytes[start] & 1 == 0, bytes.bigEndian(3, at: start + 3) == 0x9D_012A,
        let width = bytes.littleEndian(2, at: start + 6), let height = bytes.littleEndian(2, at: start + 8)
      else { throw AppError(.pictureUnreadable) }
      (parts.width, parts.height) = (width & 0x3FFF, height & 0x3FFF)
    }
    return parts
  }

  /// With the byte that makes its length even.
  private static func chunk(_ bytes: [UInt8], _ range: Range<Int>) -> [UInt8] {
    bytes[range] + (range.count % 2 == 0 ? [] : [0])
  }

  private static func number(_ value: Int, of count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }
}

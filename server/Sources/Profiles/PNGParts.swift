internal import Contract
internal import Platform

/// PNG (W3C, third edition): chunks, of which the four critical ones and transparency are kept. What makes it
/// move (APNG) is left out, so that the picture is its first one.
enum PNGParts {
  static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  static func read(_ bytes: [UInt8]) throws -> PictureParts {
    var parts = PictureParts()
    parts.bytes = signature
    var place = signature.count
    var hasData = false
    while let length = bytes.bigEndian(4, at: place), let type = bytes.bigEndian(4, at: place + 4),
      length <= bytes.count - place - 12
    {
      let chunk = place..<(place + 12 + length)
      let isFirst = place == signature.count
      place = chunk.upperBound
      guard isFirst == (type == ihdr) else { break }
      switch type {
      case ihdr:
        guard length == 13, let width = bytes.bigEndian(4, at: chunk.lowerBound + 8),
          let height = bytes.bigEndian(4, at: chunk.lowerBound + 12)
        else { throw AppError(.pictureUnreadable) }
        (parts.width, parts.height) = (width, height)
        parts.bytes += bytes[chunk]
      case plte, trns: parts.bytes += bytes[chunk]
      case idat:
        hasData = true
        parts.bytes += bytes[chunk]
      case iend:
        guard hasData else { throw AppError(.pictureUnreadable) }
        parts.bytes += bytes[chunk]
        return parts
      case exif: parts.turn = PictureTurn(tiff: Array(bytes[chunk].dropFirst(8).dropLast(4)))
      default:
        // One that must be understood and is not, as in Apple's own PNG.
        guard type & 0x2000_0000 != 0 else { throw AppError(.pictureUnreadable) }
      }
    }
    throw AppError(.pictureUnreadable)
  }

  private static let ihdr = 0x4948_4452
  private static let plte = 0x504C_5445
  private static let idat = 0x4944_4154
  private static let iend = 0x4945_4E44
  private static let trns = 0x7452_4E53
  private static let exif = 0x6558_4966
}

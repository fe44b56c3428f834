internal import Contract
internal import Platform

/// A picture that a stranger sent, read as far as nothing has to be decoded for it, and cleaned: `bytes` has
/// the parts of which pixels are made, and none that tell of place, day or device, none that carry packed
/// texts or other pictures, and nothing behind its end.
///
/// Only three kinds are taken, told by content, each with one decoder that is forced; a drawing (SVG), a list
/// or a film ends here. A picture that was cut off does too: half a face is nobody's wish.
public struct PictureFile: Sendable, Equatable {
  public let kind: PictureKind
  public let bytes: [UInt8]
  /// Pixels as they lie in the file, before it is turned.
  let width: Int
  let height: Int
  public let turn: PictureTurn

  /// Throws `picture_unreadable` and `picture_too_large`.
  public init(_ bytes: [UInt8]) throws {
    guard bytes.count <= Limits.pictureBytes else { throw AppError(.pictureTooLarge) }
    let parts: PictureParts
    if bytes.bigEndian(3, at: 0) == 0xFF_D8FF {
      kind = .jpeg
      parts = try JPEGParts.read(bytes)
    } else if bytes.starts(with: PNGParts.signature) {
      kind = .png
      parts = try PNGParts.read(bytes)
    } else if bytes.holds("RIFF", at: 0), bytes.holds("WEBP", at: 8) {
      kind = .webp
      parts = try WebPParts.read(bytes)
    } else {
      throw AppError(.pictureUnreadable)
    }
    guard parts.width > 0, parts.height > 0 else { throw AppError(.pictureUnreadable) }
    // NB: the sides first, since the product of two of 32 bits each traps.
    guard max(parts.width, parts.height) <= Limits.picturePixels,
      parts.width * parts.height <= Limits.picturePixels
    else { throw AppError(.pictureTooLarge) }
    self.bytes = parts.bytes
    width = parts.width
    height = parts.height
    turn = parts.turn
  }

  /// Sides as a person sees it.
  public var upright: (width: Int, height: Int) { turn.swapsSides ? (height, width) : (width, height) }
}

/// What is kept of a file.
struct PictureParts {
  var bytes: [UInt8] = []
  var width = 0
  var height = 0
  var turn = PictureTurn.upright
}

/// Numbers in the bytes of a stranger, each nil where there are too few of them.
extension [UInt8] {
  func bigEndian(_ count: Int, at place: Int) -> Int? {
    guard place >= 0, count <= self.count, place <= self.count - count else { return nil }
    return self[place..<(place + count)].reduce(0) { $0 << 8 | Int($1) }
  }

  func littleEndian(_ count: Int, at place: Int) -> Int? {
    guard place >= 0, count <= self.count, place <= self.count - count else { return nil }
    return self[place..<(place + count)].reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  func holds(_ text: StaticString, at place: Int) -> Bool {
    text.withUTF8Buffer { place >= 0 && place <= count - $0.count && self[place...].starts(with: $0) }
  }
}

/// How a picture has to be turned before a person sees it upright, by the numbers of Exif's Orientation.
/// Phones store what the sensor saw, and say how they were held.
public enum PictureTurn: Int, Sendable, CaseIterable {
  case upright = 1
  /// Left and right are swapped.
  case mirrored
  case upsideDown
  /// Above and below are swapped.
  case flipped
  /// Rows are columns.
  case transposed
  case clockwise
  /// Rows are columns, from the other end.
  case transversed
  case counterclockwise

  public var swapsSides: Bool { rawValue >= Self.transposed.rawValue }
}

extension PictureTurn {
  private static let orientation = 0x0112
  private static let short = 3

  /// Of the TIFF that Exif is; upright where it says nothing that can be understood.
  init(tiff bytes: [UInt8]) {
    self = Self.read(bytes) ?? .upright
  }

  private static func read(_ bytes: [UInt8]) -> PictureTurn? {
    let isLittle = bytes.holds("II", at: 0)
    guard isLittle || bytes.holds("MM", at: 0) else { return nil }
    func number(_ count: Int, at place: Int) -> Int? {
      isLittle ? bytes.littleEndian(count, at: place) : bytes.bigEndian(count, at: place)
    }
    guard number(2, at: 2) == 42, let start = number(4, at: 4), let count = number(2, at: start) else {
      return nil
    }
    for index in 0..<count {
      let entry = start + 2 + index * 12
      guard let tag = number(2, at: entry) else { return nil }
      if tag == orientation, number(2, at: entry + 2) == short {
        return number(2, at: entry + 8).flatMap { PictureTurn(rawValue: $0) }
      }
    }
    return nil
  }
}

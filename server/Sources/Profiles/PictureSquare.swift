internal import Contract
internal import Platform

/// Which pixels of an upright picture are wanted.
public struct PictureSquare: Sendable, Equatable {
  public let x: Int
  public let y: Int
  public let side: Int

  /// In the middle where nothing else is said, and always inside.
  init(_ crop: PictureCrop, width: Int, height: Int) {
    let shorter = min(width, height)
    let side = max(1, min(shorter, Int(clamping: Double(shorter) * crop.size)))
    func place(_ part: Double?, _ length: Int) -> Int {
      guard let part else { return (length - side) / 2 }
      return max(0, min(length - side, Int(clamping: Double(length) * part)))
    }
    self.side = side
    x = place(crop.x, width)
    y = place(crop.y, height)
  }
}

/// How a picture must be turned before a person sees it upright, from the display matrix of the file.
///
/// Phones store what the sensor saw and say how they were held; selfie cameras mirror as well. ffmpeg turns
/// the picture by itself; this is for who must know the size that comes out. Angles between the quarters
/// exist in hostile files only and are taken for the nearest quarter.
public struct Orientation: Sendable, Equatable {
  /// Clockwise, 0 to 3, done after mirroring.
  public var quarterTurns: Int
  /// Left and right are swapped.
  public var mirrored: Bool

  public init(quarterTurns: Int = 0, mirrored: Bool = false) {
    self.quarterTurns = quarterTurns
    self.mirrored = mirrored
  }

  /// The left upper part of the matrix: a source step to the right goes to (a, b), one down to (c, d), y
  /// downwards.
  public init(matrix a: Double, _ b: Double, _ c: Double, _ d: Double) {
    mirrored = a * d - b * c < 0
    let (x, y) = mirrored ? (-a, -b) : (a, b)
    if abs(x) >= abs(y) {
      quarterTurns = x < 0 ? 2 : 0
    } else {
      quarterTurns = y > 0 ? 1 : 3
    }
  }

  public static let upright = Orientation()

  public var swapsSides: Bool { quarterTurns % 2 == 1 }
}

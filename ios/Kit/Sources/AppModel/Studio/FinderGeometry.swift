/// How a picture of the sensor lies: turned by quarters, and perhaps as in a mirror. Whole turns only, so
/// that every way of writing it down (degrees, Exif, a matrix) says exactly the same.
public struct PictureTurn: Equatable, Sendable {
  /// Clockwise, 0…3.
  public let quarters: Int
  /// Seen as in a mirror, after it is turned.
  public let isMirrored: Bool

  public init(quarters: Int, isMirrored: Bool = false) {
    self.quarters = ((quarters % 4) + 4) % 4
    self.isMirrored = isMirrored
  }

  /// The nearest quarter; what is no number is none.
  public init(degrees: Double, isMirrored: Bool = false) {
    let whole = degrees.isFinite ? (degrees.truncatingRemainder(dividingBy: 360) / 90).rounded() : 0
    self.init(quarters: Int(whole), isMirrored: isMirrored)
  }

  public var swapsSides: Bool { quarters % 2 == 1 }

  /// As Exif numbers it (`CGImagePropertyOrientation`).
  public var exif: Int32 {
    isMirrored ? [2, 5, 4, 7][quarters] : [1, 6, 3, 8][quarters]
  }

  /// The matrix of a track in a file (a, b, c, d, tx, ty: x' = a·x + c·y + tx) that shows a picture of this
  /// size turned, its corner at zero.
  public func matrix(width: Double, height: Double) -> [Double] {
    switch quarters {
    case 1: [0, 1, -1, 0, height, 0]
    case 2: [-1, 0, 0, -1, width, height]
    case 3: [0, -1, 1, 0, 0, width]
    default: [1, 0, 0, 1, 0, 0]
    }
  }

  /// What a track's matrix says. One that does more than turn and mirror is taken for the nearest.
  public init(matrix a: Double, _ b: Double, _ c: Double, _ d: Double) {
    let isMirrored = a * d - b * c < 0
    // Of a mirrored one: turned first, then mirrored from left to right.
    let (x, y) = isMirrored ? (-a, b) : (a, b)
    let isUpright = abs(x) >= abs(y)
    let quarters = isUpright ? (x >= 0 ? 0 : 2) : (y >= 0 ? 1 : 3)
    self.init(quarters: quarters, isMirrored: isMirrored)
  }
}

/// Where a finger is on the sensor's picture, which fills the finder.
public struct FinderGeometry: Equatable, Sendable {
  public let turn: PictureTurn
  /// Of the picture as it lies in the sensor, px.
  public let width: Double
  public let height: Double

  public init(turn: PictureTurn, width: Double, height: Double) {
    self.turn = turn
    self.width = width
    self.height = height
  }

  /// A point of a finder of this size → a place in the sensor's picture, 0…1 from its upper left.
  public func place(x: Double, y: Double, inWidth finderWidth: Double, height finderHeight: Double)
    -> (x: Double, y: Double)
  {
    let (wide, high) = turn.swapsSides ? (height, width) : (width, height)
    guard wide > 0, high > 0, finderWidth > 0, finderHeight > 0, x.isFinite, y.isFinite else {
      return (0.5, 0.5)
    }
    let scale = max(finderWidth / wide, finderHeight / high)
    var u = (x - finderWidth / 2) / (wide * scale) + 0.5
    let v = min(max((y - finderHeight / 2) / (high * scale) + 0.5, 0), 1)
    u = min(max(u, 0), 1)
    if turn.isMirrored { u = 1 - u }
    switch turn.quarters {
    case 1: return (v, 1 - u)
    case 2: return (1 - u, 1 - v)
    case 3: return (1 - v, u)
    default: return (u, v)
    }
  }
}

/// A zoom under two fingers, within what the camera has.
public struct ZoomScale: Equatable, Sendable {
  /// Beyond this a picture is only larger, not richer.
  static let most = 8.0

  public private(set) var factor = 1.0
  public private(set) var range: ClosedRange<Double> = 1...1
  private var begun: Double?

  public init() {}

  public mutating func use(_ range: ClosedRange<Double>) {
    let low = range.lowerBound.isFinite ? max(0.1, range.lowerBound) : 1
    let high = range.upperBound.isFinite ? range.upperBound : low
    self.range = low...max(low, min(high, Self.most))
    set(1)
    begun = nil
  }

  public mutating func set(_ factor: Double) {
    guard factor.isFinite else { return }
    self.factor = min(max(factor, range.lowerBound), range.upperBound)
  }

  /// `scale`: how far the fingers are apart now, of what they were at first.
  public mutating func pinch(by scale: Double) {
    let from = begun ?? factor
    begun = from
    set(from * scale)
  }

  public mutating func endPinch() { begun = nil }

  /// "1.5×".
  public var text: String {
    let tenths = Int((factor * 10).rounded())
    return tenths % 10 == 0 ? "\(tenths / 10)×" : "\(tenths / 10).\(tenths % 10)×"
  }
}

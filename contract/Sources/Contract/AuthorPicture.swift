/// The face that somebody gave themselves: a square JPEG in two sizes, each cached for ever. Another picture
/// has other addresses.
public struct AuthorPicture: Codable, Sendable, Equatable {
  /// Pixels of a side: sharp beside a name, on any screen.
  public static let smallSide = 128
  /// Pixels of a side: for the head of a profile.
  public static let largeSide = 512

  /// `#rrggbb`, the mean of the picture: what is there until it has come.
  public var color: String
  public var largeUrl: String
  public var smallUrl: String

  public init(color: String, largeUrl: String, smallUrl: String) {
    self.color = color
    self.largeUrl = largeUrl
    self.smallUrl = smallUrl
  }
}

/// Which square of a picture somebody wants to be seen by, of the picture as people see it: turned upright.
/// What would reach over an edge is moved inside.
public struct PictureCrop: Sendable, Equatable {
  /// Its left and upper edge, as a part of the width and of the height; nil: it lies in the middle.
  public var x: Double?
  public var y: Double?
  /// Its side, as a part of the picture's shorter one.
  public var size: Double

  public init(x: Double? = nil, y: Double? = nil, size: Double = 1) {
    self.x = x
    self.y = y
    self.size = size
  }
}

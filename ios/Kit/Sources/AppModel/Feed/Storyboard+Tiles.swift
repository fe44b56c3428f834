public import Contract

extension Storyboard {
  /// Beyond these no server of ours goes; a larger picture is not asked for.
  static let largestSide = 16_384
  static let largestPixels = 40_000_000

  /// Where in the picture an instant is shown, in pixels; `nil` for numbers that make no sense.
  public func tile(atMilliseconds position: Int64) -> (x: Int, y: Int, width: Int, height: Int)? {
    guard isSane else { return nil }
    let number = Int(clamping: min(max(position, 0) / Int64(intervalMs), Int64(count - 1)))
    return (number % columns * tileWidth, number / columns * tileHeight, tileWidth, tileHeight)
  }

  /// The whole picture's size, in pixels.
  public var size: (width: Int, height: Int)? {
    isSane ? (columns * tileWidth, (count + columns - 1) / columns * tileHeight) : nil
  }

  private var isSane: Bool {
    guard (1...2_048).contains(tileWidth), (1...2_048).contains(tileHeight), (1...1_024).contains(columns),
      (1...4_096).contains(count), (1...3_600_000).contains(intervalMs)
    else { return false }
    let (wide, tall) = (columns * tileWidth, (count + columns - 1) / columns * tileHeight)
    return wide <= Self.largestSide && tall <= Self.largestSide && wide * tall <= Self.largestPixels
  }
}

internal import Contract
public import Foundation

/// Pictures of a clip in one file, some of which can be its cover.
public struct CoverSheet: Equatable, Sendable {
  public struct Picture: Equatable, Identifiable, Sendable {
    /// In ms; the first one is the poster.
    public let time: Int
    /// Where it lies, in pixels of the file.
    public let x: Int
    public let y: Int
    public let width: Int
    public let height: Int

    public var id: Int { time }
  }

  /// As the strip before publishing has.
  private static let most = 8

  public let data: Data
  /// Of the whole file, in pixels.
  public let width: Int
  public let height: Int
  public let pictures: [Picture]

  public init(data: Data, width: Int, height: Int, pictures: [Picture]) {
    self.data = data
    self.width = width
    self.height = height
    self.pictures = pictures
  }

  /// From the first to the last, as far apart as they can be; `nil` for numbers that make no sense.
  static func pictures(of board: Storyboard) -> [Picture]? {
    guard board.size != nil else { return nil }
    let count = min(board.count, most)
    return (0..<count).compactMap { number in
      let tile = count > 1 ? number * (board.count - 1) / (count - 1) : 0
      let time = tile * board.intervalMs
      guard Limits.coverMs.contains(time), let place = board.tile(atMilliseconds: Int64(time)) else {
        return nil
      }
      return Picture(time: time, x: place.x, y: place.y, width: place.width, height: place.height)
    }
  }
}

internal import Contract
internal import Platform

/// Which instants of a clip its storyboard shows, and how the tiles lie: enough to find a moment by, small
/// enough to be loaded by whoever only touches the time line.
public struct StoryboardPlan: Sendable, Equatable {
  /// Tiles in all and in a row.
  public let count: Int
  public let columns: Int
  public let tile: (width: Int, height: Int)
  public let intervalMs: Int
  /// By tile the frame that it shows, counted from 0 in the order in which they are seen.
  public let frames: [Int]

  /// The most tiles, and the shortest time between two: a longer clip has longer steps.
  static let mostTiles = 60
  static let shortestMs = 250
  /// Pixels of a tile: of its shorter side, but no more than these of the longer.
  static let edge = 96.0
  static let longEdge = 256.0
  /// What the image should not exceed, in bytes.
  public static let targetBytes = 160_000

  public var rows: Int { (count + columns - 1) / columns }

  init(_ rendition: Rendition, durationMs: Int) {
    self.init(
      width: rendition.width, height: rendition.height, rate: rendition.frameRate, durationMs: durationMs)
  }

  /// Of the ladder's first step, while that is made.
  init(_ ladder: Ladder) {
    let step = ladder.steps[0]
    self.init(
      width: step.width, height: step.height, rate: step.rate.perSecond,
      durationMs: Int(clamping: ladder.duration * 1000))
  }

  private init(width: Int, height: Int, rate: Double, durationMs: Int) {
    // Steps on a grid of 50 ms read well and meet frames at 20, 40 and 60 per second.
    let even = (durationMs + Self.mostTiles - 1) / Self.mostTiles
    intervalMs = max(Self.shortestMs, (even + 49) / 50 * 50)
    let interval = intervalMs
    count = max(1, (durationMs + interval - 1) / interval)
    columns = min(10, count)
    let clock = FrameClock(rate: rate, durationMs: durationMs)
    frames = (0..<count).map { clock.frame(atMs: $0 * interval) }
    let (short, long) = (min(width, height), max(width, height))
    let scale = min(1, Self.edge / Double(short), Self.longEdge / Double(long))
    tile = (Self.even(Double(width) * scale), Self.even(Double(height) * scale))
  }

  /// The storyboard as WebVTT, beside the image with this name.
  func webVTT(image: String, durationMs: Int) -> String {
    let cues = (0..<count).map { number in
      let end = number == count - 1 ? max(durationMs, number * intervalMs + 1) : (number + 1) * intervalMs
      let (x, y) = (number % columns * tile.width, number / columns * tile.height)
      return "\(Self.time(number * intervalMs)) --> \(Self.time(end))\n"
        + "\(image)#xywh=\(x),\(y),\(tile.width),\(tile.height)\n"
    }
    return "WEBVTT\n\n" + cues.joined(separator: "\n")
  }

  /// Half the colours of a JPEG lie on every second pixel: an odd tile would take some of its neighbour's.
  private static func even(_ side: Double) -> Int { max(2, Int(clamping: side / 2) * 2) }

  private static func time(_ ms: Int) -> String {
    func digits(_ value: Int, _ count: Int) -> String {
      String(repeating: "0", count: max(0, count - "\(value)".count)) + "\(value)"
    }
    return "\(digits(ms / 3_600_000, 2)):\(digits(ms / 60_000 % 60, 2)):\(digits(ms / 1000 % 60, 2))"
      + ".\(digits(ms % 1000, 3))"
  }

  public static func == (left: Self, right: Self) -> Bool {
    left.count == right.count && left.columns == right.columns && left.tile == right.tile
      && left.intervalMs == right.intervalMs && left.frames == right.frames
  }
}

/// Which frame of a constant rate is seen at an instant.
struct FrameClock {
  let rate: Double
  let durationMs: Int

  /// An instant behind the end has the last one.
  func frame(atMs ms: Int) -> Int {
    let last = Int(clamping: Double(durationMs) * rate / 1000) - 1
    // NB: the descriptor's rates have three digits (29.97); a frame that begins at that instant must not be
    // missed by it.
    return max(0, min(last, Int(clamping: (Double(ms) * rate / 1000 + 0.01).rounded(.down))))
  }
}

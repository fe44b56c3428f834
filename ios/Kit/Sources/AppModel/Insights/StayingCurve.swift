internal import Contract

/// How many of those who start a clip are still there, second by second, as it is drawn. Shares are 0 to 1.
public struct StayingCurve: Equatable, Sendable {
  /// A place in the picture: 0 is where time begins, and the bottom.
  public struct Point: Equatable, Sendable {
    public let x: Double
    public let y: Double
  }

  /// How much of the clip was watched in the mean, and of the visits those that came to its end.
  public let watched: Double
  public let completed: Double
  /// By second, from 0 on.
  public let shares: [Double]
  /// Where the clip ends; behind it people watch it again. `nil`: the curve ends before.
  public let end: Double?
  /// The last second of the clip that the curve has.
  private let endSecond: Int

  private static let millionths = 1_000_000.0
  /// The server has at most so many seconds.
  private static let most = 128

  /// `nil`: there is nothing to draw.
  init?(_ staying: ClipInsights.Staying, durationMs: Int) {
    guard !staying.retention.isEmpty else { return nil }
    watched = Self.share(staying.watchedShare)
    completed = Self.share(staying.completionShare)
    shares = staying.retention.prefix(Self.most).map(Self.share)
    let last = shares.count - 1
    let seconds = Double(max(0, durationMs)) / 1_000
    end = last > 0 && seconds < Double(last) ? seconds / Double(last) : nil
    endSecond = min(last, max(0, durationMs) / 1_000)
  }

  /// The last second of the picture.
  public var seconds: Int { shares.count - 1 }

  /// From where time begins to where it ends.
  public var points: [Point] {
    // One number is a line, too.
    guard shares.count > 1 else { return [Point(x: 0, y: shares[0]), Point(x: 1, y: shares[0])] }
    return shares.enumerated().map { Point(x: Double($0.offset) / Double(seconds), y: $0.element) }
  }

  /// What somebody hears who does not see the picture: half way, and at the end of the clip.
  public var halfWay: Double { shares[endSecond / 2] }
  public var atEnd: Double { shares[endSecond] }

  private static func share(_ millionths: Int) -> Double {
    min(1, max(0, Double(millionths) / Self.millionths))
  }
}

/// What a run of a conversion may cost, from the pixels that it reads and writes: a short clip is not given
/// an hour in which nothing else is converted.
public struct ConversionBudget: Sendable, Equatable {
  /// Pixels whose encoding takes as long as the run.
  let pixels: Double
  private let isAwaited: Bool

  /// A small computer of two slow cores encodes twice as much.
  static let pixelsPerSecond = 12_000_000.0
  /// For starting, and for files that are slow to open.
  static let leastSeconds = 60.0
  static let mostSeconds = 3600.0
  /// For waiting, on a machine that is busy with something else: processor time bounds what a file may cost,
  /// and a clip that had to wait is not refused for it.
  static let waitingSeconds = 300.0
  /// A minute of 1080p at 30 frames has 9.3 billion: such a conversion never stands back.
  static let usualPixels = 12_000_000_000.0

  /// `ladder`: what this run makes. What is not awaited works beside what is, with what that leaves.
  public init(_ ladder: Ladder, of report: SourceReport, isAwaited: Bool = true) {
    let video = report.video
    let frame = Double(video.width) * Double(video.height)
    // Frames that are decoded and left out cost as well.
    let extra = max(0, min(video.averageRate, 1000) - ladder.rate.perSecond)
    // HDR is mapped as floating point numbers, frame by frame in the source's size.
    let mapping = ["smpte2084", "arib-std-b67"].contains(video.transfer) ? 0.7 * ladder.rate.perSecond : 0
    let perSecond = ladder.effort(decoding: video) + frame * (0.3 * extra + mapping)
    pixels = perSecond * ladder.duration
    self.isAwaited = isAwaited
  }

  public var wallSeconds: Double {
    let work = pixels / Self.pixelsPerSecond * (isAwaited ? 1 : 2)
    return min(Self.waitingSeconds + work, Self.mostSeconds)
  }

  /// Of all threads together.
  public var cpuSeconds: UInt64 {
    UInt64(min(Self.leastSeconds + 2 * pixels / Self.pixelsPerSecond, Self.mostSeconds).rounded(.up))
  }

  /// Of its job: how many usual conversions more it takes, so that costly files, whoever brings them, wait
  /// for the others.
  public var priority: Int64 { Int64(min(pixels / Self.usualPixels, 1000).rounded(.down)) }
}

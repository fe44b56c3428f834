internal import Platform

/// What is to be made of a source: which renditions, at which size and rate, with key frames where.
public struct Ladder: Sendable, Equatable {
  /// One rendition to encode.
  public struct Step: Sendable, Equatable {
    public var name: String
    public var width: Int
    public var height: Int
    public var rate: FrameRate
    /// Frames are taken from the top rate: every one, or every second.
    public var everySecondFrame: Bool
    /// Cap of the whole stream in bits per second, audio and container included.
    public var capBps: Int
    public var audioBps: Int

    /// What it adds to the work: its pixels, and its sound and scaling, which take as long as 0.2 megapixels
    /// a frame.
    public var effort: Double { (Double(width * height) + 200_000) * rate.perSecond }
  }

  public var steps: [Step]
  /// The rate at which the source is decoded once for all.
  public var rate: FrameRate
  /// Frames at `rate`; a multiple of two if any step takes every second one, so that all steps are equally
  /// long.
  public var frames: Int
  /// Seconds at which every rendition has a key frame and a segment starts, from 0.
  public var cuts: [Double]

  public var duration: Double { Double(frames) * Double(rate.denominator) / Double(rate.numerator) }

  /// The same cuts and the same length, with these steps alone.
  func only(_ steps: some Sequence<Step>) -> Ladder {
    var ladder = self
    ladder.steps = Array(steps)
    return ladder
  }

  /// The step that the poster is a frame of: 540 is sharp enough on a phone while the video is on its way.
  public var posterPlace: Int { steps.lastIndex { min($0.width, $0.height) <= 540 } ?? 0 }

  /// Of the picture that becomes the poster's placeholder.
  public var posterThumbnail: (width: Int, height: Int) {
    ThumbHash.size(of: (steps[posterPlace].width, steps[posterPlace].height))
  }

  /// How much work the steps are when they are made in one go, as the pixels per second whose encoding takes
  /// as long: for a progress that grows evenly. Decoding a pixel takes a third of encoding it (decision 6).
  public func effort(decoding video: SourceReport.Video) -> Double {
    guard !steps.isEmpty else { return 0 }
    return steps.reduce(Double(video.width * video.height) * 0.3 * rate.perSecond) { $0 + $1.effort }
  }

  /// Short edge, cap, audio. From the design: 3G carries 360, a phone on wifi shows 1080.
  static let rungs: [(edge: Int, capBps: Int, audioBps: Int)] = [
    (360, 600_000, 96_000), (540, 1_500_000, 96_000), (720, 3_000_000, 128_000), (1080, 6_000_000, 128_000),
  ]

  /// From this short edge on, up to 60 frames a second are kept; below it 30 are enough on a small screen.
  static let fastEdge = 720

  public init(_ report: SourceReport) {
    let (width, height) = Self.displaySize(report.video)
    let edge = min(width, height)
    // Phones write 1078 or 716 for a crop; a few missing pixels are no reason to lose a rung.
    let chosen = Self.rungs.filter { Double($0.edge) <= Double(edge) * 1.02 }
    let rungs = chosen.isEmpty ? [Self.rungs[0]] : chosen
    let source = FrameRate.kept(nominal: report.video.nominalRate, average: report.video.averageRate)
    let isFast = source.perSecond > 31
    let top =
      isFast && rungs.contains { $0.edge >= Self.fastEdge } ? source : (isFast ? source.halved : source)
    let halves = isFast && top == source && rungs.contains { $0.edge < Self.fastEdge }

    rate = top
    let unit = halves ? 2 : 1
    frames = max(1, Int(clamping: report.duration * top.perSecond / Double(unit))) * unit
    steps = rungs.map { rung in
      let scale = min(1, Double(rung.edge) / Double(edge))
      let slow = halves && rung.edge < Self.fastEdge
      return Step(
        name: String(rung.edge), width: Self.even(Double(width) * scale),
        height: Self.even(Double(height) * scale),
        rate: slow ? top.halved : top, everySecondFrame: slow, capBps: rung.capBps,
        audioBps: report.audioIndex == nil ? 0 : rung.audioBps)
    }
    cuts = Self.cuts(rate: halves ? top.halved : top, frames: frames / unit)
  }

  /// First segment 1 s (a small first request), then 2 s (fewer key frames): 0, 1, 3, 5, … on the grid of the
  /// slowest rendition, so that every rendition has a frame at exactly that instant.
  private static func cuts(rate: FrameRate, frames: Int) -> [Double] {
    var cuts = [0.0]
    // NB: a whisker less before rounding up, or 1 s of 30 frames would become 31 by an error in the last
    // digit.
    var frame = Int(clamping: (rate.perSecond - 0.001).rounded(.up))
    let step = Int(clamping: (2 * rate.perSecond - 0.001).rounded(.up))
    // What is left must be worth a segment: a tail of two frames would cost a request and a key frame.
    while Double(frames - frame) / rate.perSecond >= 0.25 {
      cuts.append(Double(frame * rate.denominator) / Double(rate.numerator))
      frame += step
    }
    return cuts
  }

  /// Size as a person sees it: square pixels, turned the right way.
  static func displaySize(_ video: SourceReport.Video) -> (Int, Int) {
    let wide = max(2, Int(clamping: Double(video.width) * video.sampleAspect))
    return video.orientation.swapsSides ? (video.height, wide) : (wide, video.height)
  }

  private static func even(_ side: Double) -> Int {
    max(2, Int(clamping: side / 2) * 2)
  }
}

/// Frames per second as an exact fraction.
public struct FrameRate: Sendable, Equatable {
  public var numerator: Int
  public var denominator: Int

  public init(_ numerator: Int, _ denominator: Int = 1) {
    self.numerator = numerator
    self.denominator = denominator
  }

  public var perSecond: Double { Double(numerator) / Double(denominator) }
  var halved: FrameRate {
    numerator % 2 == 0 ? FrameRate(numerator / 2, denominator) : FrameRate(numerator, denominator * 2)
  }

  static let usual = [
    FrameRate(24000, 1001), FrameRate(24), FrameRate(25), FrameRate(30000, 1001), FrameRate(30),
    FrameRate(48),
    FrameRate(50), FrameRate(60000, 1001), FrameRate(60),
  ]

  /// The constant rate that stands for a source. Phones vary around a nominal rate; a source that claims an
  /// absurd nominal rate (1000 for WebM from a browser) is taken by its average.
  static func kept(nominal: Double, average: Double) -> FrameRate {
    // In the dark a phone leaves frames out; what is there still lies on the grid of its nominal rate.
    // Repeating a frame costs next to nothing, moving it off the grid is seen. At 60 that would be a lot of
    // repeating.
    let most = nominal <= 31 ? 4.0 : 1.5
    let plausible = nominal >= 1 && nominal <= 61 && nominal >= average * 0.9 && nominal <= average * most
    let wanted = plausible ? nominal : average
    guard wanted.isFinite, wanted > 0 else { return FrameRate(30) }
    if wanted > 60.5 {
      // 120 and 240 are halved until they fit, which keeps every second (fourth) frame exactly.
      var slower = wanted
      while slower > 60.5 { slower /= 2 }
      return kept(nominal: slower, average: slower)
    }
    // Of two usual rates that are near (29.97 and 30) the nearest wins.
    let nearest = usual.min { abs($0.perSecond - wanted) < abs($1.perSecond - wanted) }!
    if abs(nearest.perSecond - wanted) / wanted < 0.02 { return nearest }
    return FrameRate(Int(clamping: min(max(wanted, 5), 60) * 2), 2)
  }
}

public import CoreTypes

/// What a person chose for the next visit too.
struct StudioPreferences: Codable, Equatable, Sendable {
  var look = LookChoice.plain
  var frameRate = CaptureFormats.frameRates[0]
  var hasSound = true
}

/// Which of a camera's formats clips are recorded in.
public enum CaptureFormats {
  public struct Format: Equatable, Sendable {
    /// As the picture lies in the sensor, px.
    public var width: Int
    public var height: Int
    public var frameRates: [ClosedRange<Double>]
    /// Ten bits a colour. Clips have eight: what follows (looks, encoders, other devices) is made for those.
    public var isDeep: Bool

    public init(width: Int, height: Int, frameRates: [ClosedRange<Double>], isDeep: Bool) {
      self.width = width
      self.height = height
      self.frameRates = frameRates
      self.isDeep = isDeep
    }

    func has(_ rate: Int) -> Bool { frameRates.contains { $0.contains(Double(rate)) } }
  }

  /// For people to choose from, the first by default: twice as many cost twice the bytes.
  public static let frameRates = [30, 60]
  static let width = 1920
  static let height = 1080

  /// The one of 1920 × 1080 at this rate; else at a lower one; else the nearest below that size, and at last
  /// whatever there is. `nil`: there is none.
  public static func choose(_ formats: [Format], frameRate: Int) -> (index: Int, frameRate: Int)? {
    let rates = [frameRate] + frameRates.filter { $0 < frameRate }.reversed()
    for rate in rates {
      if let index = best(formats, rate) { return (index, rate) }
    }
    guard let index = formats.indices.first(where: { !formats[$0].isDeep }) ?? formats.indices.first else {
      return nil
    }
    let fastest = formats[index].frameRates.map(\.upperBound).max() ?? 30
    return (index, fastest.isFinite ? Int(min(max(fastest, 1), Double(frameRate))) : frameRate)
  }

  /// The largest that is no larger than wanted.
  private static func best(_ formats: [Format], _ rate: Int) -> Int? {
    formats.indices.filter {
      let format = formats[$0]
      return !format.isDeep && format.width <= width && format.height <= height && format.has(rate)
    }.max { formats[$0].width * formats[$0].height < formats[$1].width * formats[$1].height }
  }

  /// Those of the rates to choose from that it has at the size of the best.
  public static func rates(_ formats: [Format]) -> [Int] {
    guard let best = best(formats, frameRates[0]) else { return [] }
    let size = (formats[best].width, formats[best].height)
    return frameRates.filter { rate in
      formats.contains { !$0.isDeep && ($0.width, $0.height) == size && $0.has(rate) }
    }
  }

  /// Bits a second that a clip is recorded in: twice and more what it is published in, since it is encoded
  /// once more.
  public static func rate(width: Int, height: Int, frameRate: Int) -> BitsPerSecond {
    let isSharp = min(width, height) > VideoPreset.medium.shortEdge
    let base: Int64 = isSharp ? 12_000_000 : 8_000_000
    return BitsPerSecond(frameRate > CaptureFormats.frameRates[0] ? base * 4 / 3 : base)
  }

  /// Bytes that have to be free before a clip is begun: half a minute of the sharpest, so that one that is
  /// begun can be ended and made into a video.
  public static let room: Int64 = 60_000_000
}

/// What becomes of each picture and each sound that the camera hands over while a clip is recorded. Times in
/// ns on the camera's clock.
public struct CaptureTimeline: Sendable {
  public enum Answer: Equatable, Sendable {
    /// The clip begins with it.
    case begin
    case append
    case drop
    /// It is not part of the clip any more: the clip is complete.
    case end
  }

  private let longest: Int64
  private var start: Int64?
  private var lastPicture: Int64 = .min
  private var lastSound: Int64 = .min
  private var gap: Int64 = 0

  public init(longest: Milliseconds) {
    self.longest = saturatingProduct(max(.zero, longest).rawValue, 1_000_000)
  }

  public mutating func picture(at time: Int64) -> Answer {
    guard let start else {
      self.start = time
      lastPicture = time
      return .begin
    }
    // A camera that was taken away for a moment may hand over one of before.
    guard time > lastPicture else { return .drop }
    guard saturatingSum(time, saturatingNegation(start)) < longest else { return .end }
    gap = saturatingSum(time, saturatingNegation(lastPicture))
    lastPicture = time
    return .append
  }

  /// A clip begins with its first picture: a player would show black before it.
  public mutating func sound(at time: Int64) -> Answer {
    guard let start, time >= start, time > lastSound else { return .drop }
    guard saturatingSum(time, saturatingNegation(start)) < longest else { return .drop }
    lastSound = time
    return .append
  }

  /// From the first picture to the end of the last, which stays as long as the one before it.
  public var length: Milliseconds {
    guard let start else { return .zero }
    let whole = saturatingSum(saturatingSum(lastPicture, saturatingNegation(start)), gap)
    return Milliseconds(min(whole, longest) / 1_000_000)
  }
}

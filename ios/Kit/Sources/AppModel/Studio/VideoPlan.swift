public import CoreTypes
public import Foundation
internal import Recording

/// What a video is made of: parts of files one behind the other, and what shape they get. Making it, playing
/// it and taking pictures of it all go by the plan.
public struct VideoPlan: Equatable, Sendable {
  public struct Part: Equatable, Sendable {
    public var file: URL
    /// Where in the file it begins.
    public var start: Milliseconds
    /// How much of the file is used, from there.
    public var captured: Milliseconds
    /// How long that lasts in the video.
    public var played: Milliseconds

    public init(file: URL, start: Milliseconds = .zero, captured: Milliseconds, played: Milliseconds) {
      self.file = file
      self.start = start
      self.captured = captured
      self.played = played
    }
  }

  public var parts: [Part]
  public var target: VideoTarget
  /// Pictures of another shape fill the video and lose their edges; else they are seen whole, on black.
  public var fills: Bool

  public init(parts: [Part], target: VideoTarget, fills: Bool) {
    self.parts = parts
    self.target = target
    self.fills = fills
  }

  /// A whole file in another size, or as sharp as it is.
  public init(file: URL, facts: ClipFacts, target: VideoTarget) {
    self.init(
      parts: [Part(file: file, captured: facts.length, played: facts.length)], target: target, fills: false)
  }

  public var length: Milliseconds { parts.reduce(.zero) { $0 + $1.played } }

  /// The same of the part of the video between these two.
  public func cut(from: Milliseconds, to: Milliseconds) -> VideoPlan {
    var plan = self
    plan.parts = []
    var at = Milliseconds.zero
    for part in parts {
      let begin = max(from, at) - at
      let end = min(to, at + part.played) - at
      at += part.played
      guard begin < end else { continue }
      var cut = part
      // NB: the last millisecond of a part stays the last one, whatever the speed.
      let first = part.fileTime(begin)
      let last = end == part.played ? part.captured : part.fileTime(end)
      guard first < last else { continue }
      cut.start = part.start + first
      cut.captured = last - first
      cut.played = end - begin
      plan.parts.append(cut)
    }
    return plan
  }
}

extension VideoPlan.Part {
  /// From the part's beginning, of the video → of the file.
  func fileTime(_ played: Milliseconds) -> Milliseconds {
    guard self.played > .zero else { return .zero }
    return Milliseconds((played * captured.rawValue).rawValue / self.played.rawValue)
  }
}

/// What a file has in it, as somebody read it. Numbers of strangers' files are brought into their ranges
/// here.
public struct ClipFacts: Equatable, Sendable {
  /// Of the longest file that is looked at at all.
  private static let longest = Milliseconds(24 * 3_600_000)

  public let length: Milliseconds
  /// As it is shown, px.
  public let width: Int
  public let height: Int
  public let frameRate: Int

  /// `nil`: there is nothing in it that can be seen.
  public init?(seconds: Double, width: Double, height: Double, frameRate: Double) {
    guard seconds.isFinite, width.isFinite, height.isFinite, seconds > 0, width.magnitude >= 1,
      height.magnitude >= 1
    else { return nil }
    let most = Double(Self.longest.rawValue) / 1_000
    length = Milliseconds(Int64(min(seconds, most) * 1_000))
    guard length >= Milliseconds(1) else { return nil }
    self.width = Int(min(width.magnitude, 65_536))
    self.height = Int(min(height.magnitude, 65_536))
    self.frameRate = frameRate.isFinite ? Int(min(max(frameRate.rounded(), 1), 240)) : 30
  }
}

/// How a video is encoded.
public struct VideoTarget: Equatable, Sendable {
  /// px, both even as codecs want it.
  public var width: Int
  public var height: Int
  public var frameRate: Int
  public var rate: BitsPerSecond

  public init(width: Int, height: Int, frameRate: Int, rate: BitsPerSecond) {
    self.width = Self.even(width)
    self.height = Self.even(height)
    self.frameRate = min(max(frameRate, 1), VideoPreset.fastest)
    self.rate = rate
  }

  private static func even(_ length: Int) -> Int { max(2, (length + 1) / 2 * 2) }
}

/// Sizes of finished videos. A minute of the largest stays below the size that the server takes.
public enum VideoPreset: CaseIterable, Sendable {
  case small
  case medium
  case large

  public static let fastest = 60
  /// Bits of sound in a second.
  public static let soundRate = BitsPerSecond(128_000)

  public var longEdge: Int {
    switch self {
    case .small: 960
    case .medium: 1280
    case .large: 1920
    }
  }

  public var shortEdge: Int {
    switch self {
    case .small: 540
    case .medium: 720
    case .large: 1080
    }
  }

  public var rate: BitsPerSecond {
    switch self {
    case .small: BitsPerSecond(1_500_000)
    case .medium: BitsPerSecond(3_000_000)
    case .large: BitsPerSecond(6_000_000)
    }
  }

  /// The smallest into which a picture of this size fits as it is; else the largest.
  public static func covering(width: Int, height: Int) -> VideoPreset {
    allCases.first { max(width, height) <= $0.longEdge && min(width, height) <= $0.shortEdge } ?? .large
  }

  /// A picture of this size in this preset: its shape stays, and nothing is enlarged.
  public func target(width: Int, height: Int, frameRate: Int) -> VideoTarget {
    let wide = max(1, min(width, 65_536))
    let high = max(1, min(height, 65_536))
    let long = max(wide, high)
    let short = min(wide, high)
    // Scaled by the tighter of the two edges: new = old × edge / side, if that makes it smaller.
    let byLong = long * shortEdge >= short * longEdge
    let (edge, side) = byLong ? (longEdge, long) : (shortEdge, short)
    guard side > edge else { return VideoTarget(width: wide, height: high, frameRate: frameRate, rate: rate) }
    return VideoTarget(
      width: (wide * edge + side / 2) / side, height: (high * edge + side / 2) / side, frameRate: frameRate,
      rate: rate)
  }

  /// What is recorded becomes an upright video, nine to sixteen, out of the middle of the picture.
  public static func upright(of facts: ClipFacts) -> VideoTarget {
    let height = min(facts.height, facts.width * 16 / 9, VideoPreset.large.longEdge)
    let width = height * 9 / 16
    let preset = covering(width: width, height: height)
    return preset.target(width: width, height: height, frameRate: facts.frameRate)
  }
}

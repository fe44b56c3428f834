public import CoreTypes

/// Decides what it means that AVPlayer gave an item up: bytes that were late, which are asked for again, each
/// time a little later; or a clip that nobody can play.
///
/// It refuses to know AVFoundation: an error is its domain and code, and those of what lies under it. How
/// late bytes are named differs: as URL loading has it, as the media framework under AVFoundation, or as
/// neither. So all is taken for late but what says of the clip itself that it cannot be decoded.
public struct ItemFailures: Sendable {
  public struct Cause: Equatable, Sendable {
    public let domain: String
    public let code: Int

    public init(domain: String, code: Int) {
      self.domain = domain
      self.code = code
    }
  }

  public enum Answer: Equatable, Sendable {
    case again(after: Milliseconds)
    case gone
  }

  /// A listener that is being made anew is there by the second.
  static let waits: [Milliseconds] = [Milliseconds(250), Milliseconds(1_000), Milliseconds(4_000)]
  /// `AVError`: decode failed, invalid source, format not recognized, content protected, no decoder, not
  /// supported for this asset.
  static let ofClips: Set<Int> = [-11_821, -11_822, -11_828, -11_831, -11_833, -11_838]

  private var count = 0

  public init() {}

  /// Another clip, or this one has played on: as if nothing had happened.
  public mutating func forget() { count = 0 }

  /// `causes`: the error and all that lies under it; none where AVPlayer does not say why.
  public mutating func failed(_ causes: [Cause]) -> Answer {
    let isOfClip = causes.contains {
      $0.domain == "AVFoundationErrorDomain" && Self.ofClips.contains($0.code)
    }
    guard !isOfClip, count < Self.waits.count else { return .gone }
    defer { count += 1 }
    return .again(after: Self.waits[count])
  }
}

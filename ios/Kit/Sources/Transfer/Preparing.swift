public import CoreTypes
public import Foundation

/// Makes a smaller file of the same video.
///
/// - The source stays as it is; the result is whole when the call returns, an MP4 at `target`.
/// - It has about `wanted` bytes if the video can be seen in so many, else as few as make sense. Where that
///   would spare hardly anything of `size`, it throws.
/// - Pictures keep their shape and way up, and are never enlarged; sound stays. What would lose more than
///   that (a high dynamic range) throws.
/// - `progress` is told a share of 1, seldom enough for a screen.
/// - It ends soon after its task was cancelled. Whatever it throws, nothing else need be cleaned up.
public protocol Compressor: Sendable {
  func compress(
    _ source: URL, of size: Bytes, to target: URL, wanted: Bytes,
    progress: @escaping @Sendable (Double) -> Void
  ) async throws
}

/// Makes a file of a part of a video, without encoding it where that can be done. Obligations as above, but
/// for size and pictures.
public protocol Trimmer: Sendable {
  func trim(
    _ source: URL, _ part: Range<Milliseconds>, to target: URL,
    progress: @escaping @Sendable (Double) -> Void
  ) async throws
}

/// Too much of a file of which a part would do: what somebody is to choose, and what they may.
public struct TrimOffer: Equatable, Sendable {
  public let file: URL
  public let duration: Milliseconds
  public let size: Bytes
  public let longest: Milliseconds
  public let largest: Bytes

  public init(file: URL, duration: Milliseconds, size: Bytes, longest: Milliseconds, largest: Bytes) {
    self.file = file
    self.duration = duration
    self.size = size
    self.longest = longest
    self.largest = largest
  }

  /// About what a part would take.
  public func expectedSize(of part: Range<Milliseconds>) -> Bytes {
    guard duration > .zero else { return size }
    let share = Double((part.upperBound - part.lowerBound).rawValue) / Double(duration.rawValue)
    return Bytes(Int64(Double(size.rawValue) * min(max(share, 0), 1)))
  }

  public func fits(_ part: Range<Milliseconds>) -> Bool {
    part.upperBound - part.lowerBound <= longest && expectedSize(of: part) <= largest
  }

  /// The first part that would do.
  public var suggestion: Range<Milliseconds> {
    var length = min(longest, duration)
    if size > largest, duration > .zero {
      let share = Double(largest.rawValue) / Double(size.rawValue)
      // A part begins at a key frame, so it may hold a little more than its share.
      length = min(length, Milliseconds(Int64(Double(duration.rawValue) * share * 0.95)))
    }
    return .zero..<max(length, Milliseconds(1))
  }
}

/// A moment of a video on this device.
public struct VideoMoment: Equatable, Sendable {
  public let file: URL
  public let time: Milliseconds

  public init(file: URL, time: Milliseconds) {
    self.file = file
    self.time = time
  }
}

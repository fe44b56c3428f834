internal import Contract
public import CoreTypes
internal import Recording

/// The part of a video that a person wants of it. It never grows beyond what a clip may have: the other
/// handle follows.
public struct TrimRange: Equatable, Sendable {
  public static let longest = Milliseconds(Int64(Limits.durationMs))
  /// A part is at least so long, if the whole is.
  public static let shortest = Recording.shortestVideo
  /// How far a person goes who cannot drag.
  public static let step = Milliseconds(100)

  public let length: Milliseconds
  public private(set) var start: Milliseconds
  public private(set) var end: Milliseconds

  public init(length: Milliseconds) {
    self.length = max(.zero, length)
    start = .zero
    end = min(self.length, Self.longest)
  }

  public var duration: Milliseconds { end - start }
  public var isWhole: Bool { start == .zero && end == length }
  private var least: Milliseconds { min(Self.shortest, length) }

  public mutating func moveStart(to instant: Milliseconds) {
    start = min(max(.zero, instant), length - least)
    end = min(max(end, start + least), start + Self.longest)
  }

  public mutating func moveEnd(to instant: Milliseconds) {
    end = min(max(least, instant), length)
    start = max(min(start, end - least), end - Self.longest)
  }

  /// Both ends at once.
  public mutating func move(toStart instant: Milliseconds) {
    let duration = self.duration
    start = min(max(.zero, instant), length - duration)
    end = start + duration
  }
}

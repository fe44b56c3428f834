public import CoreTypes

/// The line that shows how far the clip is, and takes a finger elsewhere in it.
public struct Scrubber: Equatable, Sendable {
  public private(set) var position = Milliseconds.zero
  public private(set) var duration = Milliseconds.zero
  /// A finger holds it: what plays does not move it.
  public private(set) var isHeld = false
  /// The last change was no step of playing: it is not glided to.
  public private(set) var jumps = true

  public init() {}

  /// Another clip is on the screen.
  public mutating func show(duration: Milliseconds) {
    self = Scrubber()
    self.duration = max(duration, .zero)
  }

  public mutating func played(to position: Milliseconds) {
    guard !isHeld else { return }
    let place = limited(position)
    // Not backwards over the seam of the loop.
    jumps = place < self.position
    self.position = place
  }

  /// `nil`: there is nothing to hold.
  public mutating func hold() -> Bool {
    guard duration > .zero, !isHeld else { return false }
    isHeld = true
    jumps = true
    return true
  }

  /// `share` of the line, 0 at its leading end; answers the place.
  public mutating func move(toShare share: Double) -> Milliseconds {
    let share = share.isFinite ? min(max(share, 0), 1) : 0
    position = limited(Milliseconds(Int64((Double(duration.rawValue) * share).rounded())))
    return position
  }

  /// For keys and assistive technology.
  public mutating func move(by step: Milliseconds) -> Milliseconds {
    position = limited(position + step)
    jumps = true
    return position
  }

  public mutating func letGo() { isHeld = false }

  public var share: Double {
    duration > .zero ? Double(position.rawValue) / Double(duration.rawValue) : 0
  }

  /// 75_000 → "1:15".
  public static func clock(_ time: Milliseconds) -> String {
    let seconds = max(time.rawValue, 0) / 1_000
    return "\(seconds / 60):\(seconds % 60 < 10 ? "0" : "")\(seconds % 60)"
  }

  public var text: String { "\(Self.clock(position)) / \(Self.clock(duration))" }

  private func limited(_ position: Milliseconds) -> Milliseconds {
    min(max(position, .zero), max(duration - Milliseconds(1), .zero))
  }
}

/// Whether the message bar stands on the keyboard or on the safe area. It follows the keyboard of its own
/// field alone, down to its end: whoever writes in a sheet over the feed does not lift the bar behind it.
public struct KeyboardFollowing: Equatable, Sendable {
  public private(set) var isFollowing = false

  public init() {}

  /// `keyboard`: how much of the lower part the keyboard takes, and `safeArea` what is taken without one.
  public mutating func update(isWriting: Bool, keyboard: Double, safeArea: Double) {
    isFollowing = isWriting || (isFollowing && keyboard > safeArea + 1)
  }
}

/// Where a sentence stands over a window: above the message bar and the controls of a sheet, and above a
/// keyboard that stands on the window's lower edge. In points, y downwards.
public enum AnnouncementPlace {
  /// Above the message bar, and above the controls of a sheet.
  static let rise = 120.0
  static let margin = 16.0

  /// The upper edge of a sentence so high. `keyboard`: from where to where it reaches; `nil`: there is none.
  public static func top(
    of height: Double, in window: Double, keyboard: (top: Double, bottom: Double)? = nil
  ) -> Double {
    var bottom = window - rise
    // One that floats, or is being taken away, covers nothing at the edge.
    if let keyboard, keyboard.bottom >= window - 1, keyboard.top < window {
      bottom = min(bottom, keyboard.top - margin)
    }
    return max(0, bottom - height)
  }
}

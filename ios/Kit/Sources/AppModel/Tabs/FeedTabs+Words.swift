public import Contract

/// What a tab is called.
extension FeedTab {
  public var title: Sentence {
    switch self {
    case .forYou: "For you"
    case .following: "Following"
    case .latest: "Latest"
    }
  }
}

/// What is said where a list has no clips: that it has none, and what to do.
extension FeedTabs.Nothing {
  public var words: [Sentence] {
    switch self {
    case .noClips: ["There are no clips yet."]
    case .followsNobody:
      [
        "You follow nobody yet.",
        "Tap Follow beside a name, and their clips come here, the newest first.",
      ]
    case .noClipsOfFollowed:
      [
        "No clips yet.",
        "The people you follow have no clips yet. New ones start here by themselves.",
      ]
    }
  }

  /// Whether another tab has clips.
  public var leadsElsewhere: Bool { self != .noClips }
}

/// Where a finger that moves to the side over the clip leads, in points: as on the web.
public enum TabSwipe {
  static let far = 56.0
  /// Farther to the side than up or down by so much.
  static let slope = 1.5
  /// From the edges systems go back and forward.
  static let edge = 24.0

  /// 1 to the tab behind, −1 to the one before, 0 nowhere. `start`: where the finger was put down.
  public static func step(
    x: Double, y: Double, from start: Double, width: Double, isRightToLeft: Bool
  ) -> Int {
    guard x.isFinite, y.isFinite, start >= edge, start <= width - edge, abs(x) >= far,
      abs(x) >= slope * abs(y)
    else { return 0 }
    return (x < 0) == isRightToLeft ? -1 : 1
  }
}

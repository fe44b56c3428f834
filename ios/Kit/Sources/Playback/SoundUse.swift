/// Who has the device's sound: the feed, the camera's microphone, or a video that is looked at before it is
/// uploaded; and how the system's session has to stand for that.
///
/// It refuses to know the session. What a call answers is how to set it now; `nil`: it stays as it is. There
/// is one for the app: two that do not know of each other leave the feed with the microphone's setting.
public struct SoundUse: Equatable, Sendable {
  public enum Setting: Equatable, Sendable {
    /// The app alone.
    case heard
    /// Beside what other apps play.
    case beside
  }

  /// As players asked for last; `nil`: they have not yet.
  private var feed: Setting?
  private var isReviewed = false
  private var isRecorded = false
  /// Counts uses of the microphone: the end of one may be told when the next has begun.
  private var recording = 0
  /// `nil`: nobody knows, since somebody else has set it.
  private var current: Setting?

  public init() {}

  public mutating func feedAsks(isHeard: Bool) -> Setting? {
    feed = isHeard ? .heard : .beside
    return due()
  }

  /// Whoever looks at their video wants to hear it.
  public mutating func reviewBegan() -> Setting? {
    isReviewed = true
    return due()
  }

  public mutating func reviewEnded() -> Setting? {
    isReviewed = false
    return due()
  }

  /// From now on the camera sets the session. Answers what `microphoneGone` is to be told.
  public mutating func microphoneTaken() -> Int {
    isRecorded = true
    current = nil
    recording += 1
    return recording
  }

  public mutating func microphoneGone(_ recording: Int) -> Setting? {
    guard recording == self.recording else { return nil }
    isRecorded = false
    return due()
  }

  /// The system has begun its media service anew, and knows of nothing.
  public mutating func wasReset() -> Setting? {
    current = nil
    return due()
  }

  /// The system did not let it be set so: the next call tries again.
  public mutating func wasRefused() { current = nil }

  private mutating func due() -> Setting? {
    guard !isRecorded, let wanted = isReviewed ? .heard : feed, wanted != current else { return nil }
    current = wanted
    return wanted
  }
}

public import Observation

/// Short sentences over whatever is shown, one after the other: that something failed, was copied, was
/// kept.
@MainActor @Observable public final class Announcements {
  public struct Announcement: Identifiable, Sendable {
    public let id: Int
    public let text: Sentence
    /// Offered beside it ("Undo", "Try again"), with what it does.
    public let action: (title: String, run: @MainActor @Sendable () -> Void)?
  }

  /// Whoever shows them takes the first away after some seconds.
  public private(set) var waiting: [Announcement] = []
  private var count = 0

  public init() {}

  /// The same sentence twice in a row is said once.
  public func post(_ text: Sentence, action: (title: String, run: @MainActor @Sendable () -> Void)? = nil) {
    if action == nil, waiting.last?.text == text { return }
    count += 1
    waiting.append(Announcement(id: count, text: text, action: action))
  }

  public func remove(_ id: Int) { waiting.removeAll { $0.id == id } }
}

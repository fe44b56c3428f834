public import Contract
public import Observation

/// Blocks people. It shows at once; what fails is taken back and said.
///
/// It refuses to know what two are kept apart in: the server leaves them out of whatever it answers from
/// then on, and whoever shows something of theirs hears of it.
@MainActor @Observable public final class Blocking {
  /// Those on their way to be blocked, or blocked in this run.
  public private(set) var gone: Set<String> = []

  @ObservationIgnored private let client: Client
  @ObservationIgnored private let announcements: Announcements
  @ObservationIgnored private let viewer: any ViewerPort
  @ObservationIgnored private var listeners: [(String) -> Void] = []

  public init(client: Client, viewer: any ViewerPort, announcements: Announcements) {
    self.client = client
    self.viewer = viewer
    self.announcements = announcements
  }

  /// `listener` hears of each author that the server has blocked: the feed takes their clips away.
  public func onBlocked(_ listener: @escaping (String) -> Void) { listeners.append(listener) }

  public func canBlock(_ author: Author?) -> Bool {
    guard let author, !author.id.isEmpty else { return false }
    return author.id != viewer.viewerID
  }

  /// They may be met again.
  public func forgive(_ author: String) { gone.remove(author) }

  /// True if it is so.
  @discardableResult public func block(_ author: Author) async -> Bool {
    gone.insert(author.id)
    do {
      _ = try await client.block(author.id)
    } catch {
      gone.remove(author.id)
      announcements.post(
        Sentence(
          "%1$@ was not blocked. %2$@",
          [.verbatim(author.name), .sentence(RequestFailure(error).sentence)]))
      return false
    }
    announcements.post(Sentence("%@ is blocked.", author.name))
    for listener in listeners { listener(author.id) }
    return true
  }
}

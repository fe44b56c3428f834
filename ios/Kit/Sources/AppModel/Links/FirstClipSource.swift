public import Contract
public import Playback
internal import Synchronization

/// The feed at a clip's own address: the clip comes first, and then the feed without it.
///
/// A clip that is gone leaves the feed as it is, and `onGone` says so; a connection that failed is for the
/// core to try again.
public final class FirstClipSource: FeedSource {
  private let link: ClipLink
  private let client: Client
  private let onGone: @MainActor @Sendable () -> Void
  private let isDone = Mutex(false)

  public init(_ link: ClipLink, client: Client, onGone: @escaping @MainActor @Sendable () -> Void) {
    self.link = link
    self.client = client
    self.onGone = onGone
  }

  public func page(after cursor: String?, limit: Int) async throws -> FeedPage {
    guard cursor == nil, !isDone.withLock({ $0 }) else {
      return try await client.page(after: cursor, limit: limit)
    }
    async let rest = client.page(after: nil, limit: limit)
    let clip = try await first()
    var page = try await rest
    isDone.withLock { $0 = true }
    guard let clip else {
      await onGone()
      return page
    }
    page.items = [clip] + page.items.filter { $0.id != clip.id }
    return page
  }

  public func clip(_ id: String) async throws -> Clip {
    if id == link.clip, let upload = link.upload { return try await client.clip(ofUpload: upload) }
    return try await client.clip(id)
  }

  /// `nil`: it is gone, or not for this person.
  private func first() async throws -> Clip? {
    do {
      let clip = try await clip(link.clip)
      // The secret of another clip opens that one and no other.
      return clip.id == link.clip ? clip : nil
    } catch let problem as Problem where problem.status == 404 || problem.status == 410 {
      return nil
    }
  }
}

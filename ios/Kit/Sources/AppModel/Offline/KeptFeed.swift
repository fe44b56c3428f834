public import Contract
public import Playback

/// A feed of clips that are on this device, for times without a network. It asks nobody.
public struct KeptFeed: FeedSource {
  private let clips: [Clip]

  public init(_ clips: [Clip]) { self.clips = clips }

  public func page(after cursor: String?, limit: Int) async throws -> FeedPage {
    FeedPage(items: clips, nextCursor: nil)
  }

  public func clip(_ id: String) async throws -> Clip {
    guard let clip = clips.first(where: { $0.id == id }) else {
      throw Problem(.clipNotFound, requestID: "")
    }
    return clip
  }
}

/// Fetches by the session's own transport onto its own disk.
public struct ClipKeeper: ClipKeeping {
  private let fetcher: ClipFetcher
  private let shortEdge: @Sendable () -> Int

  /// `shortEdge`: the best quality that is kept, in px.
  public init(_ fetcher: ClipFetcher, shortEdge: @escaping @Sendable () -> Int) {
    self.fetcher = fetcher
    self.shortEdge = shortEdge
  }

  public func fetch(_ clip: Clip, progress: @escaping @Sendable (Int, Int) -> Void) async throws {
    try await fetcher.fetch(clip, shortEdge: shortEdge(), saves: true, progress: progress)
  }

  public func held(of clip: Clip) async -> (bytes: Int, isWhole: Bool) { await fetcher.held(of: clip) }

  public func drop(_ clip: Clip) async { await fetcher.drop(clip) }
}

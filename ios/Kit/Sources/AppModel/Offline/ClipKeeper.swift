public import Contract
public import Playback

/// Fetches by the session's own transport onto its own disk.
///
/// A clip that the session knows stays on its disk when it is no longer kept, as any other that was watched:
/// the core counts it, and has it go when room is needed.
public struct ClipKeeper: ClipKeeping {
  private let fetcher: ClipFetcher
  private let shortEdge: @MainActor @Sendable () -> Int
  private let isInSession: @MainActor @Sendable (Clip) -> Bool

  /// `shortEdge`: the best quality that is kept, in px, as things are now.
  public init(
    _ fetcher: ClipFetcher, shortEdge: @escaping @MainActor @Sendable () -> Int,
    isInSession: @escaping @MainActor @Sendable (Clip) -> Bool
  ) {
    self.fetcher = fetcher
    self.shortEdge = shortEdge
    self.isInSession = isInSession
  }

  public func fetch(_ clip: Clip, progress: @escaping @Sendable (Int, Int) -> Void) async throws {
    try await fetcher.fetch(clip, shortEdge: await shortEdge(), saves: true, progress: progress)
  }

  public func held(of clip: Clip) async -> (bytes: Int, isWhole: Bool) { await fetcher.held(of: clip) }

  public func drop(_ clip: Clip) async {
    if await !isInSession(clip) { await fetcher.drop(clip) }
  }
}

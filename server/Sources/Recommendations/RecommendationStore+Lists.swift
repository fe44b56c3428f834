internal import Contract
internal import Platform
internal import Ranking

/// Lists of clips that no walk goes through.
extension RecommendationStore {
  /// Clips of a list.
  private static let length = 50

  /// What rises now, clips in another language than the viewer reads behind all others. On an instance where
  /// nothing does, it is empty. `language`: as for `order`.
  func trending(
    for viewer: String?, language: String? = nil, as telling: any RecommendedClips
  ) async throws -> EncodedFeedPage {
    try await reader.follow()
    let ids = await engine.rising(
      Self.length * 2, nowMs: time.nowMs, language: language.map { StableHash.of($0) })
    return try await page(of: ids, for: viewer, telling)
  }

  /// Throws `clip_not_found` and `author_blocked`.
  func similar(
    to clip: String, for viewer: String?, as telling: any RecommendedClips
  ) async throws -> EncodedFeedPage {
    try await telling.requireVisible(clip, to: viewer)
    try await reader.follow()
    return try await page(of: await engine.similar(to: clip, Self.length * 2), for: viewer, telling)
  }

  private func page(
    of ids: [String], for viewer: String?, _ telling: any RecommendedClips
  ) async throws -> EncodedFeedPage {
    guard !ids.isEmpty else { return EncodedFeedPage(items: [], nextCursor: nil) }
    let clips = try await telling.encoded(ids, inOrderFor: viewer)
    return EncodedFeedPage(items: Array(clips.prefix(Self.length)), nextCursor: nil)
  }
}

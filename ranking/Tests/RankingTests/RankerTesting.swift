import Testing

@testable import Ranking

/// A small instance: `clips` clips by `authors` authors, viewers of two tastes.
struct SmallInstance {
  static let start: Int64 = 1_700_000_000_000
  static var settings: Ranker.Settings {
    var settings = Ranker.Settings()
    settings.factors = .init(dimensions: 8, unobservedWeight: 0.1, regularisation: 0.01)
    settings.model.bits = 8
    settings.sequence?.dimensions = 8
    settings.uniformShare = 0.05
    return settings
  }

  let ranker: Ranker
  let clips: Int

  static func clip(_ number: Int, authors: Int = 10) -> Clip {
    Clip(
      id: EntityID(UInt64(number)), author: EntityID(UInt64(1_000 + number % authors)),
      tags: [UInt64(20 + number % 16), UInt64(10 + number % 7)], sound: UInt64(number % 5),
      language: UInt64(number % 3),
      duration: Int64(5_000 + number * 1_000), publishedAt: start + Int64(number))
  }

  init(clips: Int = 40, authors: Int = 10, events: Int = 600, seed: UInt64 = 1) {
    self.clips = clips
    ranker = Ranker(settings: Self.settings, now: Self.start)
    for number in 0..<clips { ranker.add(Self.clip(number, authors: authors)) }
    learn(events: events, seed: seed)
  }

  /// Even viewers like even clips, odd ones odd clips.
  func learn(events: Int, seed: UInt64 = 1) {
    var generator = SeededGenerator(seed: seed)
    for event in 0..<events where clips > 0 {
      let viewer = generator.below(20)
      let clip = generator.below(clips)
      let isLiked = viewer % 2 == clip % 2 && generator.uniform() < 0.9
      ranker.observe(
        Impression(
          viewer: EntityID(UInt64(viewer)), clip: EntityID(UInt64(clip)),
          at: Self.start + Int64(event) * 1_000,
          watched: isLiked ? 60_000 : 500, actions: isLiked && event % 10 == 0 ? .like : [], surface: 1))
    }
  }

  static func request(_ viewer: Int, excluding: @escaping (EntityID) -> Bool = { _ in false }) -> Request {
    Request(viewer: EntityID(UInt64(viewer)), now: start + 10_000_000, surface: 1, isExcluded: excluding)
  }
}

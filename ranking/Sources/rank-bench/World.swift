import Foundation
import Ranking

/// A made-up catalogue: clips of a hundred topics, viewers who like clips of three of them, popular ones
/// most.
struct World {
  static let start: Int64 = 1_700_000_000_000
  static let likesEach = 30
  private static let topics = 100

  let clips: Int
  let viewers: Int

  static func id(_ number: Int) -> EntityID { EntityID(UInt64(number)) }

  func clip(_ number: Int) -> Clip {
    Clip(
      id: Self.id(number), author: Self.id(number % 10_007 + 10_000_000),
      tags: [UInt64(number % Self.topics), UInt64(1_000 + number % 977)],
      sound: UInt64(number % 5_003), language: UInt64(number % 7), duration: Int64(5_000 + number % 60_000),
      publishedAt: Self.start - Int64(clips - number) * 1_000)
  }

  func likes(of viewer: Int) -> [EntityID] {
    var generator = SeededGenerator(seed: UInt64(viewer))
    return (0..<Self.likesEach).map { _ in Self.id(liked(by: viewer, &generator)) }
  }

  func impression(_ number: Int) -> Impression {
    var generator = SeededGenerator(seed: UInt64(number) << 32)
    let viewer = generator.below(viewers)
    return Impression(
      viewer: Self.id(viewer), clip: Self.id(liked(by: viewer, &generator)), at: Self.start + Int64(number),
      watched: Int64(generator.below(30_000)))
  }

  func request(_ number: Int) -> Request {
    var generator = SeededGenerator(seed: UInt64(number) << 32)
    return Request(viewer: Self.id(generator.below(viewers)), now: Self.start + Int64(number))
  }

  private func liked(by viewer: Int, _ generator: inout SeededGenerator) -> Int {
    let topic = (viewer * 31 + generator.below(3) * 17) % Self.topics
    let share = generator.uniform() * generator.uniform()
    return Int(share * Double(clips / Self.topics)) * Self.topics + topic
  }

  /// Seconds of this thread's processor time, of each call.
  func times(_ count: Int, _ body: (Int) -> Void) -> [Double] {
    (0..<count).map { number in
      let before = clock()
      body(number)
      return Double(clock() - before) / Double(CLOCKS_PER_SEC)
    }
  }
}

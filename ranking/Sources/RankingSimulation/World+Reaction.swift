internal import Foundation
internal import Ranking

/// What people do about clips.
///
/// How much somebody is drawn to a clip, u, is taste times what the clip is about, plus its quality, plus
/// what they think of its tag and creator, less something for length; p is its logistic function. With
/// probability .75 (1 − p) they are gone within two seconds. Else they watch a share of it, drawn from
/// Beta(.4 + 3 p, 1). They like with .15 p², follow with .03 p², and say "not interested" with .04 (1 − p).
///
/// A visit ends at the rate of once in 300 seconds watched, with probability .08 after each skip, and after
/// a hundred clips. So watch time per visit is what a policy can win or lose.
extension World {
  static let secondsOfVisit = 300.0
  static let leavingAfterSkip = 0.08
  static let longestVisit = 100

  struct Reaction: Sendable, Equatable {
    /// Milliseconds.
    let watched: Int64
    let actions: Actions
    let isSkip: Bool
    /// Whether they leave after it.
    let isLast: Bool
  }

  func attraction(of clip: Int, to viewer: Int) -> Double {
    let made = clips[clip]
    let person = people[viewer]
    let length = log(Double(made.clip.duration) / 20_000)
    let u =
      -0.8 + 2.4 * Self.product(person.taste, made.vector) + 0.7 * made.quality
      + 0.4 * person.tags[made.tag] + 0.5 * person.creators[made.creator] - 0.25 * length
    return 1 / (1 + exp(-u))
  }

  private func skipping(_ attraction: Double) -> Double { 0.75 * (1 - attraction) }

  /// Seconds that they watch, in the mean.
  func expectedWatch(of clip: Int, by viewer: Int) -> Double {
    let attraction = attraction(of: clip, to: viewer)
    let skipping = skipping(attraction)
    let shape = 0.4 + 3 * attraction
    return skipping * 1.1 + (1 - skipping) * shape / (shape + 1) * Double(clips[clip].clip.duration) / 1_000
  }

  /// Seconds watched for what it costs of a visit: who shows the clips where this is largest, and knows all
  /// tastes, keeps people longest (renewal reward).
  func worth(of clip: Int, to viewer: Int) -> Double {
    let watch = expectedWatch(of: clip, by: viewer)
    let leaving =
      watch / Self.secondsOfVisit + Self.leavingAfterSkip * skipping(attraction(of: clip, to: viewer))
    return watch / leaving
  }

  /// The same whenever it is asked: chance is of the viewer and the clip.
  func reaction(of viewer: Int, to clip: Int) -> Reaction {
    var generator = SeededGenerator(
      seed: seed &* 0x5851_F42D_4C95_7F2D &+ UInt64(viewer) << 32 &+ UInt64(clip))
    let attraction = attraction(of: clip, to: viewer)
    let duration = Double(clips[clip].clip.duration)
    let isSkip = generator.uniform() < skipping(attraction)
    let share = pow(generator.uniform(), 1 / (0.4 + 3 * attraction))
    let watched = isSkip ? 300 + 1_600 * generator.uniform() : max(share * duration, 2_000)
    var actions: Actions = []
    let chance = generator.uniform()
    if isSkip {
      if chance < 0.04 / 0.75 { actions = .notInterested }
    } else {
      if chance < 0.15 * attraction * attraction { actions.insert(.like) }
      if chance < 0.03 * attraction * attraction { actions.insert(.follow) }
    }
    let staying = exp(-watched / 1_000 / Self.secondsOfVisit) * (isSkip ? 1 - Self.leavingAfterSkip : 1)
    return Reaction(
      watched: Int64(watched), actions: actions, isSkip: isSkip, isLast: generator.uniform() >= staying)
  }
}

public import Ranking

/// What somebody watches next is decided by one of these. It learns of clips and of what people do as on a
/// server, and knows nothing of the world beside.
public protocol Policy: AnyObject {
  var name: String { get }
  /// A clip is public from now on.
  func publish(_ clip: Clip, number: Int)
  /// The next clips, by number, the first to be shown first; as many as are asked for where there are.
  func page(for viewer: Viewing, count: Int) -> [Int]
  /// Of an impression that is over.
  func observe(_ impression: Impression, clip: Int, viewer: Int)
  /// Time for work in the background. Never goes back.
  func pass(to time: Int64)
}

/// Who watches, when, and what may not be shown to them.
public struct Viewing {
  public let viewer: Int
  /// Milliseconds since 1970.
  public let now: Int64
  /// Numbers of creators, in the order in which they were followed.
  public let followed: [Int]
  /// By number of a clip that was published: whether this viewer has had it.
  public let isSeen: (Int) -> Bool
}

/// The newest first.
public final class NewestPolicy: Policy {
  public let name = "newest"
  private var clips: [Int] = []

  public init() {}

  public func publish(_ clip: Clip, number: Int) { clips.append(number) }
  public func observe(_ impression: Impression, clip: Int, viewer: Int) {}
  public func pass(to time: Int64) {}

  public func page(for viewer: Viewing, count: Int) -> [Int] {
    Array(clips.reversed().lazy.filter { !viewer.isSeen($0) }.prefix(count))
  }
}

/// What had the most positives lately (they halve in three days), for everybody alike; live.
public final class PopularityPolicy: Policy {
  public let name = "popularity"
  private var popularity = DecayedPopularity(at: World.start)
  private var durations: [Int64] = []

  public init() {}

  public func publish(_ clip: Clip, number: Int) { durations.append(clip.duration) }
  public func pass(to time: Int64) {}

  public func observe(_ impression: Impression, clip: Int, viewer: Int) {
    guard Outcome.isPositive(impression, duration: durations[clip]) else { return }
    popularity.observe(UInt32(clip), weight: impression.trust, at: impression.at)
  }

  public func page(for viewer: Viewing, count: Int) -> [Int] {
    let values = durations.indices.map { popularity.value(of: UInt32($0)) }
    return durations.indices.filter { !viewer.isSeen($0) }.best(count) { Double(values[$0]) }
  }
}

/// Knows all tastes: what no policy can reach. Regret is measured against it.
public final class OraclePolicy: Policy {
  public let name = "oracle"
  private let world: World
  private var count = 0

  public init(_ world: World) { self.world = world }

  public func publish(_ clip: Clip, number: Int) { count = number + 1 }
  public func observe(_ impression: Impression, clip: Int, viewer: Int) {}
  public func pass(to time: Int64) {}

  public func page(for viewer: Viewing, count: Int) -> [Int] {
    (0..<self.count).filter { !viewer.isSeen($0) }.best(count) { world.worth(of: $0, to: viewer.viewer) }
  }
}

enum Outcome {
  /// As the ranker has it: a long view or an action, and no dislike.
  static func isPositive(_ impression: Impression, duration: Int64) -> Bool {
    guard !impression.actions.contains(.notInterested) else { return false }
    return !impression.actions.isEmpty || WatchLabels.isLongView(impression.watched ?? 0, of: duration)
  }
}

extension Sequence<Int> {
  /// Those with the largest values, the largest first; of equal ones the later first.
  func best(_ count: Int, by value: (Int) -> Double) -> [Int] {
    map { ($0, value($0)) }.sorted { $0.1 != $1.1 ? $0.1 > $1.1 : $0.0 > $1.0 }.prefix(count).map(\.0)
  }
}

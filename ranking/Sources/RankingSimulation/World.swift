internal import Foundation
public import Ranking

/// People with hidden tastes, creators, clips that arrive day by day, and when somebody comes to watch: all
/// of it made from a seed, before any policy is asked. So every policy meets the same people and clips, and
/// the same person does the same about the same clip under each of them.
///
/// It says what people do. It does not know what a policy is, or what is measured.
public struct World: Sendable {
  public struct Settings: Sendable, Equatable {
    public var days = 14
    /// There at the start, and new each day.
    public var viewers = 400
    public var newViewers = 8
    public var creators = 150
    /// There at the start, and new each day.
    public var clips = 2_000
    public var newClips = 4
    public var topics = 16

    public init() {}
  }

  public static let day: Int64 = 86_400_000
  /// Midnight of the first day, in milliseconds since 1970.
  public static let start: Int64 = 1_700_006_400_000
  static let dimensions = 8
  static let tagsOfTopic = 5

  struct Creator: Sendable {
    let topics: [Int]
    let offset: [Double]
    let quality: Double
    /// How often they publish beside others.
    let activity: Double
  }

  struct MadeClip: Sendable {
    let clip: Clip
    let creator: Int
    /// Of length 1.
    let vector: [Double]
    let quality: Double
    /// Number of the finer tag that people care about.
    let tag: Int
  }

  struct Person: Sendable {
    /// Of length 1.
    let taste: [Double]
    /// By the number of a finer tag, and of a creator.
    let tags: [Double]
    let creators: [Double]
    /// Visits a day, in the mean.
    let activity: Double
    let firstDay: Int
  }

  /// Somebody comes to watch.
  public struct Visit: Sendable, Equatable {
    public let viewer: Int
    /// Milliseconds since 1970.
    public let at: Int64
  }

  public let seed: UInt64
  public let settings: Settings
  let centres: [[Double]]
  let creators: [Creator]
  let clips: [MadeClip]
  let people: [Person]
  /// In the order of time.
  public let visits: [Visit]

  public init(seed: UInt64, settings: Settings = Settings()) {
    var generator = SeededGenerator(seed: seed &* 0x9E37_79B9 &+ 17)
    self.seed = seed
    self.settings = settings
    let centres = (0..<settings.topics).map { _ in Self.direction(by: &generator) }
    let creators = (0..<settings.creators).map { _ in Self.creator(centres, by: &generator) }
    self.centres = centres
    self.creators = creators
    clips = Self.clips(settings, centres, creators, by: &generator)
    people = Self.people(settings, centres, by: &generator)
    visits = Self.visits(settings, people, by: &generator)
  }

  public static func viewerID(_ number: Int) -> EntityID { EntityID(high: 1, low: UInt64(number)) }
  static func clipID(_ number: Int) -> EntityID { EntityID(high: 2, low: UInt64(number)) }
  public static func creatorID(_ number: Int) -> EntityID { EntityID(high: 3, low: UInt64(number)) }

  /// In the order in which they come.
  public var clipCount: Int { clips.count }
  public func clip(_ number: Int) -> Clip { clips[number].clip }
  func creator(of number: Int) -> Int { clips[number].creator }

  /// How far two clips are from each other, 0 to 2: one less the cosine of what they are about.
  func distance(_ left: Int, _ right: Int) -> Double {
    1 - Self.product(clips[left].vector, clips[right].vector)
  }

  static func product(_ left: [Double], _ right: [Double]) -> Double {
    var sum = 0.0
    for place in 0..<dimensions { sum += left[place] * right[place] }
    return sum
  }
}

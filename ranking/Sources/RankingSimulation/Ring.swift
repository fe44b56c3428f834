internal import Ranking

/// Accounts that one person made on one day to push one clip: each watches it to the end and likes it, and
/// watches some others, every second one to the end, so as to look like somebody.
public struct Ring: Sendable, Equatable {
  public var accounts = 500
  /// Networks that they come from.
  public var networks = 8
  /// Other clips that each sees.
  public var camouflage = 6
  /// Milliseconds since 1970, and for how long they come one after the other.
  public var startsAt: Int64
  public var lasts: Int64 = 6 * 3_600_000
  /// The number of the clip that they push.
  public let clip: Int

  public init(startsAt: Int64, clip: Int) {
    self.startsAt = startsAt
    self.clip = clip
  }

  /// That of the world's clips of one day, counted from 0, which people like least: what nobody would push
  /// for its own sake. They begin two hours after it is there.
  public init?(world: World, day: Int) {
    let from = World.start + Int64(day) * World.day
    let viewers = world.people.indices.prefix(100)
    let worst = (0..<world.clipCount)
      .filter { world.clip($0).publishedAt >= from && world.clip($0).publishedAt < from + World.day }
      .best(1) { clip in -viewers.reduce(0) { $0 + world.attraction(of: clip, to: $1) } }
    guard let clip = worst.first else { return nil }
    self.init(startsAt: world.clip(clip).publishedAt + 2 * 3_600_000, clip: clip)
  }

  struct Event: Sendable, Equatable {
    let account: Int
    let clip: Int
    let isWatched: Bool
    let at: Int64
  }

  /// In the order of time.
  func events(among clips: Int, seed: UInt64) -> [Event] {
    var generator = SeededGenerator(seed: seed &+ 99)
    var events: [Event] = []
    for account in 0..<accounts {
      let at = startsAt + Int64(generator.uniform() * Double(lasts))
      var watched = [clip]
      for _ in 0..<camouflage { watched.append(generator.below(clips)) }
      // The clip comes at any place among the others.
      watched.swapAt(0, generator.below(watched.count))
      for (place, clip) in watched.enumerated() {
        let isWatched = clip == self.clip || generator.uniform() < 0.5
        events.append(
          Event(account: account, clip: clip, isWatched: isWatched, at: at + Int64(place) * 30_000))
      }
    }
    return events.sorted { ($0.at, $0.account, $0.clip) < ($1.at, $1.account, $1.clip) }
  }

  func origin(of account: Int) -> Origin {
    Origin(
      isGuest: false, since: startsAt - 3 * World.day, addressGroup: UInt64(1_000_000 + account % networks))
  }
}

extension World {
  /// Where people come from: some by one of six carriers, the others from home, two to a household; two of
  /// five without an account.
  func origin(of viewer: Int) -> Origin {
    var generator = SeededGenerator(seed: seed &+ UInt64(viewer) &* 0x2545_F491_4F6C_DD1D)
    let isMobile = generator.uniform() < 0.4
    let group = isMobile ? generator.below(6) : 100 + viewer / 2
    let isGuest = generator.uniform() < 0.4
    let firstDay = people[viewer].firstDay
    let age = firstDay == 0 ? Int64(generator.uniform() * 200 * Double(Self.day)) : 0
    return Origin(
      isGuest: isGuest, since: Self.start + Int64(firstDay) * Self.day - age, addressGroup: UInt64(group))
  }
}

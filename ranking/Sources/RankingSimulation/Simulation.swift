public import Ranking

/// A world under one policy, from the first day to the last: who comes gets pages, does what they do about
/// each clip until they leave, and the policy learns of it before the next clip.
public struct Simulation {
  public static let pageSize = 10
  /// Impressions that a new clip is hoped to have within a day.
  static let firstAudience = 100

  private let world: World
  private let policy: any Policy
  private var published = 0
  /// By viewer, then by clip.
  private var seen: [[Bool]]
  private var followed: [[Int]]
  private let ring: Ring?
  private var ringEvents: ArraySlice<Ring.Event>
  /// Weighs what people do, if anybody does.
  private var trust: TrustModel?
  private var figures: RunFigures

  private init(_ world: World, _ policy: any Policy, ring: Ring?, trust: TrustModel.Settings?) {
    self.world = world
    self.policy = policy
    self.ring = ring
    let published = ring.map { ring in
      (0..<world.clipCount).count { world.clip($0).publishedAt <= ring.startsAt }
    }
    ringEvents = (ring?.events(among: published ?? 0, seed: world.seed) ?? [])[...]
    self.trust = trust.map { TrustModel(settings: $0, at: World.start) }
    seen = [[Bool]](
      repeating: [Bool](repeating: false, count: world.clipCount), count: world.people.count)
    followed = [[Int]](repeating: [], count: world.people.count)
    figures = RunFigures(policy: policy.name, seed: world.seed, days: world.settings.days)
  }

  /// - Parameters:
  ///   - ring: accounts that push a clip, beside the people.
  ///   - trust: how events are weighed; all count in full without.
  public static func run(
    _ world: World, _ policy: any Policy, ring: Ring? = nil, trust: TrustModel.Settings? = nil
  ) -> RunFigures {
    var simulation = Simulation(world, policy, ring: ring, trust: trust)
    for visit in world.visits { simulation.play(visit) }
    return simulation.finish()
  }

  private mutating func play(_ visit: World.Visit) {
    publish(until: visit.at)
    pushClip(until: visit.at)
    policy.pass(to: visit.at)
    var now = visit.at
    var page: [Int] = []
    var watched = 0.0
    for _ in 0..<World.longestVisit {
      if page.isEmpty { page = nextPage(visit.viewer, at: now) }
      guard !page.isEmpty else { break }
      let clip = page.removeFirst()
      let reaction = world.reaction(of: visit.viewer, to: clip)
      now += reaction.watched + 700
      watched += Double(reaction.watched) / 1_000
      take(reaction, of: visit.viewer, to: clip, at: now)
      if reaction.isLast { break }
    }
    let day = Int((visit.at - World.start) / World.day)
    figures.watchByDay[day] += watched
    figures.visitsByDay[day] += 1
  }

  private mutating func publish(until time: Int64) {
    while published < world.clipCount, world.clip(published).publishedAt <= time {
      policy.publish(world.clip(published), number: published)
      published += 1
    }
  }

  /// What the ring did meanwhile. It needs no page, but says that it had one.
  private mutating func pushClip(until time: Int64) {
    guard let ring else { return }
    while let event = ringEvents.first, event.at <= time {
      ringEvents.removeFirst()
      let viewer = world.people.count + event.account
      let clip = world.clip(event.clip)
      let impression = Impression(
        viewer: World.viewerID(viewer), clip: clip.id, at: event.at,
        watched: event.isWatched ? clip.duration : 900, actions: event.clip == ring.clip ? .like : [],
        surface: 1,
        trust: weight(of: ring.origin(of: event.account), on: clip.id, at: event.at))
      policy.observe(impression, clip: event.clip, viewer: viewer)
    }
  }

  private mutating func weight(of origin: Origin, on clip: EntityID, at time: Int64) -> Float {
    trust?.trust(of: origin, on: clip, at: time) ?? 1
  }

  private mutating func nextPage(_ viewer: Int, at now: Int64) -> [Int] {
    let seen = seen[viewer]
    let page = policy.page(
      for: Viewing(viewer: viewer, now: now, followed: followed[viewer], isSeen: { seen[$0] }),
      count: Self.pageSize)
    for (place, clip) in page.enumerated() {
      for other in page[..<place] { figures.pageDistance.add(world.distance(clip, other)) }
    }
    return page
  }

  private mutating func take(_ reaction: World.Reaction, of viewer: Int, to clip: Int, at now: Int64) {
    seen[viewer][clip] = true
    if reaction.actions.contains(.follow) { followed[viewer].append(world.creator(of: clip)) }
    figures.impressions += 1
    figures.skips += reaction.isSkip ? 1 : 0
    figures.byClip[clip, default: 0] += 1
    if let ring, clip == ring.clip, now >= ring.startsAt { figures.reachOfPushed += 1 }
    if now - world.clip(clip).publishedAt < World.day { figures.firstDayByClip[clip, default: 0] += 1 }
    policy.observe(
      Impression(
        viewer: World.viewerID(viewer), clip: world.clip(clip).id, at: now, watched: reaction.watched,
        actions: reaction.actions, surface: 1,
        trust: weight(of: world.origin(of: viewer), on: world.clip(clip).id, at: now)),
      clip: clip, viewer: viewer)
  }

  private mutating func finish() -> RunFigures {
    let end = World.start + Int64(world.settings.days) * World.day
    let new = (0..<world.clipCount).filter {
      world.clip($0).publishedAt >= World.start && world.clip($0).publishedAt + World.day <= end
    }
    figures.newClips = new.count
    figures.newClipsWithAudience = new.count { figures.firstDayByClip[$0, default: 0] >= Self.firstAudience }
    var byCreator = [Double](repeating: 0, count: world.creators.count)
    for clip in 0..<world.clipCount {
      byCreator[world.creator(of: clip)] += Double(figures.byClip[clip, default: 0])
    }
    // Who never published has nothing that could be shown.
    let active = Set((0..<world.clipCount).map { world.creator(of: $0) })
    figures.gini = RunFigures.gini(active.sorted().map { byCreator[$0] })
    return figures
  }
}

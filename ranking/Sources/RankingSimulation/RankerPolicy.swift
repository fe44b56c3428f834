public import Ranking

/// Ours, as on a server: learns at once, and refits in the background.
public final class RankerPolicy: Policy {
  public let name: String
  public let ranker: Ranker
  /// Milliseconds between two refits. On a server ten minutes; here more, for the simulation's time.
  private let refitEvery: Int64
  private var refitAt: Int64
  private let limits: Request.Limits
  private var numbers: [EntityID: Int] = [:]

  /// With vectors as long as so small a world needs.
  public static var settings: Ranker.Settings {
    var settings = Ranker.Settings()
    settings.factors.dimensions = 32
    return settings
  }

  public init(
    name: String = "ours", settings: Ranker.Settings = RankerPolicy.settings,
    limits: Request.Limits = Request.Limits(), refitEvery: Int64 = 6 * 3_600_000
  ) {
    self.limits = limits
    self.name = name
    self.refitEvery = max(refitEvery, 60_000)
    refitAt = World.start + refitEvery
    ranker = Ranker(settings: settings, now: World.start)
  }

  public func publish(_ clip: Clip, number: Int) {
    ranker.add(clip)
    numbers[clip.id] = number
  }

  public func observe(_ impression: Impression, clip: Int, viewer: Int) { ranker.observe(impression) }

  public func pass(to time: Int64) {
    guard time >= refitAt else { return }
    ranker.refitWhole()
    while refitAt <= time { refitAt += refitEvery }
  }

  public func page(for viewer: Viewing, count: Int) -> [Int] {
    let numbers = numbers
    let request = Request(
      viewer: World.viewerID(viewer.viewer), now: viewer.now, surface: 1,
      followed: viewer.followed.map { World.creatorID($0) }, limits: limits,
      isExcluded: { numbers[$0].map(viewer.isSeen) ?? true })
    return ranker.page(request, count: count).compactMap { numbers[$0.clip] }
  }
}

public import Ranking

/// The same worlds under several policies, and their figures with intervals over seeds. Differences are
/// taken world by world.
public struct Comparison: Sendable {
  /// Those of `policies(for:)`, in this order.
  public static let names = [
    "newest", "popularity", "hourly batch", "ours, blind to order", "ours", "oracle",
  ]

  /// By policy, then by seed.
  public let runs: [[RunFigures]]

  /// - Parameters:
  ///   - trust: as in `Simulation.run`.
  ///   - progress: called before each run, with what it is.
  public init(
    seeds: [UInt64], settings: World.Settings = World.Settings(), trust: TrustModel.Settings? = nil,
    progress: (String) -> Void = { _ in }
  ) {
    var runs = [[RunFigures]](repeating: [], count: Self.names.count)
    for seed in seeds {
      let world = World(seed: seed, settings: settings)
      for (place, policy) in Self.policies(for: world).enumerated() {
        progress("world \(seed): \(policy.name)")
        runs[place].append(Simulation.run(world, policy, trust: trust))
      }
    }
    self.runs = runs
  }

  static func policies(for world: World) -> [any Policy] {
    // Ours without what comes next by the order of the last watches.
    var settings = RankerPolicy.settings
    settings.sequence = nil
    return [
      NewestPolicy(), PopularityPolicy(), HourlyBatchPolicy(),
      RankerPolicy(name: "ours, blind to order", settings: settings), RankerPolicy(), OraclePolicy(world),
    ]
  }

  public func interval(_ policy: Int, _ figure: (RunFigures) -> Double) -> SeedInterval {
    SeedInterval(runs[policy].map(figure))
  }

  /// What a policy has more than another.
  public func difference(_ policy: Int, from other: Int, _ figure: (RunFigures) -> Double) -> SeedInterval {
    SeedInterval(zip(runs[policy], runs[other]).map { figure($0) - figure($1) })
  }

  /// Seconds a visit that the oracle has more, in some of the days.
  public func regret(_ policy: Int, days: Range<Int>) -> SeedInterval {
    difference(runs.count - 1, from: policy) { $0.watchPerVisit(days) }
  }
}

/// A ring against ours: how many others get to see what it pushes.
public struct RingTrial: Sendable {
  /// By seed: without a ring, with one where all count in full, and with one where events are weighed.
  public private(set) var alone: [Double] = []
  public private(set) var believed: [Double] = []
  public private(set) var weighed: [Double] = []

  /// - Parameters:
  ///   - day: counted from 0, on which the clip comes that is pushed.
  ///   - policy: made anew for each run.
  public init(
    seeds: [UInt64], settings: World.Settings, day: Int = 3,
    policy: () -> any Policy = { RankerPolicy() }, progress: (String) -> Void = { _ in }
  ) {
    func reach(_ world: World, _ ring: Ring, _ trust: TrustModel.Settings?) -> Double {
      Double(Simulation.run(world, policy(), ring: ring, trust: trust).reachOfPushed)
    }
    for seed in seeds {
      let world = World(seed: seed, settings: settings)
      guard let ring = Ring(world: world, day: day) else { continue }
      var nobody = ring
      nobody.accounts = 0
      progress("world \(seed): ring")
      alone.append(reach(world, nobody, .init()))
      believed.append(reach(world, ring, nil))
      weighed.append(reach(world, ring, .init()))
    }
  }
}

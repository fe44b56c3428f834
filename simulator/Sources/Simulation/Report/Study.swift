internal import CoreTypes

/// Runs people on links under policies: the same people on the same links for every policy.
public struct Study: Sendable {
  /// A kind of link.
  public enum Source: Sendable {
    case family(TraceFamily)
    case trace(Trace, name: String)

    public var name: String {
      switch self {
      case .family(let family): family.rawValue
      case .trace(_, let name): name
      }
    }

    public func scenario(seed: UInt64, length: Scenario.Length) -> Scenario {
      switch self {
      case .family(let family): Scenario(family: family, seed: seed, length: length)
      case .trace(let trace, _): Scenario(trace: trace, seed: seed, length: length)
      }
    }
  }

  public var sources: [Source]
  public var policies: [PolicyKind]
  /// One person each.
  public var seeds: [UInt64]
  public var length: Scenario.Length
  public var timesDecisions: Bool

  public init(
    sources: [Source] = TraceFamily.allCases.map { .family($0) },
    policies: [PolicyKind] = PolicyKind.allCases, seeds: [UInt64], length: Scenario.Length,
    timesDecisions: Bool = false
  ) {
    self.sources = sources
    self.policies = policies
    self.seeds = seeds
    self.length = length
    self.timesDecisions = timesDecisions
  }

  private struct Outcome: Sendable {
    let source: Int
    let person: Int
    var measures: [Measures] = []
    var times: [[Int64]] = []
  }

  /// So many sessions at a time; the result does not depend on it.
  public func run(jobs: Int) async -> Comparison {
    let tasks = sources.indices.flatMap { source in seeds.indices.map { (source, $0) } }
    var outcomes: [Outcome] = []
    await withTaskGroup(of: Outcome.self) { group in
      var next = 0
      func add() {
        guard next < tasks.count else { return }
        let (source, person) = tasks[next]
        next += 1
        group.addTask { outcome(source, person) }
      }
      for _ in 0..<max(1, jobs) { add() }
      for await outcome in group {
        outcomes.append(outcome)
        add()
      }
    }
    outcomes.sort { ($0.source, $0.person) < ($1.source, $1.person) }
    return Comparison(groups: sources.indices.map { group($0, outcomes) })
  }

  private func outcome(_ source: Int, _ person: Int) -> Outcome {
    let scenario = sources[source].scenario(seed: seeds[person], length: length)
    var outcome = Outcome(source: source, person: person)
    for policy in policies {
      var world = World(
        scenario, policy: policy.policy(for: scenario), hearsCurves: policy.hearsCurves)
      world.timesDecisions = timesDecisions && policy == .ours
      world.run()
      outcome.measures.append(world.measures)
      outcome.times.append(world.decisionTimes)
    }
    return outcome
  }

  private func group(_ source: Int, _ all: [Outcome]) -> Comparison.Group {
    let outcomes = all.filter { $0.source == source }
    let cells = policies.indices.map { index in
      Comparison.Cell(
        policy: policies[index], sessions: outcomes.map { $0.measures[index] },
        decisionTimes: outcomes.flatMap { $0.times[index] })
    }
    return Comparison.Group(name: sources[source].name, cells: cells)
  }
}

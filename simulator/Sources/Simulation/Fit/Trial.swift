internal import CoreTypes
internal import Foundation
public import Lookahead

/// The core's own policy under different objectives: the same people on the same links for each.
public struct Trial: Sendable {
  /// On one kind of link, a session for each person.
  public struct Outcome: Sendable {
    public let name: String
    public let sessions: [Measures]
  }

  /// A mean difference, person by person, and its standard error.
  public struct Difference: Sendable {
    public let mean: Double
    public let error: Double
  }

  /// What a point of the challenge's score counts for beside one of comfort. A second of the best picture is
  /// 4.2 there and 1 here, and its own prices are the product's only in part.
  static let scoreShare = 0.1

  public let families: [TraceFamily]
  public let seeds: [UInt64]
  public let length: Scenario.Length

  public init(families: [TraceFamily], seeds: [UInt64], length: Scenario.Length) {
    self.families = families
    self.seeds = seeds
    self.length = length
  }

  /// So many sessions at a time; the result does not depend on it.
  public func run(_ objective: Objective, jobs: Int) async -> [Outcome] {
    let tasks = families.flatMap { family in seeds.map { (family, $0) } }
    var sessions = [Measures](repeating: Measures(), count: tasks.count)
    await withTaskGroup(of: (Int, Measures).self) { group in
      var next = 0
      func add() {
        guard next < tasks.count else { return }
        let (index, family, seed) = (next, tasks[next].0, tasks[next].1)
        next += 1
        group.addTask {
          var world = World(Scenario(family: family, seed: seed, length: length), objective: objective)
          world.run()
          return (index, world.measures)
        }
      }
      for _ in 0..<max(1, jobs) { add() }
      for await (index, measures) in group {
        sessions[index] = measures
        add()
      }
    }
    return families.indices.map { index in
      let own = index * seeds.count..<(index + 1) * seeds.count
      return Outcome(name: families[index].rawValue, sessions: Array(sessions[own]))
    }
  }

  /// What is looked for: the mean gain over the kinds of links.
  public static func value(of outcomes: [Outcome], against base: [Outcome]) -> Double {
    var sum = 0.0
    for (outcome, base) in zip(outcomes, base) {
      sum += difference(outcome, base, \.comfortScore).mean
      sum += scoreShare * difference(outcome, base, \.score).mean
    }
    return sum / Double(max(1, outcomes.count))
  }

  public static func difference(
    _ outcome: Outcome, _ base: Outcome, _ figure: (Measures) -> Double
  ) -> Difference {
    let differences = zip(outcome.sessions, base.sessions).map { figure($0) - figure($1) }
    let mean = differences.reduce(0, +) / Double(max(1, differences.count))
    let squares = differences.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    let count = Double(max(2, differences.count))
    return Difference(mean: mean, error: (squares / (count - 1) / count).squareRoot())
  }
}

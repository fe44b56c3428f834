/// Decides what to do next by playing it out: each possible download, and each pause, is followed into
/// sampled futures (when the person swipes, how fast the network is), each continued by plain rules,
/// and the action with the best mean value wins. A rollout algorithm (Bertsekas, "Rollout Algorithms
/// for Constrained Dynamic Programming", 2005) with common random numbers.
///
/// It refuses to know items, requests and stores: a `Scene` goes in, a `Choice` comes out. It keeps
/// nothing from one decision to the next but its tables, so that equal scenes give equal choices.
///
/// Not every action is worth the same look: all are tried in a few futures, the better ones in more, and
/// the best in all (sequential halving; Karnin, Koren and Somekh, 2013), each with the rules that do well
/// after it.
///
/// Work per decision: at most 22 actions × 6 rules × 4 futures, then 10 × 3 × 8 more, then 5 × 2 × 28 more
/// (`Effort.full`): 1,048 rollouts of at most `Table.stepLimit` steps. Nothing is allocated.
public struct Lookahead: Sendable {
  public enum Choice: Equatable, Sendable {
    /// The first missing segment of the clip at that place of the scene, in that rate.
    case fetch(clip: Int, rate: Int)
    /// Nothing for so many seconds.
    case wait(Double)
  }

  /// Seconds of a clip beyond the next that are fetched ahead at most.
  static let farEnough = 3.0
  public static let maxActions = Scene.maxClips * Scene.maxRates + 2
  public private(set) var objective: Objective
  /// Expected points of the choice made last, over the played seconds of a rollout.
  public private(set) var value = 0.0
  private var futures: Futures
  private let effort: Effort
  private var actions = [Step](repeating: Step(), count: maxActions)
  private var actionCount = 0
  /// Points over the futures that were tried, by action and rule (−∞: it was dropped), and the mean of
  /// each action with its best rule; then what `Table` needs.
  private var numbers = [Double](
    repeating: 0, count: maxActions * (ruleLimit + 1) + 2 * Scene.sizeCount + Scene.maxClips)
  /// The actions, best first; then what `Table` needs.
  private var counters = [Int](repeating: 0, count: maxActions + Scene.maxClips * 3)
  static let ruleLimit = BaseRule.count(rates: Scene.maxRates)

  /// How long the actions are looked at.
  public struct Effort: Equatable, Sendable {
    struct Round: Equatable {
      /// How many actions, and rules for each, are left.
      let actions: Int
      let rules: Int
      /// In how many futures they have been tried at its end.
      let futures: Int
    }

    let rounds: [Round]

    public static let full = Effort(rounds: [
      Round(actions: maxActions, rules: ruleLimit, futures: 4),
      Round(actions: 10, rules: 3, futures: 12),
      Round(actions: 5, rules: 2, futures: Futures.count),
    ])
    /// Fair decisions at a fiftieth of the work: for tests that make a million of them.
    public static let least = Effort(rounds: [Round(actions: maxActions, rules: 1, futures: 1)])
  }

  public init(_ objective: Objective, effort: Effort = .full) {
    self.objective = objective
    self.effort = effort
    futures = Futures(outageShare: objective.outageShare)
  }

  /// What a byte costs changes with the network and the battery.
  public mutating func setBytePrice(_ price: Double) { objective.bytePrice = price }

  public mutating func choose(_ scene: Scene) -> Choice {
    guard scene.clipCount > 0 else { return .wait(objective.longPause) }
    futures.sample(scene)
    listActions(scene)
    var rates = 1
    for clip in 0..<scene.clipCount { rates = max(rates, scene.rateCounts[clip]) }
    let rules = BaseRule.count(rates: rates)
    let count = actionCount
    var best = 0
    var value = 0.0
    let objective = objective
    let rounds = effort.rounds
    withTable(scene) { table, actions, order, sums, means in
      for action in 0..<count {
        order[action] = action
        for rule in 0..<Self.ruleLimit {
          sums[action * Self.ruleLimit + rule] = rule < rules ? 0 : -.infinity
        }
      }
      var left = count
      var tried = 0
      for round in rounds {
        left = min(left, round.actions)
        for place in 0..<left {
          let action = order[place]
          let row = sums + action * Self.ruleLimit
          Self.keepBest(round.rules, of: row)
          means[action] = Self.mean(
            table, actions[action], row, tried..<round.futures, objective)
        }
        Self.sort(order, left, by: means)
        tried = round.futures
      }
      best = order[0]
      value = means[best]
    }
    self.value = value
    let action = actions[best]
    return action.pause > 0 ? .wait(action.pause) : .fetch(clip: action.clip, rate: action.rate)
  }

  /// Leaves the best so many rules of an action; the others' sums become −∞.
  private static func keepBest(_ count: Int, of sums: UnsafeMutablePointer<Double>) {
    var left = 0
    for rule in 0..<ruleLimit where sums[rule] > -.infinity { left += 1 }
    while left > count {
      var worst = -1
      for rule in 0..<ruleLimit where sums[rule] > -.infinity {
        // Of equal ones the last goes.
        if worst < 0 || sums[rule] <= sums[worst] { worst = rule }
      }
      sums[worst] = -.infinity
      left -= 1
    }
  }

  /// Tries an action in more futures with each rule that is left; returns the mean of the best one.
  private static func mean(
    _ table: Table, _ action: Step, _ sums: UnsafeMutablePointer<Double>, _ futures: Range<Int>,
    _ objective: Objective
  ) -> Double {
    var best = -Double.infinity
    for index in 0..<ruleLimit where sums[index] > -.infinity {
      let rule = BaseRule(index, objective)
      for future in futures { sums[index] += table.rollout(action, rule, future, objective) }
      best = max(best, sums[index])
    }
    return best / Double(futures.upperBound)
  }

  /// The best first; of equal ones the one that stood before the other.
  private static func sort(
    _ order: UnsafeMutablePointer<Int>, _ count: Int, by means: UnsafePointer<Double>
  ) {
    guard count > 1 else { return }
    for place in 1..<count {
      let action = order[place]
      var free = place
      while free > 0, means[order[free - 1]] < means[action] {
        order[free] = order[free - 1]
        free -= 1
      }
      order[free] = action
    }
  }

  /// Every missing first segment in every rate, near clips before far ones, and two pauses.
  private mutating func listActions(_ scene: Scene) {
    actionCount = 0
    for clip in 0..<scene.clipCount where scene.pendingCount(of: clip) < scene.missingCounts[clip] {
      // A clip comes into question only once the one before it can start.
      if clip > 1, scene.storedEnds[clip - 1] <= 0, scene.pendingCount(of: clip - 1) == 0 { break }
      // Clips beyond the next need a start, and no more.
      if clip > 1, scene.storedEnds[clip] >= Self.farEnough { continue }
      for rate in 0..<scene.rateCounts[clip] { add(Step(clip: clip, rate: rate)) }
    }
    // While a clip stands still, or would during the pause, waiting helps nobody; nor while the next
    // one could not start: its first segment is seen for certain, sooner or later.
    let lead = scene.storedEnds[0] - scene.position
    let isSafe = scene.missingCounts[0] == 0 || lead >= objective.shortPause
    let nextCanStart =
      scene.clipCount < 2 || scene.storedEnds[1] > 0 || scene.pendingCount(of: 1) > 0
    if isSafe && nextCanStart || actionCount == 0 {
      add(Step(pause: objective.shortPause))
      add(Step(pause: objective.longPause))
    }
  }

  private mutating func add(_ action: Step) {
    actions[actionCount] = action
    actionCount += 1
  }

  /// Hands out everything as plain memory: the inner loops run a million times a second.
  private mutating func withTable(
    _ scene: Scene,
    _ body: (
      Table, UnsafePointer<Step>, UnsafeMutablePointer<Int>, UnsafeMutablePointer<Double>,
      UnsafeMutablePointer<Double>
    ) -> Void
  ) {
    scene.withPlan { plan in
      futures.withMemory { leaves, factors, noise, outages in
        numbers.withUnsafeMutableBufferPointer { numbers in
          counters.withUnsafeMutableBufferPointer { counters in
            actions.withUnsafeBufferPointer { actions in
              let sums = numbers.baseAddress!
              let means = sums + Self.maxActions * Self.ruleLimit
              let loads = means + Self.maxActions
              let variations = loads + Scene.sizeCount
              plan.fill(loads: loads, variations: variations)
              let order = counters.baseAddress!
              let table = Table(
                plan: plan, leaves: leaves, factors: factors, noise: noise, outages: outages,
                loads: loads, variations: variations, storedEnds: variations + Scene.sizeCount,
                next: order + Self.maxActions)
              body(table, actions.baseAddress!, order, sums, means)
            }
          }
        }
      }
    }
  }
}

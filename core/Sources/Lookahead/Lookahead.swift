/// Decides what to do next by playing it out: each possible download, and each pause, is followed into
/// sampled futures (when the person swipes, how fast the network is), each continued by plain rules,
/// and the action with the best mean value wins. A rollout algorithm (Bertsekas, "Rollout Algorithms
/// for Constrained Dynamic Programming", 2005) with common random numbers.
///
/// It refuses to know items, requests and stores: a `Scene` goes in, a `Choice` comes out. It keeps
/// nothing from one decision to the next but its tables, so that equal scenes give equal choices.
///
/// Work per decision: at most `maxActions` actions times six rules in eight futures, then six of them
/// times three rules in all forty (`Effort.full`): 22 · 6 · 8 + 6 · 3 · 32 = 1,632
/// rollouts of at most `stepLimit` steps. Nothing is allocated.
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
  /// Sums over the first futures, by action and rule.
  private var sums = [Double](repeating: 0, count: maxActions * ruleLimit)
  private var bests = [Double](repeating: 0, count: maxActions)
  private var scratch = [Double](repeating: 0, count: Scene.maxClips)
  private var counters = [Int](repeating: 0, count: Scene.maxClips * 3)
  static let ruleLimit = Scene.maxRates * 2

  /// How many futures are tried.
  public struct Effort: Equatable, Sendable {
    /// Futures in which every action is tried before the best are looked at in all.
    let firstLook: Int
    let finalists: Int
    /// Rules that each of them is looked at with.
    let rules: Int
    let futures: Int

    public static let full = Effort(firstLook: 8, finalists: 6, rules: 3, futures: Futures.count)
    /// Fair decisions at a fiftieth of the work: for tests that make a million of them.
    public static let least = Effort(firstLook: 1, finalists: 1, rules: 1, futures: 1)
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
    let rules = min(rates, 3) * 2
    var best = 0
    let objective = objective
    let effort = effort
    withTable(scene) { table, actions, count, sums, bests in
      for action in 0..<count {
        bests[action] = -Double.greatestFiniteMagnitude
        for rule in 0..<rules {
          var sum = 0.0
          for future in 0..<effort.firstLook {
            sum += table.rollout(actions[action], Self.rule(rule, objective), future, objective)
          }
          sums[action * Self.ruleLimit + rule] = sum
          bests[action] = max(bests[action], sum)
        }
      }
      best = Self.bestOfFinalists(table, actions, count, sums, bests, rules, objective, effort)
    }
    value = bests[best]
    let action = actions[best]
    return action.pause > 0 ? .wait(action.pause) : .fetch(clip: action.clip, rate: action.rate)
  }

  private static func rule(_ index: Int, _ objective: Objective) -> BaseRule {
    BaseRule(
      target: index % 2 == 0 ? objective.shortLead : objective.longLead, dropped: index / 2)
  }

  /// Looks at the most promising actions, each with its two best rules, in all futures; leaves the
  /// mean of the winner in `bests`.
  private static func bestOfFinalists(
    _ table: Table, _ actions: UnsafeMutablePointer<Step>, _ count: Int,
    _ sums: UnsafeMutablePointer<Double>, _ bests: UnsafeMutablePointer<Double>, _ rules: Int,
    _ objective: Objective, _ effort: Effort
  ) -> Int {
    var winner = 0
    var winning = -Double.greatestFiniteMagnitude
    for _ in 0..<min(effort.finalists, count) {
      var action = 0
      for other in 1..<count where bests[other] > bests[action] { action = other }
      bests[action] = -Double.greatestFiniteMagnitude
      var mean = -Double.greatestFiniteMagnitude
      for _ in 0..<min(effort.rules, rules) {
        var rule = 0
        for other in 1..<rules
        where sums[action * ruleLimit + other] > sums[action * ruleLimit + rule] { rule = other }
        var sum = sums[action * ruleLimit + rule]
        sums[action * ruleLimit + rule] = -Double.greatestFiniteMagnitude
        for future in effort.firstLook..<effort.futures {
          sum += table.rollout(actions[action], Self.rule(rule, objective), future, objective)
        }
        mean = max(mean, sum / Double(effort.futures))
      }
      if mean > winning {
        winning = mean
        winner = action
      }
    }
    bests[winner] = winning
    return winner
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
    // While a clip stands still, or would during the pause, waiting helps nobody.
    let lead = scene.storedEnds[0] - scene.position
    let isWhole = scene.missingCounts[0] == 0
    if isWhole || lead >= objective.shortPause || actionCount == 0 {
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
      Table, UnsafeMutablePointer<Step>, Int, UnsafeMutablePointer<Double>,
      UnsafeMutablePointer<Double>
    ) -> Void
  ) {
    let count = actionCount
    scene.withPlan { plan in
      futures.leaves.withUnsafeBufferPointer { leaves in
        futures.factors.withUnsafeBufferPointer { factors in
          futures.noise.withUnsafeBufferPointer { noise in
            futures.outages.withUnsafeBufferPointer { outages in
              scratch.withUnsafeMutableBufferPointer { ends in
                counters.withUnsafeMutableBufferPointer { counters in
                  actions.withUnsafeMutableBufferPointer { actions in
                    sums.withUnsafeMutableBufferPointer { sums in
                      bests.withUnsafeMutableBufferPointer { bests in
                        let table = Table(
                          plan: plan, leaves: leaves.baseAddress!, factors: factors.baseAddress!,
                          noise: noise.baseAddress!, outages: outages.baseAddress!,
                          storedEnds: ends.baseAddress!,
                          next: counters.baseAddress!)
                        body(
                          table, actions.baseAddress!, count, sums.baseAddress!, bests.baseAddress!)
                      }
                    }
                  }
                }
              }
            }
          }
        }
      }
    }
  }
}

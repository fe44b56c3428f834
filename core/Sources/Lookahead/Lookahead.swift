/// Decides what to do next by playing it out: each possible download, and each pause, is followed into
/// sampled futures (when the person swipes, how fast the network is), each continued by plain rules,
/// and the action with the best mean value wins. A rollout algorithm (Bertsekas, "Rollout Algorithms
/// for Constrained Dynamic Programming", 2005) with common random numbers.
///
/// It refuses to know items, requests and stores: a `DecisionInput` goes in, a `Choice` comes out. It keeps
/// nothing from one decision to the next but its tables, so that equal inputs give equal choices.
///
/// Not every action is worth the same look: all are tried in a few futures, the better ones in more, and
/// the best in all (sequential halving; Karnin, Koren and Somekh, 2013), each with the rules that do well
/// after it.
///
/// Work per decision: at most 22 actions × 6 rules × 2 futures, then 10 × 6 × 2 more, 6 × 3 × 8 and 3 × 2 ×
/// 28 (`Effort.full`): 696 rollouts of at most `Rollouts.stepLimit` steps. Nothing is allocated.
///
/// The outside benchmark's objective is decided by a learned policy instead, without any rollout.
public struct Lookahead: Sendable {
  public enum Choice: Equatable, Sendable {
    /// The first missing segment of the clip at that place of the input, in that rate.
    case fetch(clip: Int, rate: Int)
    /// Nothing for so many seconds.
    case wait(Double)
  }

  /// Seconds of a clip beyond the next that are fetched ahead at most.
  static let farEnough = 3.0
  public static let maxActions = DecisionInput.maxClips * DecisionInput.maxRates + 2
  public private(set) var objective: Objective
  /// Expected points of the choice made last, over the played seconds of a rollout.
  public private(set) var value = 0.0
  private var futures: Futures
  private var plan = Plan()
  private let effort: Effort
  private var actions = [Step](repeating: Step(), count: maxActions)
  private var actionCount = 0
  /// Points over the futures that were tried, by action and rule (−∞: it was dropped).
  private var sums = [Double](repeating: 0, count: maxActions * ruleLimit)
  /// Mean over these futures with the action's best rule.
  private var means = [Double](repeating: 0, count: maxActions)
  /// The actions, best first.
  private var order = [Int](repeating: 0, count: maxActions)
  private var buffers = BufferState()
  #if !hasFeature(Embedded)
    private var learned: LearnedPolicy?
  #endif
  static let ruleLimit = BaseRule.limit

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
      Round(actions: maxActions, rules: ruleLimit, futures: 2),
      Round(actions: 10, rules: ruleLimit, futures: 4),
      Round(actions: 6, rules: 3, futures: 12),
      Round(actions: 3, rules: 2, futures: Futures.count),
    ])
    /// Fair decisions at a fiftieth of the work: for tests that make a million of them.
    public static let least = Effort(rounds: [Round(actions: maxActions, rules: 1, futures: 1)])
  }

  public init(_ objective: Objective, effort: Effort = .full) {
    self.objective = objective
    self.effort = effort
    futures = Futures(objective)
    #if !hasFeature(Embedded)
      learned = objective.method == .learned ? LearnedPolicy() : nil
    #endif
  }

  /// What a byte costs changes with the network and the battery.
  public mutating func setBytePrice(_ price: Double) { objective.bytePrice = price }

  public mutating func choose(_ input: DecisionInput) -> Choice {
    guard input.clipCount > 0 else { return .wait(objective.longPause) }
    #if !hasFeature(Embedded)
      if let step = learned?.choose(input) { return choice(step) }
    #endif
    futures.sample(input)
    plan.fill(input, objective)
    buffers.fill(input)
    listActions(input)
    var rates = 1
    for clip in 0..<input.clipCount { rates = max(rates, input.rateCounts[clip]) }
    for action in order.indices { order[action] = action }
    let rules = BaseRule.count(rates: rates)
    for index in sums.indices { sums[index] = index % Self.ruleLimit < rules ? 0 : -.infinity }
    var left = actionCount
    var tried = 0
    for round in effort.rounds {
      left = min(left, round.actions)
      for place in 0..<left { keepBest(round.rules, of: order[place]) }
      tryOut(left, tried..<round.futures, input)
      sort(left)
      tried = round.futures
    }
    value = means[order[0]]
    return choice(actions[order[0]])
  }

  private func choice(_ action: Step) -> Choice {
    action.pause > 0 ? .wait(action.pause) : .fetch(clip: action.clip, rate: action.rate)
  }

  /// Leaves the best so many rules of an action; the others' sums become −∞.
  private mutating func keepBest(_ count: Int, of action: Int) {
    let row = action * Self.ruleLimit..<(action + 1) * Self.ruleLimit
    var left = 0
    for rule in row where sums[rule] > -.infinity { left += 1 }
    while left > count {
      var worst = -1
      for rule in row where sums[rule] > -.infinity {
        // Of equal ones the last goes.
        if worst < 0 || sums[rule] <= sums[worst] { worst = rule }
      }
      sums[worst] = -.infinity
      left -= 1
    }
  }

  /// Tries the best so many actions in more futures, each with the rules that it has left.
  private mutating func tryOut(_ count: Int, _ range: Range<Int>, _ input: DecisionInput) {
    let (actions, order) = (actions, order)
    withRollouts(input) { rollouts, sums, means in
      for place in 0..<count {
        let action = order[place]
        let row = sums + action * Self.ruleLimit
        for index in range {
          let future = rollouts.future(index)
          let begun = rollouts.begin(actions[action], future)
          for rule in 0..<Self.ruleLimit where row[rule] > -.infinity {
            row[rule] += rollouts.finish(begun, .of(rule), future)
          }
        }
        var best = -Double.infinity
        for rule in 0..<Self.ruleLimit { best = max(best, row[rule]) }
        means[action] = best / Double(range.upperBound)
      }
    }
  }

  /// The best so many actions come into order; of equal ones the one that stood before the other.
  private mutating func sort(_ count: Int) {
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
  private mutating func listActions(_ input: DecisionInput) {
    actionCount = 0
    for clip in 0..<input.clipCount where input.pendingCount(of: clip) < input.missingCounts[clip] {
      // A clip comes into question only once the one before it can start.
      if clip > 1, input.storedEnds[clip - 1] <= 0, input.pendingCount(of: clip - 1) == 0 { break }
      // Clips beyond the next need a start, and no more.
      if clip > 1, input.storedEnds[clip] >= Self.farEnough { continue }
      for rate in 0..<input.rateCounts[clip] { add(Step(clip: clip, rate: rate)) }
    }
    // While a clip stands still, or would during the pause, waiting helps nobody; nor while the next
    // one could not start: its first segment is seen for certain, sooner or later.
    let lead = input.storedEnds[0] - input.position
    let isSafe = input.missingCounts[0] == 0 || lead >= objective.shortPause
    let nextCanStart =
      input.clipCount < 2 || input.storedEnds[1] > 0 || input.pendingCount(of: 1) > 0
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
  private mutating func withRollouts(
    _ input: DecisionInput,
    _ body: (Rollouts, UnsafeMutablePointer<Double>, UnsafeMutablePointer<Double>) -> Void
  ) {
    let objective = objective
    plan.withMemory { plan in
      input.survival.withUnsafeBufferPointer { survival in
        futures.withMemory { futures in
          buffers.withMemory { buffers in
            sums.withUnsafeMutableBufferPointer { sums in
              means.withUnsafeMutableBufferPointer { means in
                let rollouts = Rollouts(input, objective, plan, survival.baseAddress!, futures, buffers)
                body(rollouts, sums.baseAddress!, means.baseAddress!)
              }
            }
          }
        }
      }
    }
  }
}

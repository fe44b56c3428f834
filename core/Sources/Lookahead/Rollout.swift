/// One decision's memory: the plan, the futures, and room for one rollout's state.
struct Table {
  /// A rollout ends when this many seconds have been played: by played and not by passed time, so that
  /// a stall does not also cost what would be played after it…
  static let horizon = 18.0
  /// …or after this many seconds in all, or steps; then every second that was not played counts as one of
  /// stall, or it would pay to put off what is slow.
  static let longest = 45.0
  static let stepLimit = 80
  /// A download never gets less than this share of the throughput.
  static let leastPace = 0.25

  let plan: Plan
  let leaves: UnsafePointer<Double>
  let factors: UnsafePointer<Double>
  let noise: UnsafePointer<Double>
  let outages: UnsafePointer<Double>
  /// By clip, segment and rate: seconds that a download takes at the estimate, and how much of the
  /// network's variation is left over that time.
  let loads: UnsafePointer<Double>
  let variations: UnsafePointer<Double>
  /// Of the rollout: up to where each clip is stored, and (three rows) the next missing segment, the
  /// rate of the last and of the first one.
  let storedEnds: UnsafeMutablePointer<Double>
  let next: UnsafeMutablePointer<Int>

  var lastRates: UnsafeMutablePointer<Int> { next + Scene.maxClips }
  var firstRates: UnsafeMutablePointer<Int> { next + Scene.maxClips * 2 }

  private func reset() {
    for clip in 0..<plan.clipCount {
      storedEnds[clip] = plan.storedEnds[clip]
      next[clip] = 0
      lastRates[clip] = plan.lastRates[clip]
      firstRates[clip] = plan.firstRates[clip]
    }
  }

  /// Where the person is in a rollout, and what it has brought so far.
  struct Run {
    var clip = 0
    var position: Double
    var played = 0.0
    var passed = 0.0
    var value = 0.0
    var downloads = 0
    /// The last step was a download too, so that the next request was made under it.
    var isBusy = false
    var isOver = false
  }

  /// Points that an action brings in one future if a rule goes on from there.
  func rollout(_ action: Step, _ rule: BaseRule, _ future: Int, _ objective: Objective) -> Double {
    reset()
    var run = Run(position: plan.position)
    let leaves = leaves + future * Scene.maxClips
    for index in 0..<plan.pendingCount where !run.isOver {
      let pending = plan.pending[index]
      run.isBusy = true
      if pending.clip < 0 {
        pass(pending.left / plan.throughput * factors[future], leaves, objective, &run)
      } else {
        let step = Step(clip: pending.clip, rate: pending.rate)
        let load = pending.left / plan.throughput
        download(step, pending.left, load, future, leaves, objective, &run)
      }
    }
    var step = action
    var steps = 0
    while !run.isOver, run.played < Self.horizon, run.passed < Self.longest, steps < Self.stepLimit {
      steps += 1
      // What was under way may have been the last of that clip, or the person has left it.
      if step.pause > 0 {
        pass(step.pause, leaves, objective, &run)
        run.isBusy = false
      } else {
        let place = place(step)
        download(step, plan.sizes[place], loads[place], future, leaves, objective, &run)
      }
      step = continuation(rule, run, leaves, objective)
    }
    let shortfall = run.isOver ? 0 : max(0, Self.horizon - run.played)
    return run.value - unplayed(run, leaves, objective) - shortfall * objective.stallPrice
  }

  /// Of the next missing segment, in the tables by clip, segment and rate.
  @inline(__always)
  private func place(_ step: Step) -> Int {
    (step.clip * Scene.maxSegments + next[step.clip]) * Scene.maxRates + step.rate
  }

  @inline(__always)
  private func utility(_ clip: Int, _ rate: Int) -> Double {
    plan.utilities[clip * Scene.maxRates + rate]
  }

  /// Fetches the next missing segment of a clip, of which so many Mbit are still to come, in so many
  /// seconds at the estimate.
  private func download(
    _ step: Step, _ megabits: Double, _ load: Double, _ future: Int,
    _ leaves: UnsafePointer<Double>, _ objective: Objective, _ run: inout Run
  ) {
    let clip = step.clip
    let start = storedEnds[clip]
    let end = plan.ends[clip * Scene.maxSegments + next[clip]]
    run.value -= objective.bytePrice * megabits
    if start <= leaves[clip] {
      run.value += utility(clip, step.rate) * (end - start)
      run.value -= switchCost(step, start, end, leaves, objective)
    } else {
      run.value -= objective.wastePrice * megabits
    }
    let draw = future * Futures.noiseLength + run.downloads % Futures.noiseLength
    let pace = max(1 + noise[draw] * variations[place(step)], Self.leastPace)
    let wait = run.isBusy && plan.isPipelined ? 0 : plan.latency
    run.downloads += 1
    var time = wait + load * factors[future] / pace
    // The link dies under it, or was dead already.
    if run.passed + time > outages[future], run.passed < outages[future] + objective.outage {
      time += objective.outage
    }
    pass(time, leaves, objective, &run)
    run.isBusy = true
    guard clip >= run.clip else { return }
    if start <= 0 { firstRates[clip] = step.rate }
    lastRates[clip] = step.rate
    storedEnds[clip] = end
    next[clip] += 1
  }

  private func switchCost(
    _ step: Step, _ start: Double, _ end: Double, _ leaves: UnsafePointer<Double>,
    _ objective: Objective
  ) -> Double {
    let clip = step.clip
    let worth = utility(clip, step.rate)
    var difference = 0.0
    if start > 0 {
      if lastRates[clip] >= 0 { difference = abs(worth - utility(clip, lastRates[clip])) }
    } else if objective.handover == .challenge {
      difference = handoverIn(clip, worth, leaves)
    }
    if objective.handover == .challenge, end > leaves[clip], leaves[clip] < plan.durations[clip],
      clip + 1 < plan.clipCount, storedEnds[clip + 1] > 0
    {
      difference += utility(clip + 1, firstRates[clip + 1])
    }
    return objective.switchPrice * difference
  }

  /// A first segment is compared with what was seen last of the clip before, if that is there.
  private func handoverIn(_ clip: Int, _ worth: Double, _ leaves: UnsafePointer<Double>) -> Double {
    if clip == 0 {
      return plan.previousRate >= 0 ? abs(worth - utility(clip, plan.previousRate)) : 0
    }
    let before = clip - 1
    guard storedEnds[before] > leaves[before], leaves[before] < plan.durations[before],
      lastRates[before] >= 0
    else { return 0 }
    return abs(worth - utility(before, lastRates[before]))
  }

  /// When a clip makes way for the next one, in seconds from its start.
  @inline(__always)
  private func leave(
    _ clip: Int, _ leaves: UnsafePointer<Double>, _ objective: Objective
  ) -> Double {
    objective.advancesAtEnd ? min(leaves[clip], plan.durations[clip]) : leaves[clip]
  }

  /// Lets time pass: the clip plays as far as it is stored, stalls where it is not, and the person
  /// leaves when the future says so.
  private func pass(
    _ seconds: Double, _ leaves: UnsafePointer<Double>, _ objective: Objective, _ run: inout Run
  ) {
    run.passed += seconds
    var rest = seconds
    while rest > 0 {
      let clip = run.clip
      let duration = plan.durations[clip]
      let leave = leave(clip, leaves, objective)
      // A clip that is there to its end loops without any more data.
      let stored =
        storedEnds[clip] >= duration && !objective.advancesAtEnd
        ? Double.greatestFiniteMagnitude : storedEnds[clip]
      let playable = min(leave, stored) - run.position
      if playable >= rest {
        run.position += rest
        run.played += rest
        if run.position < leave - 1e-9 { return }
        rest = 0
      } else if playable > 0 {
        run.position += playable
        run.played += playable
        rest -= playable
      }
      guard run.position >= leave - 1e-9 else {
        run.value -= objective.stallPrice * rest
        return
      }
      run.clip += 1
      run.position = 0
      if run.clip >= plan.clipCount {
        run.isOver = true
        return
      }
    }
  }

  /// What is stored at the end of a rollout and was not played yet has been counted in full: this
  /// much is to be taken back.
  private func unplayed(
    _ run: Run, _ leaves: UnsafePointer<Double>, _ objective: Objective
  ) -> Double {
    guard !run.isOver else { return 0 }
    var worth = 0.0
    for clip in run.clip..<plan.clipCount where lastRates[clip] >= 0 {
      var start = plan.storedEnds[clip]
      if clip == run.clip { start = max(start, run.position) }
      let seconds = min(storedEnds[clip], leaves[clip]) - start
      if seconds > 0 {
        let points = utility(clip, lastRates[clip])
        worth += seconds * points * (1 - objective.bytePrice)
      }
    }
    return worth * (1 - objective.stockShare)
  }

  // MARK: The rule

  @inline(__always)
  private func continuation(
    _ rule: BaseRule, _ run: Run, _ leaves: UnsafePointer<Double>, _ objective: Objective
  ) -> Step {
    guard !run.isOver else { return Step(pause: 1) }
    let current = run.clip
    let lead = storedEnds[current] - run.position
    let wantsCurrent = next[current] < plan.missingCounts[current]
    let after = current + 1
    if wantsCurrent, lead < rule.lowLead { return fetch(current, lead, rule) }
    let slack = wantsCurrent ? lead : .greatestFiniteMagnitude
    if after < plan.clipCount, storedEnds[after] <= 0, hasMissing(after) {
      return fetch(after, slack, rule)
    }
    if wantsCurrent, lead < rule.target,
      share(current, storedEnds[current]) >= BaseRule.likely * share(current, run.position)
    {
      return fetch(current, lead, rule)
    }
    if after < plan.clipCount, hasMissing(after), storedEnds[after] < rule.nextDepth,
      share(after, storedEnds[after]) >= BaseRule.likely
    {
      return fetch(after, slack, rule)
    }
    if after + 1 < plan.clipCount, hasMissing(after + 1), storedEnds[after + 1] < BaseRule.farDepth {
      return fetch(after + 1, slack, rule)
    }
    return Step(pause: pause(wantsCurrent ? lead : .infinity, rule, run, leaves, objective))
  }

  /// Until something may be worth fetching: the current clip runs short, or makes way for the next.
  @inline(__always)
  private func pause(
    _ lead: Double, _ rule: BaseRule, _ run: Run, _ leaves: UnsafePointer<Double>,
    _ objective: Objective
  ) -> Double {
    let untilShort =
      lead > rule.target
      ? max(0.1, lead - rule.target) : min(0.5, max(0.1, lead - rule.lowLead))
    let untilNext = leave(run.clip, leaves, objective) - run.position + 1e-6
    return min(untilShort, untilNext, Self.horizon)
  }

  @inline(__always)
  private func hasMissing(_ clip: Int) -> Bool { next[clip] < plan.missingCounts[clip] }

  @inline(__always)
  private func share(_ clip: Int, _ seconds: Double) -> Double {
    Futures.share(plan.survival + clip * (Scene.maxSeconds + 1), seconds)
  }

  /// The best rate that the rule allows and that comes in time.
  private func fetch(_ clip: Int, _ slack: Double, _ rule: BaseRule) -> Step {
    let length = plan.ends[clip * Scene.maxSegments + next[clip]] - storedEnds[clip]
    let longest = rule.longestLoad(of: length, slack: slack)
    var rate = max(0, plan.rateCounts[clip] - 1 - rule.dropped)
    let loads = loads + place(Step(clip: clip))
    while rate > 0, plan.latency + loads[rate] > longest { rate -= 1 }
    return Step(clip: clip, rate: rate)
  }
}

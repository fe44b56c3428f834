/// Plays actions out: one decision's tables and futures, and room for the state of a rollout.
struct Rollouts {
  /// A rollout ends when this many seconds have been played: by played and not by passed time, so that
  /// a stall does not also cost what would be played after it…
  static let horizon = 18.0
  /// …or after this many seconds in all, or steps; then every second that was not played counts as one of
  /// stall, or it would pay to put off what is slow.
  static let longest = 45.0
  static let stepLimit = 80
  /// What a clip that is stored to its end has to play from, in seconds.
  static let endless = 1e9
  /// A download never gets less than this share of the throughput.
  static let leastPace = 0.25

  let objective: Objective
  let clipCount: Int
  let position: Double
  let throughput: Double
  let latency: Double
  let isPipelined: Bool
  let pending: (first: DecisionInput.Pending?, second: DecisionInput.Pending?)
  let durations: UnsafePointer<Double>
  let stages: UnsafePointer<Plan.Stage>
  let options: UnsafePointer<Plan.Option>
  /// Share of people who still watch after so many seconds, by clip.
  let survival: UnsafePointer<Double>
  let futures: UnsafePointer<Double>
  let buffers: BufferState.Memory
  /// What is stored in the rollout that runs.
  private var now: BufferState.Stock { buffers.now }

  init(
    _ input: DecisionInput, _ objective: Objective, _ plan: Plan.Memory, _ survival: UnsafePointer<Double>,
    _ futures: UnsafePointer<Double>, _ buffers: BufferState.Memory
  ) {
    self.objective = objective
    clipCount = input.clipCount
    position = input.position
    throughput = input.throughput
    latency = input.latency
    isPipelined = input.isPipelined
    pending = (
      input.pendingCount > 0 ? input.pending[0] : nil, input.pendingCount > 1 ? input.pending[1] : nil
    )
    durations = plan.durations
    stages = plan.stages
    options = plan.options
    self.survival = survival
    self.futures = futures
    self.buffers = buffers
  }

  func future(_ index: Int) -> Futures.Future {
    Futures.Future(numbers: futures + index * Futures.Future.size)
  }

  /// Where the person is in a rollout, and what it has brought so far.
  struct Run {
    var clip = 0
    var position: Double
    var played = 0.0
    var passed = 0.0
    var value = 0.0
    var downloads = 0
    var steps = 1
    /// The last step was a download too, so that the next request was made under it.
    var isBusy = false
    var isOver = false
  }

  /// Lets what is under way come and does an action, in one future: what all rules go on from.
  func begin(_ action: Step, _ future: Futures.Future) -> Run {
    now.copy(buffers.atFirst)
    var run = Run(position: position)
    if let pending = pending.first { receive(pending, future, &run) }
    if let pending = pending.second { receive(pending, future, &run) }
    // What was under way may have been the last of that clip, or the person has left it.
    if !run.isOver, run.played < Self.horizon, run.passed < Self.longest { take(action, future, &run) }
    buffers.begun.copy(now)
    return run
  }

  /// What was under way comes first.
  private func receive(_ pending: DecisionInput.Pending, _ future: Futures.Future, _ run: inout Run) {
    guard !run.isOver else { return }
    run.isBusy = true
    if pending.clip >= 0 {
      take(Step(clip: pending.clip, rate: pending.rate), left: pending.left, future, &run)
    } else if pending.left > 0 {
      take(Step(pause: pending.left / throughput * future.factor), future, &run)
      run.isBusy = true
    }
  }

  /// Points that the rollout that was begun last brings in the end if a rule goes on.
  func finish(_ begun: Run, _ rule: BaseRule, _ future: Futures.Future) -> Double {
    now.copy(buffers.begun)
    var run = begun
    while !run.isOver, run.played < Self.horizon, run.passed < Self.longest, run.steps < Self.stepLimit {
      run.steps += 1
      take(next(rule, run, future), future, &run)
    }
    let shortfall = run.isOver ? 0 : max(0, Self.horizon - run.played)
    return run.value - unplayed(run, future) - shortfall * objective.stallPrice
  }

  /// Does the next thing. Of a download that is under way so many Mbit are left.
  @inline(never)
  private func take(
    _ step: Step, left: Double? = nil, _ future: Futures.Future, _ run: inout Run
  ) {
    guard step.pause <= 0 else {
      pass(step.pause, future, &run)
      run.isBusy = false
      return
    }
    var option = option(step.clip, step.rate)
    if let left {
      option.load = left / throughput
      option.price = objective.bytePrice * left
      option.waste = objective.wastePrice * left
    }
    download(step.clip, option, future, &run)
  }

  @inline(__always)
  private func stage(_ clip: Int) -> Plan.Stage { stages[now.stages[clip]] }

  /// The next missing segment of a clip in a rate.
  @inline(__always)
  private func option(_ clip: Int, _ rate: Int) -> Plan.Option {
    options[now.stages[clip] * DecisionInput.maxRates + rate]
  }

  /// Fetches the next missing segment of a clip.
  @inline(__always)
  private func download(
    _ clip: Int, _ option: Plan.Option, _ future: Futures.Future, _ run: inout Run
  ) {
    let stage = now.stages[clip]
    let start = stages[stage].end
    run.value -= option.price
    if start <= future.leaves[clip] {
      run.value += option.gain
      run.value -= objective.switchPrice * change(clip, option.utility, start)
    } else {
      run.value -= option.waste
    }
    let pace = max(1 + future.noise(run.downloads) * option.variation, Self.leastPace)
    let wait = run.isBusy && isPipelined ? 0 : latency
    run.downloads += 1
    var time = wait + option.load * future.factor / pace
    // The link dies under it, or was dead already.
    if run.passed + time > future.outage, run.passed < future.outage + objective.outage {
      time += objective.outage
    }
    pass(time, future, &run)
    run.isBusy = true
    guard clip >= run.clip else { return }
    now.lastUtilities[clip] = option.utility
    now.stages[clip] = stage + 1
  }

  /// By how much the picture changes with a segment, in points per second; more if it gets worse.
  @inline(__always)
  private func change(_ clip: Int, _ utility: Double, _ start: Double) -> Double {
    let last = now.lastUtilities[clip]
    guard start > 0, last >= 0 else { return 0 }
    return max(utility - last, objective.fallFactor * (last - utility))
  }

  /// Lets time pass: the clip plays as far as it is stored, stalls where it is not, and the person
  /// leaves when the future says so.
  @inline(__always)
  private func pass(_ seconds: Double, _ future: Futures.Future, _ run: inout Run) {
    run.passed += seconds
    var rest = seconds
    while rest > 0 {
      let departure = future.departures[run.clip]
      let playable = min(departure, stage(run.clip).playableEnd) - run.position
      if playable >= rest {
        run.position += rest
        run.played += rest
        if run.position < departure - 1e-9 { return }
        rest = 0
      } else if playable > 0 {
        run.position += playable
        run.played += playable
        rest -= playable
      }
      guard run.position >= departure - 1e-9 else {
        run.value -= objective.stallPrice * rest
        return
      }
      run.clip += 1
      run.position = 0
      if run.clip >= clipCount {
        run.isOver = true
        return
      }
    }
  }

  /// What is stored at the end of a rollout and was not played yet has been counted in full: this
  /// much is to be taken back.
  private func unplayed(_ run: Run, _ future: Futures.Future) -> Double {
    guard !run.isOver else { return 0 }
    var worth = 0.0
    for clip in run.clip..<clipCount where now.lastUtilities[clip] >= 0 {
      var start = stages[buffers.atFirst.stages[clip]].end
      if clip == run.clip { start = max(start, run.position) }
      let seconds = min(stage(clip).end, future.leaves[clip]) - start
      if seconds > 0 {
        worth += seconds * now.lastUtilities[clip] * (1 - objective.bytePrice)
      }
    }
    return worth * (1 - objective.stockShare)
  }

  // MARK: The rule

  @inline(__always)
  private func next(_ rule: BaseRule, _ run: Run, _ future: Futures.Future) -> Step {
    let current = stage(run.clip)
    let after = stage(run.clip + 1)
    let far = stage(run.clip + 2)
    let lead = current.hasMissing ? current.end - run.position : Self.endless
    let least = current.hasMissing ? rule.lead : 0
    let ahead: Int
    if lead < least {
      ahead = 0
    } else if after.hasMissing, after.end <= 0 {
      ahead = 1
    } else if lead < rule.target, current.share >= rule.targetShare * share(run.clip, run.position) {
      ahead = 0
    } else if after.hasMissing, after.end < rule.nextDepth, after.share >= rule.nextShare {
      ahead = 1
    } else if far.hasMissing, far.end < rule.farDepth {
      ahead = 2
    } else {
      return Step(pause: pause(lead, least, rule, run, future))
    }
    return fetch(run.clip + ahead, lead, rule)
  }

  // These take what they need of a run and not all of it: copying it costs as much as the rest of a step.

  /// Share of those who start a clip that still watch it.
  @inline(__always)
  private func share(_ clip: Int, _ position: Double) -> Double {
    Futures.share(survival + clip * (DecisionInput.maxSeconds + 1), position)
  }

  /// Until something may be worth fetching: the current clip runs short, or makes way for the next.
  @inline(__always)
  private func pause(
    _ lead: Double, _ least: Double, _ rule: BaseRule, _ run: Run, _ future: Futures.Future
  ) -> Double {
    let untilShort =
      lead > rule.target
      ? max(0.1, lead - max(least, rule.target)) : min(0.5, max(0.1, lead - least))
    let untilNext = future.departures[run.clip] - run.position + 1e-6
    return min(untilShort, untilNext, Self.horizon)
  }

  /// The best rate that the rule allows and that comes in time.
  private func fetch(_ clip: Int, _ lead: Double, _ rule: BaseRule) -> Step {
    let stage = stage(clip)
    let length = stages[now.stages[clip] + 1].end - stage.end
    let longest = rule.haste.limit(lead: lead, length: length)
    var rate = max(0, stage.topRate - rule.dropped)
    while rate > 0, latency + option(clip, rate).load > longest { rate -= 1 }
    return Step(clip: clip, rate: rate)
  }
}

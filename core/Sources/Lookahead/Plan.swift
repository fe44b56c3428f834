/// All that a decision's rollouts look up instead of working it out: filled from the input once for each
/// decision.
struct Plan: Sendable {
  /// A missing segment in one of its rates.
  struct Option: Sendable {
    /// Seconds that it takes to come at the estimate.
    var load = 0.0
    /// How much of the network's variation is left over that time.
    var variation = 0.0
    /// Points for its bytes, and the points more if it is never shown.
    var price = 0.0
    var waste = 0.0
    /// Points per second that it is shown, and for all of it.
    var utility = 0.0
    var gain = 0.0
  }

  /// A clip of which so many of the missing segments have come.
  struct Stage: Sendable {
    var hasMissing = false
    /// Up to where the clip is stored, in seconds…
    var end = 0.0
    /// …and up to where it can be played: a clip that is there to its end loops without any more data.
    var playableEnd = 0.0
    /// Share of those who start the clip that see the end of what is stored.
    var share = 0.0
    var topRate = 0
  }

  /// Two more than there are clips, with nothing missing: the next clip but one can always be looked at.
  static let clipPlaces = DecisionInput.maxClips + 2
  static let stagesPerClip = DecisionInput.maxSegments + 1

  /// By clip, in seconds.
  private(set) var durations = [Double](repeating: 0, count: clipPlaces)
  /// By clip and missing segments that have come.
  private(set) var stages = [Stage](repeating: Stage(), count: clipPlaces * stagesPerClip)
  /// By stage and rate: the segment that comes next.
  private(set) var options = [Option](
    repeating: Option(), count: DecisionInput.maxClips * stagesPerClip * DecisionInput.maxRates)

  /// As plain memory.
  struct Memory {
    let durations: UnsafePointer<Double>
    let stages: UnsafePointer<Stage>
    let options: UnsafePointer<Option>
  }

  func withMemory(_ body: (Memory) -> Void) {
    durations.withUnsafeBufferPointer { durations in
      stages.withUnsafeBufferPointer { stages in
        options.withUnsafeBufferPointer { options in
          body(
            Memory(
              durations: durations.baseAddress!, stages: stages.baseAddress!,
              options: options.baseAddress!))
        }
      }
    }
  }

  mutating func fill(_ input: DecisionInput, _ objective: Objective) {
    for clip in 0..<input.clipCount {
      durations[clip] = input.durations[clip]
      fillOptions(input, clip, objective)
      fillStages(input, clip, objective)
    }
    for clip in input.clipCount..<Self.clipPlaces { stages[clip * Self.stagesPerClip] = Stage() }
  }

  private mutating func fillOptions(_ input: DecisionInput, _ clip: Int, _ objective: Objective) {
    var start = input.storedEnds[clip]
    for segment in 0..<input.missingCounts[clip] {
      let end = input.ends[clip * DecisionInput.maxSegments + segment]
      for rate in 0..<input.rateCounts[clip] {
        let megabits = input.sizes[
          (clip * DecisionInput.maxSegments + segment) * DecisionInput.maxRates + rate]
        let utility = input.utility(clip, rate)
        let load = megabits / input.throughput
        // White noise: the longer it takes, the more of it averages out.
        let share = 0.5 / (load + 0.1)
        options[(clip * Self.stagesPerClip + segment) * DecisionInput.maxRates + rate] = Option(
          load: load, variation: share.squareRoot(), price: objective.bytePrice * megabits,
          waste: objective.wastePrice * megabits, utility: utility, gain: utility * (end - start))
      }
      start = end
    }
  }

  private mutating func fillStages(_ input: DecisionInput, _ clip: Int, _ objective: Objective) {
    let missing = input.missingCounts[clip]
    input.survival.withUnsafeBufferPointer { survival in
      let survival = survival.baseAddress! + clip * (DecisionInput.maxSeconds + 1)
      for stored in 0...missing {
        let end =
          stored == 0 ? input.storedEnds[clip] : input.ends[clip * DecisionInput.maxSegments + stored - 1]
        var stage = Stage(
          hasMissing: stored < missing, end: end, playableEnd: end, share: Futures.share(survival, end),
          topRate: max(0, input.rateCounts[clip] - 1))
        if end >= input.durations[clip], !objective.advancesAtEnd {
          stage.playableEnd = .greatestFiniteMagnitude
        }
        stages[clip * Self.stagesPerClip + stored] = stage
      }
    }
  }
}

extension DecisionInput {
  /// Number of a clip's missing segments that are under way.
  func pendingCount(of clip: Int) -> Int {
    var count = 0
    for index in 0..<pendingCount where pending[index].clip == clip { count += 1 }
    return count
  }
}

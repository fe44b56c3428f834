/// All that a decision's rollouts look up instead of working it out: filled from the scene once for each
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
    /// The person who is at the clip's start probably sees the end of what is stored.
    var isLikely = false
    /// Up to where the clip is stored, in seconds…
    var end = 0.0
    /// …and up to where it can be played: a clip that is there to its end loops without any more data.
    var playableEnd = 0.0
    /// From here on the person probably sees the end of what is stored.
    var likelyFrom = 0.0
    /// The longest that the next segment may take to come.
    var longestLoad = 0.0
    /// The best rate, and the best one that comes in that time.
    var topRate = 0
    var bestRate = 0

    /// The same for a rule that leaves out so many of the best rates.
    @inline(__always)
    func bestRate(dropped: Int) -> Int { min(bestRate, max(0, topRate - dropped)) }
  }

  /// Two more than there are clips, with nothing missing: the next clip but one can always be looked at.
  static let clipPlaces = Scene.maxClips + 2
  static let stagesPerClip = Scene.maxSegments + 1

  /// By clip, in seconds.
  private(set) var durations = [Double](repeating: 0, count: clipPlaces)
  /// By clip and missing segments that have come.
  private(set) var stages = [Stage](repeating: Stage(), count: clipPlaces * stagesPerClip)
  /// By stage and rate: the segment that comes next.
  private(set) var options = [Option](
    repeating: Option(), count: Scene.maxClips * stagesPerClip * Scene.maxRates)

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

  mutating func fill(_ scene: Scene, _ objective: Objective) {
    for clip in 0..<scene.clipCount {
      durations[clip] = scene.durations[clip]
      fillOptions(scene, clip, objective)
      fillStages(scene, clip, objective)
    }
    for clip in scene.clipCount..<Self.clipPlaces { stages[clip * Self.stagesPerClip] = Stage() }
  }

  private mutating func fillOptions(_ scene: Scene, _ clip: Int, _ objective: Objective) {
    var start = scene.storedEnds[clip]
    for segment in 0..<scene.missingCounts[clip] {
      let end = scene.ends[clip * Scene.maxSegments + segment]
      for rate in 0..<scene.rateCounts[clip] {
        let megabits = scene.sizes[(clip * Scene.maxSegments + segment) * Scene.maxRates + rate]
        let utility = scene.utility(clip, rate)
        let load = megabits / scene.throughput
        options[(clip * Self.stagesPerClip + segment) * Scene.maxRates + rate] = Option(
          load: load,
          // White noise: the longer it takes, the more of it averages out.
          variation: (0.5 / (load + 0.1)).squareRoot(),
          price: objective.bytePrice * megabits, waste: objective.wastePrice * megabits,
          utility: utility, gain: utility * (end - start))
      }
      start = end
    }
  }

  private mutating func fillStages(_ scene: Scene, _ clip: Int, _ objective: Objective) {
    let missing = scene.missingCounts[clip]
    let survival = clip * (Scene.maxSeconds + 1)
    var second = 0
    for stored in 0...missing {
      let end = stored == 0 ? scene.storedEnds[clip] : scene.ends[clip * Scene.maxSegments + stored - 1]
      var stage = Stage(hasMissing: stored < missing, end: end, playableEnd: end)
      if end >= scene.durations[clip], !objective.advancesAtEnd {
        stage.playableEnd = .greatestFiniteMagnitude
      }
      let share = scene.survival.withUnsafeBufferPointer {
        Futures.share($0.baseAddress! + survival, end)
      }
      stage.isLikely = share >= BaseRule.likely
      // The later the end, the later this is.
      let goal = share / BaseRule.likely
      while second < Scene.maxSeconds, scene.survival[survival + second] > goal { second += 1 }
      let after = scene.survival[survival + second]
      stage.likelyFrom = after > goal ? .infinity : Double(second)
      if second > 0, after <= goal {
        stage.likelyFrom -= (goal - after) / (scene.survival[survival + second - 1] - after)
      }
      if stored < missing { setRates(&stage, scene, clip, stored) }
      stages[clip * Self.stagesPerClip + stored] = stage
    }
  }

  private func setRates(_ stage: inout Stage, _ scene: Scene, _ clip: Int, _ segment: Int) {
    let length = scene.ends[clip * Scene.maxSegments + segment] - stage.end
    stage.longestLoad = BaseRule.longestLoad * length
    let first = (clip * Self.stagesPerClip + segment) * Scene.maxRates
    stage.topRate = max(0, scene.rateCounts[clip] - 1)
    stage.bestRate = stage.topRate
    while stage.bestRate > 0, scene.latency + options[first + stage.bestRate].load > stage.longestLoad {
      stage.bestRate -= 1
    }
  }
}

extension Scene {
  /// Number of a clip's missing segments that are under way.
  func pendingCount(of clip: Int) -> Int {
    var count = 0
    for index in 0..<pendingCount where pending[index].clip == clip { count += 1 }
    return count
  }
}

import CoreTypes

/// Sampled futures: when the person leaves each clip, how fast the network really is, how it varies.
/// The same for every action that is compared (common random numbers), and spread evenly instead of
/// drawn by chance: in each dimension every fortieth part of the probability has one future (Latin
/// hypercube sampling; McKay, Beckman and Conover, 1979).
struct Futures: Sendable {
  static let count = 40
  /// Variations of the network along a rollout, then the same again; a power of two.
  static let noiseLength = 64

  /// One of them, as plain memory.
  struct Future {
    fileprivate static let leavesPlace = 2
    fileprivate static let departuresPlace = leavesPlace + DecisionInput.maxClips
    fileprivate static let noisePlace = departuresPlace + DecisionInput.maxClips
    static let size = noisePlace + noiseLength

    let numbers: UnsafePointer<Double>

    /// Estimated over real throughput.
    var factor: Double { numbers[0] }
    /// When the link dies, in seconds from now; infinity: not at all.
    var outage: Double { numbers[1] }
    /// When the person leaves, by clip, in seconds from its start…
    var leaves: UnsafePointer<Double> { numbers + Self.leavesPlace }
    /// …and when the clip makes way for the next one.
    var departures: UnsafePointer<Double> { numbers + Self.departuresPlace }

    /// How far a download of a rollout is off the throughput's mean over half a second.
    @inline(__always)
    func noise(_ download: Int) -> Double { numbers[Self.noisePlace + download & (noiseLength - 1)] }
  }

  /// All of them, one after the other.
  private(set) var numbers = [Double](repeating: 0, count: count * Future.size)
  private let advancesAtEnd: Bool

  /// Outages begin within this many seconds.
  private static let outageSpan = 12.0

  /// Dimensions of a future besides the variations: the leaving of each clip, the throughput, and when
  /// an outage begins.
  private static let dimensions = DecisionInput.maxClips + 2
  private static let throughputDimension = DecisionInput.maxClips
  private static let outageDimension = DecisionInput.maxClips + 1
  /// Evenly spread points in 0…1, by future and dimension.
  private var points = [Double](repeating: 0, count: count * dimensions)

  private static let seed: UInt64 = 2
  init(_ objective: Objective) {
    advancesAtEnd = objective.advancesAtEnd
    var generator = SeededGenerator(seed: Self.seed)
    var strata = Array(0..<Self.count)
    for dimension in 0..<Self.dimensions {
      Self.shuffle(&strata, &generator)
      for future in 0..<Self.count {
        points[future * Self.dimensions + dimension] = Self.middle(ofStratum: strata[future])
      }
    }
    for place in 0..<Self.noiseLength {
      Self.shuffle(&strata, &generator)
      for future in 0..<Self.count {
        numbers[future * Future.size + Future.noisePlace + place] =
          Self.normalQuantile(Self.middle(ofStratum: strata[future])) * objective.variation
      }
    }
    // Spread over the futures, so that the first few have their share too.
    let share = objective.outageShare
    for future in 0..<Self.count {
      let due = Double(future + 1) * share
      let dies = Double(Int(due)) > due - share
      numbers[future * Future.size + 1] =
        dies ? point(future, Self.outageDimension) * Self.outageSpan : .infinity
    }
  }

  func withMemory(_ body: (UnsafePointer<Double>) -> Void) {
    numbers.withUnsafeBufferPointer { body($0.baseAddress!) }
  }

  private static func middle(ofStratum stratum: Int) -> Double { (Double(stratum) + 0.5) / Double(count) }

  private static func shuffle(_ strata: inout [Int], _ generator: inout SeededGenerator) {
    for last in (1..<strata.count).reversed() {
      strata.swapAt(last, Int(generator.next() % UInt64(last + 1)))
    }
  }

  private func point(_ future: Int, _ dimension: Int) -> Double {
    points[future * Self.dimensions + dimension]
  }

  mutating func sample(_ input: DecisionInput) {
    for clip in 0..<input.clipCount { sampleLeaves(input, clip) }
    for future in 0..<Self.count {
      let deviation =
        Self.normalQuantile(point(future, Self.throughputDimension)) * input.spread
      numbers[future * Future.size] = Self.exponential(input.spread * input.spread / 2 - deviation)
    }
  }

  /// By inversion of the survival curve, for the current clip from where it plays.
  private mutating func sampleLeaves(_ input: DecisionInput, _ clip: Int) {
    let curve = clip * (DecisionInput.maxSeconds + 1)
    let begin = clip == 0 ? min(Int(input.position), DecisionInput.maxSeconds - 1) : 0
    input.survival.withUnsafeBufferPointer { survival in
      let here =
        clip == 0
        ? Self.share(survival.baseAddress! + curve, input.position) : 1
      for future in 0..<Self.count {
        let goal = here * (1 - point(future, clip))
        var low = begin
        var high = DecisionInput.maxSeconds
        // The last second at whose start more than the goal are still there.
        while low + 1 < high {
          let middle = (low + high) / 2
          if survival[curve + middle] > goal { low = middle } else { high = middle }
        }
        let before = survival[curve + low]
        let after = survival[curve + low + 1]
        var leave = Double(low + 1)
        if before > after, goal >= after { leave = Double(low) + (before - goal) / (before - after) }
        if goal < after { leave = .greatestFiniteMagnitude }
        let earliest = clip == 0 ? input.position + 0.001 : 0.001
        leave = max(leave, earliest)
        let row = future * Future.size
        numbers[row + Future.leavesPlace + clip] = leave
        numbers[row + Future.departuresPlace + clip] =
          advancesAtEnd ? min(leave, input.durations[clip]) : leave
      }
    }
  }

  /// Share of people who are still there after so many seconds, between the whole ones linear.
  @inline(__always)
  static func share(_ survival: UnsafePointer<Double>, _ seconds: Double) -> Double {
    if seconds <= 0 { return survival[0] }
    if seconds >= Double(DecisionInput.maxSeconds) { return survival[DecisionInput.maxSeconds] }
    let whole = Int(seconds)
    let part = seconds - Double(whole)
    return survival[whole] * (1 - part) + survival[whole + 1] * part
  }

  /// Quantile of the normal distribution by Tukey's lambda (0.1349), to about a hundredth.
  @inline(never)
  private static func normalQuantile(_ probability: Double) -> Double {
    (power(probability) - power(1 - probability)) / 0.1975
  }

  private static func power(_ base: Double) -> Double {
    exponential(0.1349 * logarithm(max(base, 1e-6)))
  }

  /// eˣ as (1 + x/256)²⁵⁶: within 1 % for |x| < 2, and by multiplication alone.
  static func exponential(_ exponent: Double) -> Double {
    var value = 1 + min(max(exponent, -20), 20) / 256
    for _ in 0..<8 { value *= value }
    return value
  }

  private static func logarithm(_ number: Double) -> Double {
    var rest = number
    var sum = 0.0
    while rest < 0.5 {
      rest *= 2
      sum -= 0.693_147_180_559_945
    }
    let ratio = (rest - 1) / (rest + 1)
    let square = ratio * ratio
    return sum + 2 * ratio * (1 + square * (1 / 3.0 + square * (0.2 + square / 7)))
  }
}

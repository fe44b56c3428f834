/// All that one decision looks at: the clips from the current one on, what is stored of them, what
/// still has to come and how big it is, how likely the person is to get there, and the network.
///
/// Filled anew for each decision; its storage is allocated once.
public struct DecisionInput: Sendable {
  /// The current clip and the four after it.
  public static let maxClips = 5
  /// Missing segments of one clip that are looked at: at 1 to 2 s each, more than a rollout plays.
  public static let maxSegments = 24
  /// Renditions that are weighed for one clip.
  public static let maxRates = 4
  static let sizeCount = maxClips * maxSegments * maxRates
  /// Retention is known per second up to here; what is longer keeps the last value.
  public static let maxSeconds = 128
  public static let maxPending = 2

  /// A download that runs already: of the first missing segment of a clip that is not under way, or of
  /// something that is no part of the input (clip −1).
  struct Pending: Sendable {
    var clip = 0
    var rate = 0
    /// Mbit that have yet to come.
    var left = 0.0
  }

  public internal(set) var clipCount = 0
  /// Where the current clip plays, in seconds.
  public var position = 0.0
  /// Estimate of the throughput in Mbit/s.
  public var throughput = 1.0
  /// How uncertain that is: standard deviation of its logarithm.
  public var spread = 0.2
  #if !hasFeature(Embedded)
    public var link = LinkSigns()
  #endif
  /// Seconds that a request costs before its first byte.
  public var latency = 0.1
  /// The next request is on its way before the last one ends, so that only the first one after a
  /// pause costs the latency.
  public var isPipelined = true
  /// Rate in which the clip before the current one was seen last, if its end was not; −1: unknown.
  public var previousRate = -1

  var pending = [Pending](repeating: Pending(), count: maxPending)
  var pendingCount = 0
  var durations = [Double](repeating: 0, count: maxClips)
  /// Up to where each clip is stored from its start (the current one: from its position) on.
  var storedEnds = [Double](repeating: 0, count: maxClips)
  var rateCounts = [Int](repeating: 0, count: maxClips)
  var missingCounts = [Int](repeating: 0, count: maxClips)
  /// Rate of the last stored segment and of the first segment of each clip; −1: none.
  var lastRates = [Int](repeating: -1, count: maxClips)
  var firstRates = [Int](repeating: -1, count: maxClips)
  /// Points per second, by clip and rate.
  var utilities = [Double](repeating: 0, count: maxClips * maxRates)
  /// When each missing segment ends, by clip.
  var ends = [Double](repeating: 0, count: maxClips * maxSegments)
  /// Mbit, by clip, segment and rate.
  var sizes = [Double](repeating: 0, count: sizeCount)
  /// Share of people who still watch after so many seconds, by clip.
  var survival = [Double](repeating: 0, count: maxClips * (maxSeconds + 1))

  public init() {}

  public mutating func clear() {
    clipCount = 0
    pendingCount = 0
    position = 0
    previousRate = -1
  }

  /// Adds the next clip; times in seconds. Returns its place, or −1 if the input is full.
  public mutating func addClip(
    duration: Double, storedEnd: Double, lastRate: Int = -1, firstRate: Int = -1
  ) -> Int {
    guard clipCount < Self.maxClips else { return -1 }
    let clip = clipCount
    clipCount += 1
    durations[clip] = max(duration, 0.001)
    storedEnds[clip] = storedEnd
    lastRates[clip] = lastRate
    firstRates[clip] = firstRate
    rateCounts[clip] = 0
    missingCounts[clip] = 0
    return clip
  }

  /// Rates of the last stored segment and of the first one; −1: none.
  public mutating func setStoredRates(clip: Int, last: Int, first: Int) {
    lastRates[clip] = last
    firstRates[clip] = first
  }

  /// Points per second of a clip in a rate; −1 for none.
  func utility(_ clip: Int, _ rate: Int) -> Double { rate < 0 ? -1 : utilities[clip * Self.maxRates + rate] }

  /// Up to where a clip is stored, in seconds.
  public func storedEnd(_ clip: Int) -> Double { storedEnds[clip] }

  public func rateCount(_ clip: Int) -> Int { rateCounts[clip] }

  /// Share of those who watch a clip at one time that still do at another.
  public func survival(clip: Int, from: Double, to: Double) -> Double {
    survival.withUnsafeBufferPointer { survival in
      let row = survival.baseAddress! + clip * (Self.maxSeconds + 1)
      let before = Futures.share(row, from)
      return before > 0 ? Futures.share(row, to) / before : 0
    }
  }

  /// Adds a rate to a clip, in rising order, worth so many points per second.
  public mutating func addRate(to clip: Int, utility: Double) {
    guard rateCounts[clip] < Self.maxRates else { return }
    utilities[clip * Self.maxRates + rateCounts[clip]] = utility
    rateCounts[clip] += 1
  }

  /// Adds the next missing segment of a clip; its sizes are set with `setSize`. False if full.
  public mutating func addSegment(to clip: Int, end: Double) -> Bool {
    guard missingCounts[clip] < Self.maxSegments else { return false }
    ends[clip * Self.maxSegments + missingCounts[clip]] = end
    missingCounts[clip] += 1
    return true
  }

  /// Size in Mbit of the segment added last.
  public mutating func setSize(_ megabits: Double, clip: Int, rate: Int) {
    let segment = missingCounts[clip] - 1
    sizes[(clip * Self.maxSegments + segment) * Self.maxRates + rate] = megabits
  }

  /// Share (0…1) of those who start a clip that still watch it after so many whole seconds. Brought
  /// into order: starts at 1 and never rises.
  public mutating func setSurvival(_ share: Double, after second: Int, clip: Int) {
    let row = clip * (Self.maxSeconds + 1)
    let bound = second == 0 ? 1 : survival[row + second - 1]
    survival[row + second] = second == 0 ? 1 : min(max(share, 0), bound)
  }

  /// A download under way: the first missing segment of a clip that was not added yet, or (−1)
  /// something else that keeps the link busy.
  public mutating func addPending(clip: Int, rate: Int, left megabits: Double) {
    guard pendingCount < Self.maxPending,
      clip < 0 || pendingCount(of: clip) < missingCounts[clip]
    else { return }
    pending[pendingCount] = Pending(clip: clip, rate: rate, left: max(0, megabits))
    pendingCount += 1
  }

  public mutating func dropPending() { pendingCount = 0 }
}

#if !hasFeature(Embedded)
  /// What the transfers so far say of the link besides its mean: only a learned policy looks at it.
  public struct LinkSigns: Equatable, Sendable {
    /// Mbit/s in the last two seconds of transfers, and of the last transfer.
    public let recent: Double
    public let last: Double
    /// Standard deviation over half a second, relative to the mean.
    public let variation: Double
    /// Standard deviation of the mean itself, relative to it.
    public let error: Double

    public init(recent: Double = 1, last: Double = 1, variation: Double = 0.45, error: Double = 0.45) {
      self.recent = recent
      self.last = last
      self.variation = variation
      self.error = error
    }
  }
#endif

#if !hasFeature(Embedded)
  /// What the learned policy sees of a decision: numbers of about the size of one, and which actions there
  /// are.
  ///
  /// It sees what a rule would look at and nothing that says which clip, link or person this is: what is
  /// stored, what the next segments take to come, how probably they are seen, and what the link did.
  struct Observation {
    static let count = 64
    /// The first clips, each in so many rates, and then the pauses.
    static let rates = 3
    static let clips = 4
    static let pauses = [0.1, 0.3, 0.8]
    static let actionCount = clips * rates + pauses.count
    /// Clips beyond the next but one need a start, and no more.
    private static let farEnough = 3.0
    /// With less than this to play from nobody waits.
    private static let leastLead = 0.1
    private static let perClip = 13
    private static let detailedClips = 3
    /// Seconds that what is watched is counted for.
    private static let outlook = 12.0

    private(set) var numbers = [Float](repeating: 0, count: count)
    /// By action.
    private(set) var isPossible = [Bool](repeating: false, count: actionCount)
    private var place = 0

    mutating func fill(_ input: DecisionInput) {
      for index in numbers.indices { numbers[index] = 0 }
      for action in isPossible.indices { isPossible[action] = false }
      for clip in 0..<Self.detailedClips { describe(clip, input) }
      place = Self.detailedClips * Self.perClip
      describeFar(Self.detailedClips, input)
      describeLeaving(input)
      describeLink(input)
      listActions(input)
    }

    private mutating func add(_ number: Double) {
      numbers[place] = Float(number)
      place += 1
    }

    /// One of the rates, or none.
    private mutating func addChoice(_ choice: Int) {
      if choice >= 0 { numbers[place + min(choice, Self.rates - 1)] = 1 }
      place += Self.rates
    }

    private mutating func describe(_ clip: Int, _ input: DecisionInput) {
      place = clip * Self.perClip
      guard clip < input.clipCount else {
        // As a clip that is there for ever.
        numbers[place + 1] = 2.5
        numbers[place + 2] = 1
        return
      }
      let hasMissing = input.missingCounts[clip] > 0
      let lead = clip > 0 ? input.storedEnds[clip] : hasMissing ? input.lead : 10
      add(hasMissing ? 1 : 0)
      add(min(lead, 10) / 4)
      add(min(lead, 1))
      add(input.lastRates[clip] < 0 ? 1 : 0)
      if hasMissing {
        describeNext(clip, input)
      } else {
        place += 3 + Self.rates
      }
      addChoice(input.lastRates[clip])
    }

    /// How probably the next missing segment is seen, is the last one that is, how much is watched from
    /// there on, and how long it takes to come.
    private mutating func describeNext(_ clip: Int, _ input: DecisionInput) {
      let here = clip == 0 ? input.stillHere : 1
      let start = input.storedEnds[clip]
      let seen = input.share(clip, start)
      add(min(1, seen / here))
      add(min(1, (seen - input.share(clip, input.ends[clip * DecisionInput.maxSegments])) / here))
      var watched = 0.0
      var second = 0.0
      while second < Self.outlook, start + second < input.durations[clip] {
        watched += input.share(clip, start + second)
        second += 1
      }
      add(min(1, watched / here / Self.outlook))
      for rate in 0..<Self.rates { add(input.load(clip, rate) / 2) }
    }

    private mutating func describeFar(_ clip: Int, _ input: DecisionInput) {
      guard clip < input.clipCount else { return place += 4 }
      let hasMissing = input.missingCounts[clip] > 0
      add(hasMissing ? 1 : 0)
      add(min(input.storedEnds[clip], 10) / 4)
      add(hasMissing ? input.share(clip, input.storedEnds[clip]) : 0)
      add(hasMissing ? input.load(clip, 1) / 2 : 0)
    }

    private mutating func describeLeaving(_ input: DecisionInput) {
      let (here, position) = (input.stillHere, input.position)
      add(1 - input.share(0, position + 1) / here)
      add(1 - input.share(0, position + 3) / here)
      add(max(0, min(input.durations[0] - position, 10)) / 10)
      add(position - position.rounded(.down))
      add(min(position, 20) / 10)
      addChoice(input.previousRate)
      guard input.clipCount > 1 else { return place += Self.rates + 2 }
      addChoice(input.firstRates[1])
      add(1 - input.share(1, 1))
      add(1 - input.share(1, 3))
    }

    private mutating func describeLink(_ input: DecisionInput) {
      let mean = max(input.throughput, 1e-9)
      add(min(4, 1.6 / mean))
      add(min(4, mean / 4))
      add(min(2, input.link.variation))
      add(min(1, input.link.error))
      add(min(3, input.link.recent / mean))
      add(min(3, input.link.last / mean))
      add(Double(input.clipCount) / Double(DecisionInput.maxClips))
      add(input.missingCounts[0] > 0 && input.lead <= 0.001 ? 1 : 0)
    }

    private mutating func listActions(_ input: DecisionInput) {
      var isAnyPossible = false
      for clip in 0..<min(Self.clips, input.clipCount)
      where input.pendingCount(of: clip) < input.missingCounts[clip] {
        // A clip comes into question only once the one before it can start.
        if clip > 1, input.storedEnds[clip - 1] <= 0 { continue }
        if clip == Self.clips - 1, input.storedEnds[clip] >= Self.farEnough { continue }
        for rate in 0..<min(Self.rates, input.rateCounts[clip]) {
          isPossible[clip * Self.rates + rate] = true
          isAnyPossible = true
        }
      }
      guard !isAnyPossible || input.missingCounts[0] == 0 || input.lead >= Self.leastLead else { return }
      for action in Self.clips * Self.rates..<Self.actionCount { isPossible[action] = true }
    }
  }

  extension DecisionInput {
    /// What the current clip has to play from, in seconds.
    fileprivate var lead: Double { max(0, storedEnds[0] - position) }

    /// Share of those who start the current clip that are still there.
    fileprivate var stillHere: Double { max(share(0, position), 1e-6) }

    fileprivate func share(_ clip: Int, _ seconds: Double) -> Double {
      survival.withUnsafeBufferPointer {
        Futures.share($0.baseAddress! + clip * (Self.maxSeconds + 1), seconds)
      }
    }

    /// Seconds until a clip's next missing segment has come, at most four.
    fileprivate func load(_ clip: Int, _ rate: Int) -> Double {
      let place = clip * Self.maxSegments * Self.maxRates + max(0, min(rate, rateCounts[clip] - 1))
      return min(4, latency + sizes[place] / max(throughput, 1e-9))
    }
  }
#endif

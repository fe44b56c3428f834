/// An impression that was learned: what was said of it before, and what came.
public struct Lesson: Sendable, Equatable {
  /// By head.
  public let predicted: [Head: Float]
  /// By head, 0 to 1: what was learned. Without a head of which nobody measured anything.
  public let outcome: [Head: Float]
  /// What the kept model says of the same; nothing if none is kept.
  public let byKept: [Head: Float]?

  public init(predicted: [Head: Float], outcome: [Head: Float], byKept: [Head: Float]?) {
    self.predicted = predicted
    self.outcome = outcome
    self.byKept = byKept
  }
}

extension Ranker {
  /// Learns from an impression: first says what was expected, then takes in what came. Nothing if the clip
  /// is not known or the viewer is not trusted at all; then nothing is learned either.
  ///
  /// - Returns: the probabilities by head, before this impression (progressive validation).
  @discardableResult
  public func observe(_ impression: Impression, teachingModel: Bool = true) -> [Head: Float]? {
    learn(from: impression, teachingModel: teachingModel)?.predicted
  }

  /// As `observe`, and says what came as well.
  public func learn(from impression: Impression, teachingModel: Bool = true) -> Lesson? {
    guard impression.trust > 0, let number = numbers[impression.clip] else { return nil }
    var viewer = takeViewer(impression.viewer)
    defer { viewers[impression.viewer] = viewer }
    let duration = clips[Int(number)].clip.duration
    let outcome = Labels(impression, duration: duration)
    let observed = Labels(impression.observed)

    let terms = terms(
      of: viewer, impression.viewer, surface: impression.surface, at: impression.at)
    makeFeatures(
      of: number, for: viewer, terms, vector: vector(of: &viewer),
      coWatch: similarity(of: number, to: viewer), surface: impression.surface, at: impression.at,
      into: &features)
    var wanted: [Head: Float] = [.positive: outcome.isPositive ? 1 : 0, .action: outcome.isAction ? 1 : 0]
    if let watched = impression.watched {
      let share = labels.observe(watched, of: duration, weight: impression.trust)
      wanted[.skip] = outcome.isSkip ? 1 : 0
      wanted[.watch] = outcome.isSkip ? 0 : share
    }
    let byKept = keptModel?.predict(features)
    let predicted = model.learn(features, labels: wanted, weight: teachingModel ? impression.trust : 0)

    grant(number, weight: impression.trust, at: impression.at)
    count(outcome, of: number, by: &viewer, surface: impression.surface, weight: impression.trust)
    // Of the clip, these were counted when they came.
    clips[Int(number)].rates.takeBack(observed, weight: impression.trust)
    viewer.lastAt = max(viewer.lastAt, impression.at)
    if outcome.isPositive, !observed.isAction {
      like(number, by: &viewer, impression.viewer, weight: impression.trust, at: impression.at)
    } else if impression.actions.contains(.notInterested) {
      viewer.dislike(number)
    }
    watch(number, isPositive: outcome.isPositive, by: &viewer, impression.viewer, weight: impression.trust)
    return Lesson(predicted: Self.byHead(predicted), outcome: wanted, byKept: byKept.map(Self.byHead))
  }

  /// An action that came when the impression was over, or without one.
  ///
  /// - Parameters:
  ///   - at: milliseconds since 1970.
  ///   - trust: 0 to 1.
  public func observe(_ actions: Actions, on clip: EntityID, by id: EntityID, at: Int64, trust: Float = 1) {
    let trust = trust.bounded(0...1)
    guard trust > 0, let number = numbers[clip] else { return }
    var viewer = takeViewer(id)
    defer { viewers[id] = viewer }
    let outcome = Labels(actions)
    clips[Int(number)].rates.actions += outcome.isAction ? trust : 0
    clips[Int(number)].rates.skips += outcome.isSkip ? trust : 0
    viewer.lastAt = max(viewer.lastAt, at)
    if outcome.isAction {
      like(number, by: &viewer, id, weight: trust, at: at)
      // Of a watch that is over; one that is not comes with this action in it.
      let before = viewer.mark(number, isPositive: true)
      if usesSequence, let before, teaches(number, id, weight: trust) {
        sequence?.learn(number, after: before)
      }
    } else if outcome.isSkip {
      viewer.dislike(number)
    }
  }

  /// History without impressions, as it is read in when a ranker is new: clips that somebody liked, the
  /// oldest first.
  ///
  /// - Parameter trust: 0 to 1.
  public func learn(_ history: [EntityID], of id: EntityID, at: Int64, trust: Float = 1) {
    let trust = trust.bounded(0...1)
    guard trust > 0 else { return }
    var viewer = takeViewer(id)
    defer { viewers[id] = viewer }
    for clip in history {
      guard let number = numbers[clip] else { continue }
      like(number, by: &viewer, id, weight: trust, at: at)
      watch(number, isPositive: true, by: &viewer, id, weight: trust)
    }
    viewer.lastAt = max(viewer.lastAt, at)
  }

  /// A viewer to change: out of the dictionary for as long, or its arrays would be copied.
  private func takeViewer(_ id: EntityID) -> ViewerRecord {
    if let known = viewers.removeValue(forKey: id) { return known }
    if viewers.count >= max(settings.viewers, 1) { dropIdleViewers() }
    return ViewerRecord()
  }

  /// A tenth of all, those who were away longest: rarely, and then at once.
  private func dropIdleViewers() {
    let times = viewers.values.map(\.lastAt).sorted()
    let bound = times[times.count / 10]
    var left = max(times.count / 10, 1)
    for (id, viewer) in viewers.sorted(by: { $0.key < $1.key }) where viewer.lastAt <= bound && left > 0 {
      viewers[id] = nil
      left -= 1
    }
  }

  private func count(
    _ outcome: Labels, of number: UInt32, by viewer: inout ViewerRecord, surface: UInt8, weight: Float
  ) {
    let place = Int(number)
    clips[place].rates.add(outcome, weight: weight)
    let wasOver = clips[place].exploration.isOver
    Exploration.observe(
      outcome.isPositive, weight: weight, &clips[place].exploration, prior: priorRate, median: medianRate,
      settings.exploration)
    if !wasOver, clips[place].exploration.isOver, let spent = exploring.firstIndex(of: number) {
      exploring.remove(at: spent)
    }
    let clip = clips[place].clip
    let bucket = WatchLabels.bucket(of: clip.duration)
    totals.add(outcome, weight: weight)
    surfaces[Int(surface) * WatchLabels.buckets + bucket].add(outcome, weight: weight)
    // What somebody does is theirs, however little it counts for others.
    viewer.rates.add(outcome, weight: 1)
    for tag in clip.tags { viewer.tags.add(tag, isPositive: outcome.isPositive, weight: 1) }
    viewer.authors.add(clip.author.hash, isPositive: outcome.isPositive, weight: 1)
    viewer.durations.add(UInt64(bucket), isPositive: outcome.isPositive, weight: 1)
    viewer.recent += (outcome.isPositive ? 1 - viewer.recent : -viewer.recent) / 8
  }

  /// Counts a first impression of a new clip for its author.
  private func grant(_ number: UInt32, weight: Float, at time: Int64) {
    let record = clips[Int(number)]
    guard !record.exploration.isOver,
      record.exploration.impressions < settings.exploration.budgets.first ?? 0
    else { return }
    grants.observe(record.clip.author, weight: weight, at: time)
  }

  /// A clip that a viewer liked once is a neighbour of theirs once.
  private func like(
    _ number: UInt32, by viewer: inout ViewerRecord, _ id: EntityID, weight: Float, at time: Int64
  ) {
    if !viewer.positives.contains(number) {
      coWatch.observe(number, after: viewer.positives, weight: weight, at: time)
    }
    popularity.observe(number, weight: weight, at: time)
    viewer.like(number, teaching: teaches(number, id, weight: weight))
  }

  /// The same for the same like, whenever it is learned.
  private func teaches(_ number: UInt32, _ id: EntityID, weight: Float) -> Bool {
    let chance = Double(StableHash.of(id.hash, clips[Int(number)].clip.id.hash) >> 11) * 0x1p-53
    return chance < Double(weight)
  }

  /// What comes next is learned from positives alone; the watches that it is told from are all.
  private func watch(
    _ number: UInt32, isPositive: Bool, by viewer: inout ViewerRecord, _ id: EntityID, weight: Float
  ) {
    guard sequence != nil else { return }
    if usesSequence, isPositive, teaches(number, id, weight: weight) {
      sequence?.learn(number, after: viewer.watches)
    }
    viewer.watch(number, isPositive: isPositive)
  }

  /// The rate of positives of all impressions.
  var priorRate: Double { totals.positiveRate(prior: 0.3, strength: 1) }
}

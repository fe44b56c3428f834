extension Ranker {
  /// All that was learned, as it is now. A refit that is under way is not in it.
  ///
  /// It costs nothing by itself: memory is shared until one side changes, and then copied, each part once and
  /// as fast as memory is. So a host takes it in its turn, and makes bytes of it elsewhere.
  public var state: RankerState { RankerState(of: self) }

  /// `state` as bytes.
  public func snapshot() -> [UInt8] { state.snapshot() }

  /// What must be the same on both sides.
  var sizes: [Int] {
    [
      settings.factors.dimensions, model.settings.bits, model.denseCount, LogisticModel.heads,
      WatchLabels.buckets, sequence?.settings.dimensions ?? 0,
    ]
  }

  /// A ranker as it was.
  public convenience init(
    restoring bytes: [UInt8], settings: Settings = Settings(), now: Int64
  ) throws(SnapshotError) {
    self.init(settings: settings, now: now)
    var reader = SnapshotReader(try Snapshot.open(bytes))
    for size in sizes {
      guard try reader.integer(UInt32.self) == UInt32(size) else { throw .otherSettings }
    }
    generator = SeededGenerator(seed: try reader.integer())
    try readClips(from: &reader)
    try readGrants(from: &reader)
    try readViewers(from: &reader)
    let columns = settings.factors.dimensions
    var vectors = Matrix(rows: clips.count, columns: columns)
    vectors.values = try reader.floats(clips.count * columns)
    factors = ClipFactors(
      vectors: vectors, gram: try reader.floats(columns * columns), settings: settings.factors)
    try readCoWatch(from: &reader)
    popularity.decay = try reader.decay(settings.popularityHalfLife)
    popularity.sums = try reader.floats(clips.count)
    popularity.refill()
    for bucket in labels.sketches.indices {
      guard let sketch = QuantileSketch(counts: try reader.floats()) else { throw .damaged }
      labels.sketches[bucket] = sketch
    }
    model.dense = try reader.floats(model.dense.count)
    model.denseSquares = try reader.floats(model.dense.count)
    model.crosses = try reader.floats(model.crosses.count)
    model.crossSquares = try reader.floats(model.crosses.count)
    guard (model.denseSquares + model.crossSquares).allSatisfy({ $0 > 0 }) else { throw .damaged }
    totals = try Self.readRates(from: &reader)
    let numbers = try reader.floats(surfaces.count * 4)
    surfaces = surfaces.indices.map { Self.rates(Array(numbers[$0 * 4..<$0 * 4 + 4])) }
    medianRate = try reader.double().bounded(0...1)
    sequence = try readSequence(from: &reader)
    // One of before ends here.
    if !reader.isAtEnd, try reader.integer(UInt8.self) != 0 {
      var kept = model
      kept.dense = try reader.floats(model.dense.count)
      kept.crosses = try reader.floats(model.crosses.count)
      keptModel = kept
    }
    guard reader.isAtEnd else { throw .damaged }
    // Not kept, since it follows from the vectors. Until it is there a search looks at all.
    refitWork = .index(
      InvertedFileBuild(findableNumbers, of: factors.vectors, settings: settings.index, by: &generator))
  }

  // MARK: Parts

  private static func rates(_ numbers: [Float]) -> Rates {
    Rates(
      impressions: max(numbers[0], 0), positives: max(numbers[1], 0), actions: max(numbers[2], 0),
      skips: max(numbers[3], 0))
  }

  private static func readRates(from reader: inout SnapshotReader) throws(SnapshotError) -> Rates {
    rates(try reader.floats(4))
  }

  private func readClips(from reader: inout SnapshotReader) throws(SnapshotError) {
    let count = try reader.count(ofBytes: 100)
    guard count <= 1 << 30 else { throw .damaged }
    clips.reserveCapacity(count)
    for number in 0..<count {
      let record = try Self.readClip(from: &reader)
      clips.append(record)
      guard !record.isGone else { continue }
      guard numbers.updateValue(UInt32(number), forKey: record.clip.id) == nil else { throw .damaged }
      clipsByAuthor[record.clip.author, default: []].append(UInt32(number))
      tally(record.clip.language, 1)
    }
    freeNumbers = try reader.numbers(below: count)
    guard freeNumbers.allSatisfy({ clips[Int($0)].isGone }) else { throw .damaged }
    exploring = try reader.numbers(below: count)
    guard exploring.allSatisfy({ !clips[Int($0)].isGone }) else { throw .damaged }
  }

  private static func readClip(from reader: inout SnapshotReader) throws(SnapshotError) -> ClipRecord {
    let id = try reader.id()
    let author = try reader.id()
    let tags = try reader.words()
    var words: [UInt64?] = []
    for _ in 0..<2 {
      let isThere = try reader.integer(UInt8.self)
      let word: UInt64 = try reader.integer()
      words.append(isThere == 0 ? nil : word)
    }
    let duration: Int64 = try reader.integer()
    let publishedAt: Int64 = try reader.integer()
    var record = ClipRecord(
      clip: Clip(
        id: id, author: author, tags: tags, sound: words[0], language: words[1], duration: duration,
        publishedAt: publishedAt))
    record.isGone = try reader.integer(UInt8.self) != 0
    record.rates = try readRates(from: &reader)
    record.exploration.impressions = max(try reader.float(), 0)
    record.exploration.positives = max(try reader.float(), 0)
    record.exploration.isOver = try reader.integer(UInt8.self) != 0
    return record
  }

  private func readGrants(from reader: inout SnapshotReader) throws(SnapshotError) {
    grants.decay = try reader.decay(CreatorGrants.halfLife)
    let words = try reader.words()
    let sums = try reader.floats(words.count / 2)
    guard words.count.isMultiple(of: 2) else { throw .damaged }
    for (place, sum) in sums.enumerated() {
      grants.sums[EntityID(high: words[place * 2], low: words[place * 2 + 1])] = max(sum, 0)
    }
  }

  private func readCoWatch(from reader: inout SnapshotReader) throws(SnapshotError) {
    coWatch.decay = try reader.decay(settings.coWatch.halfLife)
    coWatch.grow(to: clips.count)
    coWatch.degrees = try reader.floats(clips.count)
    for number in clips.indices {
      let neighbours = try reader.numbers(below: clips.count)
      let weights = try reader.floats(neighbours.count)
      guard weights.allSatisfy({ $0 >= 0 }), coWatch.degrees[number] >= 0 else { throw .damaged }
      coWatch.rows[number] = NeighbourTable(
        zip(neighbours, weights).map { NeighbourTable.Neighbour(clip: $0, weight: $1) })
    }
  }

  /// In a like that teaches nobody else.
  static let quiet: UInt32 = 1 << 31

  private func readViewers(from reader: inout SnapshotReader) throws(SnapshotError) {
    let count = try reader.count(ofBytes: 100)
    viewers.reserveCapacity(count)
    for _ in 0..<count {
      let id = try reader.id()
      let positives = try reader.numbers(below: clips.count, passing: Self.quiet)
      let watches = try reader.numbers(below: clips.count, passing: SequenceModel.positive)
      var viewer = ViewerRecord(
        positives: positives.map { $0 & ~Self.quiet }, teaches: positives.map { $0 & Self.quiet == 0 },
        watches: watches)
      viewer.rates = try Self.readRates(from: &reader)
      viewer.tags = try Self.readMap(from: &reader)
      viewer.authors = try Self.readMap(from: &reader)
      viewer.durations = try Self.readMap(from: &reader)
      viewer.recent = try reader.float().bounded(0...1)
      viewer.lastAt = try reader.integer()
      viewers[id] = viewer
    }
  }

  private static func readMap(from reader: inout SnapshotReader) throws(SnapshotError) -> RateMap {
    let keys = try reader.words()
    let impressions = try reader.floats(keys.count)
    let positives = try reader.floats(keys.count)
    guard keys.count <= RateMap.limit else { throw .damaged }
    var map = RateMap()
    for (place, key) in keys.enumerated() {
      map.entries.append(
        RateMap.Entry(key: key, impressions: max(impressions[place], 0), positives: max(positives[place], 0)))
    }
    return map
  }
}

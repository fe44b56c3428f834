extension Ranker {
  /// A page: candidates, ordered by what may come of each, without like following like, with places for new
  /// clips and for the lot. Shorter than `count` only if there is no more that may be shown.
  public func page(_ request: Request, count: Int = 10) -> [RankedClip] {
    rank(candidates(for: request), for: request, count: count)
  }

  /// Orders candidates of `candidates(for:)`, which must be of this request. Those that are gone since are
  /// left out.
  ///
  /// Each place belongs to one of three: the lot (`uniformShare`: any clip of the catalogue that may be
  /// shown), a new clip (one place of `exploration.every`, chosen by chance), or the order. A clip's
  /// propensity is the probability of its way to the place.
  ///
  /// - Parameter scores: what a model elsewhere gave for each of `candidates`, higher is better. The order
  ///   goes by them, and all else stays: diversity, caps, new clips, the lot. Unless there are as many as
  ///   candidates, they are not used.
  public func rank(
    _ candidates: [Candidate], for request: Request, count: Int = 10, scores: [Float]? = nil
  ) -> [RankedClip] {
    let wanted = request.settings ?? settings.page
    var scored = score(
      candidates.prefix(2_000), for: request, scores?.count == candidates.count ? scores : nil)
    var order = Diversity(wanted.diversity) { self.cosine($0, $1) }
    // Beside `scored`, place by place.
    var standing = scored.map(\.candidate)
    var nearest = [Float](repeating: 0, count: scored.count)
    var page: [RankedClip] = []
    let places = min(max(count, 0), 100)
    let explored = exploredPlaces(of: places, every: wanted.newClipEvery)
    while page.count < places {
      let lot = generator.uniform() < settings.uniformShare
      let pick =
        (lot ? drawn(request, scored, page) : nil)
        ?? (explored.contains(page.count) ? newClip(scored, order, at: request.now) : nil)
        ?? order.next(of: standing, nearest: nearest).map {
          Pick(scored: scored[$0], propensity: share, reason: nil)
        }
      guard let pick else { break }
      page.append(answer(pick, for: request))
      let chosen = pick.scored.candidate
      order.append(chosen)
      if let place = standing.firstIndex(where: { $0.clip == chosen.clip }) {
        scored.remove(at: place)
        standing.remove(at: place)
        nearest.remove(at: place)
      }
      // Further places come into nobody's window.
      for place in standing.indices.prefix(max(wanted.diversity.window, 1) + places) {
        nearest[place] = max(nearest[place], order.likeness(of: standing[place], to: chosen))
      }
    }
    return page
  }

  /// A candidate with what may come of it.
  private struct Scored {
    let candidate: Diversity.Candidate
    let id: EntityID
    let sources: Sources
    let probabilities: SIMD4<Float>
    let worth: Float
  }

  private struct Pick {
    let scored: Scored
    let propensity: Double
    /// If it was not the order that chose it.
    let reason: Reason?
  }

  // MARK: Scores

  private func score(
    _ candidates: some Sequence<Candidate>, for request: Request, _ scores: [Float]?
  ) -> [Scored] {
    var viewer = viewers[request.viewer] ?? ViewerRecord()
    let vector = vector(of: &viewer)
    let terms = terms(of: viewer, request.viewer, surface: request.surface, at: request.now)
    let worths = (request.settings ?? settings.page).worths
    var known: [(candidate: Candidate, probabilities: SIMD4<Float>, worth: Float)] = []
    known.reserveCapacity(candidates.underestimatedCount)
    // Held here, or each candidate would retain it.
    let model = model
    for (place, candidate) in candidates.enumerated() where isThere(candidate) {
      makeFeatures(
        of: candidate.number, for: viewer, terms, vector: vector, coWatch: candidate.coWatch,
        surface: request.surface, at: request.now, into: &features)
      let probabilities = model.predict(features)
      let worth = scores?[place].bounded(-1e30...1e30) ?? (worths * probabilities).sum()
      known.append((candidate, probabilities, worth))
    }
    let lowest = known.reduce(Float.infinity) { min($0, $1.worth) }
    let highest = known.reduce(-Float.infinity) { max($0, $1.worth) }
    // Probabilities that hardly differ are no order; how far another model's scores lie apart is its own.
    let scale = 1 / max(highest - lowest, scores == nil ? 1e-6 : .leastNormalMagnitude)
    known.sort { $0.worth != $1.worth ? $0.worth > $1.worth : $0.candidate.clip < $1.candidate.clip }
    // What somebody likes says more than what language they read.
    let language = viewer.positives.isEmpty ? request.language : nil
    let isMixed = known.contains { isForeign($0.candidate.number, to: language) }
    var all: [Scored] = known.map { candidate, probabilities, worth in
      let isPreferred = isMixed && !isForeign(candidate.number, to: language)
      return scored(
        candidate, probabilities, worth,
        relevance: (worth - lowest) * scale + (isPreferred ? Self.ownLanguage : 0))
    }
    if isMixed {
      all.sort {
        let (one, other) = ($0.candidate.score, $1.candidate.score)
        return one != other ? one > other : $0.id < $1.id
      }
    }
    return all
  }

  /// How far a clip in the viewer's language is ahead of one in another, where the best and the worst
  /// candidate are 1 apart.
  private static let ownLanguage: Float = 0.5

  func isThere(_ candidate: Candidate) -> Bool {
    let place = Int(candidate.number)
    return place < clips.count && clips[place].clip.id == candidate.clip && !clips[place].isGone
  }

  private func scored(
    _ candidate: Candidate, _ probabilities: SIMD4<Float>, _ worth: Float, relevance: Float
  ) -> Scored {
    let clip = clips[Int(candidate.number)].clip
    return Scored(
      candidate: Diversity.Candidate(
        clip: candidate.number, score: relevance, author: clip.author, tags: clip.tags),
      id: candidate.clip, sources: candidate.sources, probabilities: probabilities, worth: worth)
  }

  func probabilities(
    of number: UInt32, coWatch: Float, for viewer: ViewerRecord, _ terms: ViewerTerms, _ vector: [Float],
    _ request: Request
  ) -> SIMD4<Float> {
    makeFeatures(
      of: number, for: viewer, terms, vector: vector, coWatch: coWatch,
      surface: request.surface, at: request.now, into: &features)
    return model.predict(features)
  }

  /// Of any clip, as its page would have it.
  private func probabilities(
    of number: UInt32, for request: Request
  ) -> (coWatch: Float, SIMD4<Float>) {
    var viewer = viewers[request.viewer] ?? ViewerRecord()
    let coWatch = similarity(of: number, to: viewer)
    let vector = vector(of: &viewer)
    let terms = terms(of: viewer, request.viewer, surface: request.surface, at: request.now)
    return (coWatch, probabilities(of: number, coWatch: coWatch, for: viewer, terms, vector, request))
  }

  /// What may come of showing a clip to somebody; nothing if it is not known.
  public func probabilities(of clip: EntityID, for request: Request) -> [Head: Float]? {
    numbers[clip].map { Self.byHead(probabilities(of: $0, for: request).1) }
  }

  static func byHead(_ probabilities: SIMD4<Float>) -> [Head: Float] {
    Dictionary(uniqueKeysWithValues: Head.allCases.map { ($0, probabilities[$0.rawValue]) })
  }

  private func cosine(_ left: UInt32, _ right: UInt32) -> Float {
    let columns = factors.settings.dimensions
    return factors.vectors.values.withUnsafeBufferPointer { values in
      let (a, b) = (values.baseAddress! + Int(left) * columns, values.baseAddress! + Int(right) * columns)
      let lengths = DotProduct.of(a, a, columns) * DotProduct.of(b, b, columns)
      return lengths > 0 ? DotProduct.of(a, b, columns) / lengths.squareRoot() : 0
    }
  }

  // MARK: Places

  /// The share of a place that is left beside the lot.
  private var share: Double { 1 - settings.uniformShare.bounded(0...1) }

  private func exploredPlaces(of count: Int, every: Int) -> Set<Int> {
    guard every > 0 else { return [] }
    return Set(stride(from: 0, to: count, by: every).map { $0 + generator.below(every) })
  }

  private func newClip(_ scored: [Scored], _ order: Diversity, at now: Int64) -> Pick? {
    var fresh = scored.indices.filter {
      scored[$0].sources.contains(.fresh) && order.breach(scored[$0].candidate) == 0
    }
    .map { scored[$0] }
    let due = fresh.filter { isDue($0.candidate.clip, at: now) }
    if !due.isEmpty { fresh = due }
    fresh.sort { $0.id < $1.id }
    let pool = fresh.map { one in
      let shape = clips[Int(one.candidate.clip)].exploration.shape(
        probability: Double(one.probabilities[Head.positive.rawValue]),
        strength: settings.exploration.priorStrength)
      return (clip: one.candidate.clip, alpha: shape.alpha, beta: shape.beta)
    }
    let choices = Exploration.probabilities(
      Array(pool.prefix(settings.exploration.pool)), draws: settings.exploration.draws, by: &generator)
    guard let choice = Exploration.draw(choices, by: &generator),
      let one = fresh.first(where: { $0.candidate.clip == choice.clip })
    else { return nil }
    return Pick(scored: one, propensity: share * choice.probability, reason: .new)
  }

  /// Any clip of the catalogue that may be shown and is not on the page; drawn again where it is not. Its
  /// propensity is that of the first draw; what was excluded is few beside a catalogue, and makes it a
  /// little larger.
  private func drawn(_ request: Request, _ scored: [Scored], _ page: [RankedClip]) -> Pick? {
    for _ in 0..<64 {
      let number = UInt32(generator.below(clips.count))
      guard Int(number) < clips.count, !clips[Int(number)].isGone else { continue }
      let id = clips[Int(number)].clip.id
      guard !page.contains(where: { $0.clip == id }), !request.isExcluded(id) else { continue }
      let propensity = settings.uniformShare.bounded(0...1) / Double(max(numbers.count, 1))
      if let known = scored.first(where: { $0.id == id }) {
        return Pick(scored: known, propensity: propensity, reason: .drawn)
      }
      let (coWatch, probabilities) = probabilities(of: number, for: request)
      let worth = ((request.settings ?? settings.page).worths * probabilities).sum()
      let candidate = Candidate(clip: id, number: number, sources: [], coWatch: coWatch, score: 0)
      let one = self.scored(candidate, probabilities, worth, relevance: 0)
      return Pick(scored: one, propensity: propensity, reason: .drawn)
    }
    return nil
  }

  // MARK: Answers

  private func answer(_ pick: Pick, for request: Request) -> RankedClip {
    let one = pick.scored
    return RankedClip(
      clip: one.id, reason: pick.reason ?? reason(for: one, request), sources: one.sources,
      propensity: pick.propensity,
      probabilities: Self.byHead(one.probabilities),
      score: one.worth)
  }

  /// By more than chance: vectors that nothing was learned of have a cosine of a tenth or two.
  private func resembles(_ number: UInt32, _ viewer: ViewerRecord) -> Bool {
    let columns = factors.settings.dimensions
    guard let vector = viewer.vector, vector.count == columns, coWatch.degree(of: number) > 0 else {
      return false
    }
    let row = Array(factors.vectors.values[Int(number) * columns..<(Int(number) + 1) * columns])
    let lengths = DotProduct.of(row, row, columns) * DotProduct.of(vector, vector, columns)
    return lengths > 0 && DotProduct.of(vector, row, columns) / lengths.squareRoot() >= Self.likeness
  }

  private static let likeness: Float = 0.3

  /// The most particular of what is true.
  private func reason(for one: Scored, _ request: Request) -> Reason {
    let author = one.candidate.author
    if request.followed.contains(author) { return .followedAuthor(author) }
    guard let viewer = viewers[request.viewer], !viewer.positives.isEmpty else {
      return one.sources.contains(.trending) ? .trending : .latest
    }
    let liked = Int(viewer.authors.entry(author.hash)?.positives ?? 0)
    if liked >= 2 { return .likedAuthor(author, count: liked) }
    if !one.sources.isDisjoint(with: [.coWatch, .sequence]) {
      let near = viewer.positives.lazy.filter { !self.clips[Int($0)].isGone }.max {
        self.coWatch.similarity($0, one.candidate.clip) < self.coWatch.similarity($1, one.candidate.clip)
      }
      if let near, coWatch.similarity(near, one.candidate.clip) > 0 {
        return .likedClip(clips[Int(near)].clip.id)
      }
    }
    if let tag = one.candidate.tags.first(where: { (viewer.tags.entry($0)?.positives ?? 0) >= 2 }) {
      return .likedTag(tag)
    }
    if !one.sources.isDisjoint(with: [.vectors, .sequence]), resembles(one.candidate.clip, viewer) {
      return .resembling
    }
    return one.sources.contains(.trending) ? .trending : .latest
  }
}

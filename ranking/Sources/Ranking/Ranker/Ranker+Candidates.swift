extension Ranker {
  /// Clips for a viewer from all sources, the best of the blend first; none twice, none that is excluded or
  /// gone. Empty only if there is nothing that may be shown.
  public func candidates(for request: Request) -> [Candidate] {
    popularity.advance(to: request.now)
    var viewer = viewers[request.viewer] ?? ViewerRecord()
    let vector = vector(of: &viewer)
    if viewers[request.viewer] != nil { viewers[request.viewer]?.vector = viewer.vector }
    scores.begin(count: clips.count)
    coWatch.score(viewer.positives, weights: viewer.weights(fading: settings.coWatchFading), into: &scores)

    var found = Found(isExcluded: request.isExcluded)
    let limits = request.limits
    for number in nearest(to: vector, limits.vectors) { offer(number, .vectors, to: &found) }
    for number in TopK.of(scores.touched, max(limits.coWatch, 0), by: { scores[$0] }) {
      offer(number, .coWatch, to: &found)
    }
    offerFollowed(request, to: &found)
    offerTrending(request, to: &found)
    offer(freshClips(limits.fresh, at: request.now), .fresh, limits.fresh, to: &found)
    offer(latestClips(limits.latest * 4), .latest, limits.latest, to: &found)
    return blended(found, vector: vector, by: (request.settings ?? settings.page).blend)
  }

  /// What was found so far.
  private struct Found {
    let isExcluded: (EntityID) -> Bool
    var places: [UInt32: Int] = [:]
    var clips: [(number: UInt32, sources: Sources)] = []
    var refused: Set<UInt32> = []
  }

  @discardableResult
  private func offer(_ number: UInt32, _ source: Sources, to found: inout Found) -> Bool {
    if let place = found.places[number] {
      found.clips[place].sources.insert(source)
      return true
    }
    let record = clips[Int(number)]
    guard !record.isGone, !found.refused.contains(number) else { return false }
    guard !found.isExcluded(record.clip.id) else {
      found.refused.insert(number)
      return false
    }
    found.places[number] = found.clips.count
    found.clips.append((number, source))
    return true
  }

  /// The first of a list that may be shown, up to a limit.
  private func offer(_ list: [UInt32], _ source: Sources, _ limit: Int, to found: inout Found) {
    var left = limit
    for number in list where left > 0 {
      if offer(number, source, to: &found) { left -= 1 }
    }
  }

  func nearest(to vector: [Float], _ limit: Int) -> [UInt32] {
    guard !vector.isEmpty, limit > 0 else { return [] }
    if let index {
      return index.search(vector, limit, exact: factors.vectors, scratch: &scratch).map(\.clip)
    }
    let products = factors.scores(of: vector)
    return TopK.of(clips.indices.lazy.map { UInt32($0) }, limit) { products[Int($0)] }
  }

  private func offerFollowed(_ request: Request, to found: inout Found) {
    var newest = TopK(request.limits.followed * 2)
    for author in request.followed.prefix(5_000) {
      for number in (clipsByAuthor[author] ?? []).suffix(10) {
        // Hours are enough, and fit into a float.
        newest.offer(number, Float(clips[Int(number)].clip.publishedAt / 3_600_000))
      }
    }
    offer(newest.sorted().map(\.clip), .followed, request.limits.followed, to: &found)
  }

  private func offerTrending(_ request: Request, to found: inout Found) {
    let order = TopK.of(popularity.leading, popularity.leading.count) { popularity.value(of: $0) }
    let own = order.filter { number in
      let language = clips[Int(number)].clip.language
      return language == nil || request.language == nil || language == request.language
    }
    offer(own, .trending, request.limits.trending, to: &found)
    if own.count < request.limits.trending { offer(order, .trending, request.limits.trending, to: &found) }
  }

  /// Clips that still have a budget: first those that lag behind their time, which are among the last that
  /// came; then from a place by chance, so that all have their turn. Of an author only a few, and none of
  /// whose new clips were shown much lately.
  private func freshClips(_ limit: Int, at now: Int64) -> [UInt32] {
    guard !exploring.isEmpty, limit > 0 else { return [] }
    let limit = min(limit, 1_000)
    let steps = min(exploring.count, limit * 8)
    let due = exploring.suffix(steps).filter { isDue($0, at: now) }
    let (turn, start) = (generator.below(due.count), generator.below(exploring.count))
    var counts: [EntityID: Int] = [:]
    var fresh: [UInt32] = []
    func offer(_ number: UInt32) {
      let author = clips[Int(number)].clip.author
      let count = counts[author, default: 0]
      guard count < max(settings.exploration.perAuthor, 1), !fresh.contains(number) else { return }
      guard !isWaiting(number, of: author) else { return }
      counts[author] = count + 1
      fresh.append(number)
    }
    for step in due.indices where fresh.count < limit { offer(due[(turn + step) % due.count]) }
    for step in 0..<steps where fresh.count < limit * 2 { offer(exploring[(start + step) % exploring.count]) }
    return fresh
  }

  /// Whether a clip in its first stage waits, since others of its author were shown much lately.
  private func isWaiting(_ number: UInt32, of author: EntityID) -> Bool {
    clips[Int(number)].exploration.impressions < settings.exploration.budgets.first ?? 0
      && grants.value(of: author) >= settings.exploration.firstPerAuthor
  }

  func isDue(_ number: UInt32, at now: Int64) -> Bool {
    let record = clips[Int(number)]
    return Exploration.isDue(
      record.exploration, publishedAt: record.clip.publishedAt, at: now, settings.exploration)
  }

  /// What came last, for when nothing else is known.
  private func latestClips(_ limit: Int) -> [UInt32] {
    let recent = clips.indices.suffix(max(limit, 0)).map { UInt32($0) }
    return TopK.of(recent, recent.count) { Float(clips[Int($0)].clip.publishedAt / 3_600_000) }
  }

  private func blended(_ found: Found, vector: [Float], by blend: Blend) -> [Candidate] {
    let numbers = found.clips.map(\.number)
    var sum = [Float](repeating: 0, count: numbers.count)
    let terms: [(Float, (UInt32) -> Float)] = [
      (blend.factors, { self.product(of: vector, with: $0) }),
      (blend.coWatch, { self.scores[$0] }),
      (blend.popularity, { self.popularity.logarithm(of: $0) }),
    ]
    for (weight, term) in terms where weight != 0 {
      Self.add(numbers.map(term), times: weight, to: &sum)
    }
    return found.clips.indices.map { place in
      let (number, sources) = found.clips[place]
      return Candidate(
        clip: clips[Int(number)].clip.id, number: number, sources: sources,
        coWatch: scores[number], score: sum[place].bounded(-1e6...1e6))
    }
    .sorted { $0.score != $1.score ? $0.score > $1.score : $0.number < $1.number }
  }
}

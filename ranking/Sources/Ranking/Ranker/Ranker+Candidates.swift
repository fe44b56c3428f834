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

    var found = Found(isExcluded: request.isExcluded, places: places)
    // Back to where they are held, with nothing in them, or they would be copied.
    places = CandidatePlaces()
    found.places.begin(count: clips.count)
    defer { places = found.places }
    let limits = request.limits
    offer(nearest(to: vector, limits.vectors), .vectors, .max, to: &found)
    offer(
      TopK.of(scores.touched, max(limits.coWatch, 0), by: { scores[$0] }), .coWatch, .max, to: &found)
    let blend = (request.settings ?? settings.page).blend
    let answer = blend.sequence != 0 && usesSequence ? answer(after: viewer) : []
    offer(expected(answer, limits.sequence), .sequence, .max, to: &found)
    offerFollowed(request, to: &found)
    offerTrending(request, to: &found)
    offer(freshClips(limits.fresh, at: request.now), .fresh, limits.fresh, to: &found)
    offer(latestClips(limits.latest * 4), .latest, limits.latest, to: &found)
    return blended(found, vector: vector, answer: answer, by: blend)
  }

  /// What was found so far.
  private struct Found {
    let isExcluded: (EntityID) -> Bool
    var places: CandidatePlaces
    var clips: [(number: UInt32, sources: Sources)] = []
  }

  private func offer(_ number: UInt32, _ source: Sources, to found: inout Found) -> Bool {
    switch found.places[number] {
    case .at(let place):
      found.clips[place].sources.insert(source)
      return true
    case .refused: return false
    case .unknown: break
    }
    guard !clips[Int(number)].isGone, !found.isExcluded(clips[Int(number)].clip.id) else {
      found.places.refuse(number)
      return false
    }
    found.places.add(number, at: found.clips.count)
    found.clips.append((number, source))
    return true
  }

  /// The first of a list that may be shown, up to a limit.
  private func offer(_ list: [UInt32], _ source: Sources, _ limit: Int, to found: inout Found) {
    var left = limit
    for (place, number) in list.enumerated() where left > 0 {
      prefetch(list[min(place + 8, list.count - 1)])
      if offer(number, source, to: &found) { left -= 1 }
    }
  }

  /// A record far away in memory takes longer to come than it takes to look at another.
  @inline(__always)
  func prefetch(_ number: UInt32) {
    clips.withUnsafeBufferPointer { DotProduct.prefetch($0.baseAddress! + Int(number), 1) }
  }

  func nearest(to vector: [Float], _ limit: Int) -> [UInt32] {
    guard !vector.isEmpty, limit > 0 else { return [] }
    if let index {
      return index.search(vector, limit, exact: factors.vectors, scratch: &scratch).map(\.clip)
    }
    let products = factors.scores(of: vector)
    return TopK.of(clips.indices.lazy.map { UInt32($0) }, limit) { products[Int($0)] }
  }

  /// How likely each is next, as logarithms but for a constant.
  func expectations(of numbers: [UInt32], _ answer: [Float]) -> [Float] {
    guard let sequence else { return [] }
    return numbers.indices.map { place in
      sequence.prefetch(numbers[min(place + 8, numbers.count - 1)])
      return sequence.score(of: numbers[place], answer)
    }
  }

  /// What is likely next of all clips.
  private func expected(_ answer: [Float], _ limit: Int) -> [UInt32] {
    guard let sequence, !answer.isEmpty, limit > 0 else { return [] }
    let scores = sequence.scores(answer)
    return TopK.of(clips.indices.lazy.map { UInt32($0) }, limit) { scores[Int($0)] }
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
    let wanted = request.limits.trending
    let own = order.filter { !isForeign($0, to: request.language) }
    offer(own, .trending, wanted, to: &found)
    if own.count < wanted, own.count < order.count { offer(order, .trending, wanted, to: &found) }
  }

  /// Whether a clip is in another language; false where it is in none, and where none is asked for.
  func isForeign(_ number: UInt32, to language: UInt64?) -> Bool {
    guard let language, let own = clips[Int(number)].clip.language else { return false }
    return own != language
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
    Exploration.isDue(
      clips[Int(number)].exploration, publishedAt: clips[Int(number)].clip.publishedAt, at: now,
      settings.exploration)
  }

  /// What came last, for when nothing else is known.
  private func latestClips(_ limit: Int) -> [UInt32] {
    let recent = clips.indices.suffix(max(limit, 0)).map { UInt32($0) }
    return TopK.of(recent, recent.count) { Float(clips[Int($0)].clip.publishedAt / 3_600_000) }
  }

  private func blended(
    _ found: Found, vector: [Float], answer: [Float], by blend: Blend
  ) -> [Candidate] {
    let numbers = found.clips.map(\.number)
    var sum = [Float](repeating: 0, count: numbers.count)
    if blend.factors != 0 {
      Self.add(numbers.map { product(of: vector, with: $0) }, times: blend.factors, to: &sum)
    }
    if blend.coWatch != 0 { Self.add(numbers.map { scores[$0] }, times: blend.coWatch, to: &sum) }
    if blend.popularity != 0 {
      Self.add(numbers.map { popularity.logarithm(of: $0) }, times: blend.popularity, to: &sum)
    }
    if !answer.isEmpty {
      Self.add(logarithms: expectations(of: numbers, answer), times: blend.sequence, to: &sum)
    }
    let order = numbers.indices.map { Rank(numbers[$0], sum[$0].bounded(-1e6...1e6)) }.sorted(by: >)
    return order.compactMap { rank in
      let number = rank.clip
      guard case .at(let place) = found.places[number] else { return nil }
      return Candidate(
        clip: clips[Int(number)].clip.id, number: number, sources: found.clips[place].sources,
        coWatch: scores[number], score: rank.score)
    }
  }
}

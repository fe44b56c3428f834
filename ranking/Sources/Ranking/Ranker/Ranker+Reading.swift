/// What a ranker knows, for hosts that show it to people.
extension Ranker {
  /// Nil: it is not known, or gone.
  public func clip(_ id: EntityID) -> Clip? { numbers[id].map { clips[Int($0)].clip } }

  /// Of all clips that are known, in no order.
  public var clipIDs: [EntityID] { Array(numbers.keys) }

  /// Clips that were positive for a viewer, the latest last; at most a hundred.
  public func likes(of viewer: EntityID) -> [EntityID] {
    (viewers[viewer]?.positives ?? []).filter { !clips[Int($0)].isGone }.map { clips[Int($0)].clip.id }
  }

  /// How likely each of these is next for a viewer, by the order of their last watches alone: logarithms, but
  /// for a constant. Empty if there is no such model or the viewer has watched nothing; of a clip that is not
  /// known, what one has of which nothing is known.
  public func expectations(of clips: [EntityID], for viewer: EntityID) -> [Float] {
    let answer = viewers[viewer].map { self.answer(after: $0) } ?? []
    return answer.isEmpty ? [] : expectations(of: clips.map { numbers[$0] ?? .max }, answer)
  }

  /// Clips that rise: what was liked lately, over the root of all likes that count still. So a clip that
  /// everybody has liked for weeks comes behind one that many like since yesterday.
  ///
  /// - Parameters:
  ///   - now: milliseconds since 1970.
  ///   - language: clips in another one come behind all others; nil: none is preferred.
  public func rising(
    _ count: Int, now: Int64, language: UInt64? = nil, isExcluded: (EntityID) -> Bool = { _ in false }
  ) -> [EntityID] {
    popularity.advance(to: now)
    let order = TopK.of(popularity.leading, popularity.leading.count) { number in
      popularity.value(of: number) / (max(coWatch.degree(of: number), 0) + Self.fewLikes).squareRoot()
    }
    let own = order.filter { !isForeign($0, to: language) }
    return first(count, of: own + order.filter { isForeign($0, to: language) }, isExcluded)
  }

  /// Languages in which there is something to choose from: so many clips, or one that was liked lately. Those
  /// of the most clips first.
  ///
  /// - Parameters:
  ///   - count: of languages, at most.
  ///   - least: clips in a language that are enough, liked or not.
  public func languages(_ count: Int, atLeast least: Int) -> [UInt64] {
    let liked = Set(popularity.leading.compactMap { clips[Int($0)].clip.language })
    return clipsByLanguage.filter { $0.value >= least || liked.contains($0.key) }
      .sorted { ($0.value, $1.key) > ($1.value, $0.key) }
      .prefix(max(count, 0)).map(\.key)
  }

  /// So few likes say nothing about how fast a clip rises.
  private static let fewLikes: Float = 10

  /// Clips that resemble one: first those that the same people liked, then those of near vectors, then the
  /// author's newest. Empty for a clip that is not known.
  public func similar(
    to id: EntityID, _ count: Int, isExcluded: (EntityID) -> Bool = { _ in false }
  ) -> [EntityID] {
    guard let number = numbers[id], count > 0 else { return [] }
    scores.begin(count: clips.count)
    coWatch.score([number], weights: [1], into: &scores)
    var found = TopK.of(scores.touched, count * 2) { scores[$0] }
    if coWatch.degrees[Int(number)] > 0 {
      let columns = factors.settings.dimensions
      found += nearest(
        to: Array(factors.vectors.values[Int(number) * columns..<(Int(number) + 1) * columns]), count * 2)
    }
    found += (clipsByAuthor[clips[Int(number)].clip.author] ?? []).suffix(count * 2).reversed()
    return first(count, of: found.filter { $0 != number }, isExcluded)
  }

  /// Each once, without those that are gone.
  private func first(
    _ count: Int, of found: [UInt32], _ isExcluded: (EntityID) -> Bool
  ) -> [EntityID] {
    var known: Set<UInt32> = []
    var ids: [EntityID] = []
    for number in found where ids.count < count && known.insert(number).inserted {
      let record = clips[Int(number)]
      if !record.isGone, !isExcluded(record.clip.id) { ids.append(record.clip.id) }
    }
    return ids
  }

  /// A like is taken back: the viewer's feed goes by it no longer. What it taught of others' stays.
  public func takeBack(_ clip: EntityID, by viewer: EntityID) {
    guard let number = numbers[clip] else { return }
    viewers[viewer]?.dislike(number)
  }

  /// A guest turns out to be somebody who is known: what the guest liked, they like from now on, as the
  /// latest. Nothing stays the guest's.
  public func merge(_ guest: EntityID, into viewer: EntityID) {
    guard guest != viewer, let record = viewers[guest] else { return }
    if var known = viewers[viewer] {
      for clip in record.positives { known.like(clip) }
      for watch in record.watches {
        known.watch(watch & ~SequenceModel.positive, isPositive: watch & SequenceModel.positive != 0)
      }
      known.lastAt = max(known.lastAt, record.lastAt)
      viewers[viewer] = known
    } else {
      viewers[viewer] = record
    }
    forget(guest)
  }
}

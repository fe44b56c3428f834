/// Where a refit stands.
enum RefitWork {
  case sweep(FactorSweep)
  case index(InvertedFileBuild)
}

extension Ranker {
  public enum Refit: Sendable, Equatable {
    /// There is more to do; of the sweep so much is done, 0 to 1.
    case underWay(Double)
    /// New vectors and a new index are in use.
    case done
  }

  /// Does a part of learning anew: a warm sweep over what all viewers liked, then the index. Between steps
  /// everything else goes on, and learns. When one is done, the next call begins again.
  ///
  /// A step solves 256 rows, some ten milliseconds. Four are longer and grow with the instance, since they
  /// copy or count all of it: the first, the last of each half of the sweep, and the one that lays out the
  /// index.
  public func refit() -> Refit {
    switch refitWork {
    case nil:
      dropGoneClips()
      let viewersInOrder = viewers.sorted { $0.key < $1.key }
      var interactions = Interactions(columnCount: clips.count)
      for (_, viewer) in viewersInOrder {
        let taught = viewer.taught
        if !taught.isEmpty { interactions.append(taught) }
      }
      refitWork = .sweep(FactorSweep(interactions, from: factors))
      return .underWay(0)
    case .sweep(var sweep):
      // Out of the optional, or the sweep would be copied.
      refitWork = nil
      let finished = sweep.step()
      refitWork = .sweep(sweep)
      guard let finished else { return .underWay(sweep.progress) }
      take(finished)
      refitWork = .index(
        InvertedFileBuild(
          findableNumbers, of: factors.vectors, settings: settings.index, by: &generator))
      return .underWay(1)
    case .index(var build):
      refitWork = nil
      guard let file = build.step(factors.vectors) else {
        refitWork = .index(build)
        return .underWay(1)
      }
      index = file
      return .done
    }
  }

  /// All steps at once.
  public func refitWhole() {
    while refit() != .done {}
  }

  private func take(_ finished: ClipFactors) {
    var finished = finished
    while finished.vectors.rows < clips.count { finished.appendRow(by: &generator) }
    factors = finished
    for number in clips.indices where clips[number].isGone { factors.clearRow(number) }
    for id in viewers.keys { viewers[id]?.vector = nil }
    let rates = clips.lazy.filter { !$0.isGone && $0.rates.impressions >= 20 }
      .map { $0.rates.positiveRate(prior: self.priorRate, strength: 20) }.sorted()
    medianRate = rates.isEmpty ? priorRate : rates[rates.count / 2]
    popularity.refill()
    grants.prune()
  }

  /// Clips that a vector says something of.
  var findableNumbers: [UInt32] {
    clips.indices.filter { !clips[$0].isGone && coWatch.degrees[$0] > 0 }.map { UInt32($0) }
  }

  /// From here on nothing mentions clips that are gone, and their numbers are free.
  private func dropGoneClips() {
    let gone = clips.indices.filter { clips[$0].isGone }
    let free = Set(freeNumbers)
    let news = gone.filter { !free.contains(UInt32($0)) }
    guard !news.isEmpty else { return }
    for id in viewers.keys { viewers[id]?.drop { clips[Int($0)].isGone } }
    coWatch.remove { clips[Int($0)].isGone }
    sequence?.remove { clips[Int($0)].isGone }
    freeNumbers.append(contentsOf: news.reversed().map { UInt32($0) })
  }

  /// Somebody takes all of it back. Of crosses, those go that their history names.
  public func forget(_ id: EntityID) {
    grants.sums[id] = nil
    guard let viewer = viewers.removeValue(forKey: id) else { return }
    var crosses = Self.viewerCrosses(id, tags: [], author: nil)
    crosses += viewer.tags.entries.map { StableHash.of(2, id.hash, $0.key) }
    crosses += viewer.authors.entries.map { StableHash.of(3, id.hash, $0.key) }
    model.forget(crosses)
    keptModel?.forget(crosses)
  }
}
